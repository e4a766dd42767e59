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

    Source: [hammer1956] (order 2). Not for quadratic elements, whose mass needs order 4.
    """
    volume = 1 / factorial(dim)
    if order == 1:
        return Rule(np.full((1, dim), 1 / (dim + 1)), np.array([volume]), 1)
    if order != 2:
        raise ValueError(f"simplex rule: got order={order}; expected simplex({dim}, 1) or 2")
    t = 1 / np.sqrt(dim + 2)
    barycentric = (1 - t) / (dim + 1) + t * np.eye(dim + 1)
    return Rule(barycentric[:, 1:], np.full(dim + 1, volume / (dim + 1)), 2)


def cube(dim: int, points: int) -> Rule:
    """Return the tensor Gauss-Legendre rule with `points` per direction, of order 2 points - 1.

    Source: [hughes2000] section 3.8.
    """
    x, w = np.polynomial.legendre.leggauss(points)
    grid = np.stack(np.meshgrid(*[x] * dim, indexing="ij"), -1).reshape(-1, dim)
    weights = np.prod(np.stack(np.meshgrid(*[w] * dim, indexing="ij"), -1), -1).ravel()
    return Rule(grid, weights, 2 * points - 1)
