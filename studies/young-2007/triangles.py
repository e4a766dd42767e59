"""Strain, energy and forces of a triangle mesh, as chapter 3 of the thesis writes them.

    A = D_s D_m^-1,   G = (A^T A - I)/2,   S = lam tr(G) I + 2 mu G,   PE_t = a_t S : G / 2

Source: [young2007] (3.2) to (3.6), (3.12), (3.15), (3.17)
All methods of this study read the mesh through this one class, so that a difference between two
of them is a difference of method. (3.1) misprints Green strain: the quadratic term must be
du_k/dx_i du_k/dx_j, which is what (3.2) contains.
"""

from __future__ import annotations

import numpy as np


class Triangles:
    """A triangle mesh at rest at `points` with the material of St. Venant and Kirchhoff.

    points: rest positions p [m], shape (n, 2); cells: counter-clockwise corners, shape (t, 3);
    lam, mu: Lame parameters [Pa m], because a plane body has energy per area.
    """

    def __init__(self, points: np.ndarray, cells: np.ndarray, *, lam: float, mu: float):
        self.points, self.cells, self.lam, self.mu = points, cells, lam, mu
        edges = _edge_matrix(points[cells])
        determinant = edges[:, 0, 0] * edges[:, 1, 1] - edges[:, 0, 1] * edges[:, 1, 0]
        if np.any(determinant <= 0.0):
            raise ValueError(
                f"{np.sum(determinant <= 0.0)} triangles are clockwise or flat at rest; "
                "give corners counter-clockwise"
            )
        self.areas = 0.5 * determinant
        self.inverse = np.linalg.inv(edges)
        # Rows are the gradients of the three shape functions: A = sum_a x_a (grad N_a)^T.
        self.shape_gradients = np.concatenate(
            [-self.inverse.sum(axis=1, keepdims=True), self.inverse], axis=1
        )

    def deformation(self, corners: np.ndarray) -> np.ndarray:
        """A = D_s D_m^-1 (3.6) for corner positions of shape (t, 3, 2)."""
        return _edge_matrix(corners) @ self.inverse

    def stress(self, strain: np.ndarray) -> np.ndarray:
        """Second Piola-Kirchhoff stress of a Green strain (3.15), shape (t, 2, 2)."""
        trace = np.trace(strain, axis1=1, axis2=2)
        return self.lam * trace[:, None, None] * np.eye(2) + 2.0 * self.mu * strain

    def energies(self, corners: np.ndarray) -> np.ndarray:
        """Potential energy of every triangle (3.17), shape (t,)."""
        return stvk_energy(corners, self.inverse, self.areas, self.lam, self.mu)

    def potential(self, x: np.ndarray) -> float:
        """PE (3.13) at positions x."""
        return float(np.sum(self.energies(x[self.cells])))

    def gradient(self, x: np.ndarray) -> np.ndarray:
        """dPE/dx = sum over triangles of a_t A S grad N, shape (n, 2)."""
        A = self.deformation(x[self.cells])
        first_piola = A @ self.stress(green_strain(A))
        corner = self.areas[:, None, None] * (self.shape_gradients @ first_piola.transpose(0, 2, 1))
        return self.gather(corner)

    def gather(self, corner: np.ndarray) -> np.ndarray:
        """Sum a vector per triangle corner, shape (t, 3, 2), into one per vertex, shape (n, 2)."""
        flat, n = self.cells.ravel(), len(self.points)
        return np.stack([np.bincount(flat, corner[..., d].ravel(), n) for d in range(2)], axis=1)


def green_strain(A: np.ndarray) -> np.ndarray:
    """G = (A^T A - I)/2.  Source: [young2007] (3.2)."""
    return 0.5 * (A.transpose(0, 2, 1) @ A - np.eye(2))


def half_normals(corners: np.ndarray) -> np.ndarray:
    """Half the outward normal, of edge length, of the edge opposite each corner, shape (t, 3, 2).

    A stress sigma on the triangle pulls corner i with the force sigma times this vector.
    Source: [young2007] (3.12). The perp there is a clockwise turn for counter-clockwise corners.
    """
    opposite = corners[:, [2, 0, 1]] - corners[:, [1, 2, 0]]
    return 0.5 * np.stack([opposite[..., 1], -opposite[..., 0]], axis=-1)


def stvk_energy(corners, inverse, areas, lam, mu):
    """Energy (3.17) of triangles; leading axes broadcast, the last two of corners are (3, 2).

    Written out in components: this is the inner loop of the differences (3.18), and products of
    2 x 2 matrices through a general routine take four times as long.
    """
    ax, ay = corners[..., 1, 0] - corners[..., 0, 0], corners[..., 1, 1] - corners[..., 0, 1]
    bx, by = corners[..., 2, 0] - corners[..., 0, 0], corners[..., 2, 1] - corners[..., 0, 1]
    i00, i01, i10, i11 = (inverse[..., r, c] for r in (0, 1) for c in (0, 1))
    f00, f01 = ax * i00 + bx * i10, ax * i01 + bx * i11
    f10, f11 = ay * i00 + by * i10, ay * i01 + by * i11
    g00 = 0.5 * (f00 * f00 + f10 * f10 - 1.0)
    g11 = 0.5 * (f01 * f01 + f11 * f11 - 1.0)
    g01 = 0.5 * (f00 * f01 + f10 * f11)
    trace, square = g00 + g11, g00 * g00 + g11 * g11 + 2.0 * g01 * g01
    return 0.5 * areas * (lam * trace * trace + 2.0 * mu * square)


def _edge_matrix(corners: np.ndarray) -> np.ndarray:
    """D_m or D_s: edge vectors from corner 0 as columns (3.3), (3.4)."""
    return np.stack([corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]], axis=-1)
