"""Quadrature rules on the reference simplex and the reference cube."""

from dataclasses import dataclass
from math import factorial

import numpy as np


@dataclass(frozen=True)
class Rule:
    """Points and weights with   integral f ~ sum_q weights_q f(points_q),   exact up to `order`.

    The order is the total degree on simplices and the degree in each variable on cubes. Weights sum
    to the reference volume. Dimensionless.
    """

    points: np.ndarray  # (q, d)
    weights: np.ndarray  # (q,)
    order: int


def simplex(dim: int, order: int) -> Rule:
    """Return the symmetric rule of order 1 (centroid) or 2 (dim + 1 points).

        order 2:  xi_b = (1 - t)/(d + 1) + t e_b,   t = 1 / sqrt(d + 2),   b = 0 .. d

    Source: [hammer1956] (order 2). Not for masses of quadratic elements: use `conical`.
    """
    volume = 1 / factorial(dim)
    if order == 1:
        return Rule(np.full((1, dim), 1 / (dim + 1)), np.array([volume]), 1)
    if order != 2:
        raise ValueError(
            f"simplex rule: got order={order}; expected simplex({dim}, 1) or 2, above that conical"
        )
    t = 1 / np.sqrt(dim + 2)
    barycentric = (1 - t) / (dim + 1) + t * np.eye(dim + 1)
    return Rule(barycentric[:, 1:], np.full(dim + 1, volume / (dim + 1)), 2)


def conical(dim: int, points: int) -> Rule:
    """Return the conical product rule on the simplex, `points` per direction, order 2 points - 1.

        xi_j = u_j prod_(i < j) (1 - u_i),   dxi = prod_j (1 - u_j)^(d - 1 - j) du,   u in [0, 1]^d

    with Gauss-Jacobi points in each u_j, so all weights are positive. Source: [stroud1971] 2.4. Not
    for energies: it is not symmetric and has many points.
    """
    grid, weights = np.zeros((1, 0)), np.ones(1)
    left = np.ones(1)  # prod (1 - u_i) so far
    for j in range(dim):
        u, w = _jacobi(points, dim - 1 - j)
        grid = np.repeat(grid, points, axis=0)
        at = np.tile(u, len(left))
        left = np.repeat(left, points)
        grid = np.column_stack([grid, at * left])
        weights = np.repeat(weights, points) * np.tile(w, len(weights))
        left = left * (1 - at)
    return Rule(grid, weights, 2 * points - 1)


def _jacobi(points: int, power: int) -> tuple[np.ndarray, np.ndarray]:
    """Gauss points and weights for   integral_0^1 (1 - u)^power f(u) du.

    Source: [golub1969]: eigenvalues of the matrix of the recurrence of the Jacobi polynomials.
    """
    n, a = np.arange(points), float(power)
    k = n[1:]
    # With exponents (a, 0) on [-1, 1].
    beside = (2 * n + a) * (2 * n + a + 2)
    diagonal = -(a**2) / np.maximum(beside, 1.0)  # zero over zero where a = n = 0
    square = 4 * k**2 * (k + a) ** 2 / ((2 * k + a) ** 2 * ((2 * k + a) ** 2 - 1))
    off = np.sqrt(square)
    x, v = np.linalg.eigh(np.diag(diagonal) + np.diag(off, 1) + np.diag(off, -1))
    return (x + 1) / 2, v[0] ** 2 / (power + 1)


def cube(dim: int, points: int) -> Rule:
    """Return the tensor Gauss-Legendre rule with `points` per direction, of order 2 points - 1.

    Source: [hughes2000] section 3.8.
    """
    x, w = np.polynomial.legendre.leggauss(points)
    grid = np.stack(np.meshgrid(*[x] * dim, indexing="ij"), -1).reshape(-1, dim)
    weights = np.prod(np.stack(np.meshgrid(*[w] * dim, indexing="ij"), -1), -1).ravel()
    return Rule(grid, weights, 2 * points - 1)
