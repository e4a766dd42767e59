"""Kelvin's solution, integrated over the triangle that the point lies in."""

from __future__ import annotations

import numpy as np

Array = np.ndarray
#: Angles between two corners: the integrand is smooth there.
ANGLES = 16


def self_terms(
    points: Array, triangles: Array, normals: Array, shares: Array, *, shear: float, poisson: float
) -> tuple[Array, Array]:
    """Integrals of U and P times the linear shape functions, (k, 3, 3, 3): by corner.

        int U N dA = int K(e) R (N(x) + N(y))/2 d angle,     U = K(e)/r
        int P N dA = int A(e) N(y) d angle                   P = A(e)/r^2, where N(x) = 0

    points x [m], (k, 3), each in its flat triangle, (k, 3, 3), in the middle or at a corner; shares,
    (k, 3): N(x). In polar coordinates about x, y being where the ray e leaves the triangle, R away.
    Where N(x) is not 0 the second integral is singular, and is left out: rigid translation gives it.
    """
    nodes, weights = np.polynomial.legendre.leggauss(ANGLES)
    U, P = np.zeros((2, len(points), 3, 3, 3))
    of_u = 1.0 / (16.0 * np.pi * shear * (1.0 - poisson))
    of_p = (1.0 - 2.0 * poisson) / (8.0 * np.pi * (1.0 - poisson))
    for edge in range(3):
        a = triangles[:, edge] - points
        along = triangles[:, (edge + 1) % 3] - points - a
        out = np.cross(along, normals)  # away from x, across the edge
        length = np.linalg.norm(along, axis=1)
        out /= length[:, None]
        distance = np.einsum("ki,ki->k", a, out)
        seen = distance > 1e-9 * length  # else x is on the line of the edge
        distance = np.where(seen, distance, 1.0)
        ahead = along / length[:, None]
        begin = np.einsum("ki,ki->k", a, ahead)
        start, end = np.arctan2(begin, distance), np.arctan2(begin + length, distance)
        for node, weight in zip(nodes, weights, strict=True):
            angle = 0.5 * (start + end) + 0.5 * node * (end - start)
            w = np.where(seen, 0.5 * weight * (end - start), 0.0)
            e = np.cos(angle)[:, None] * out + np.sin(angle)[:, None] * ahead
            R = distance / np.cos(angle)
            at = (distance * np.tan(angle) - begin) / length  # of y along the edge
            N = np.zeros_like(shares)
            N[:, edge], N[:, (edge + 1) % 3] = 1.0 - at, at
            K = (3.0 - 4.0 * poisson) * np.eye(3) + e[:, :, None] * e[:, None, :]
            A = normals[:, :, None] * e[:, None, :] - e[:, :, None] * normals[:, None, :]
            U += np.einsum("k,kc,kij->kcij", of_u * w * R, 0.5 * (N + shares), K)
            P -= np.einsum("k,kc,kij->kcij", of_p * w, np.where(shares == 0.0, N, 0.0), A)
    return U, P
