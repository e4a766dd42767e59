# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""A triangle keeps its area."""

from functools import cache
from typing import Any

import numpy as np
import warp as wp

from .base import Condition, ConditionFunctions, edge_types
from .blocks import cross_matrix, put_block


class Area(Condition):
    """A triangle keeps its area:  C = A(x) / A0 - 1,   A = |(x_1 - x_0) x (x_2 - x_0)| / 2.

    Parameter: A0 [m^2]. In the plane areas have a sign, so a triangle that was turned over is
    pushed back. Source: [teschner2004]. A triangle of no area pushes nowhere.
    """

    points, parameters = 3, 1

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> ConditionFunctions:
        """Return (value, gradient, hessian)."""
        return (_planar if dim == 2 else _spatial)(cls, dtype)

    @classmethod
    def rest(cls, x: np.ndarray) -> np.ndarray:
        """The areas [m^2], signed in the plane."""
        a, b = x[:, 1] - x[:, 0], x[:, 2] - x[:, 0]
        if x.shape[2] == 2:
            return (a[:, :1] * b[:, 1:] - a[:, 1:] * b[:, :1]) / 2
        return np.linalg.norm(np.cross(a, b), axis=1)[:, None] / 2


def _planar(cls: type[Area], dtype: Any) -> ConditionFunctions:
    edges, square, numbers = edge_types(cls.points, 2, cls.parameters, dtype)

    @wp.func(module="unique")
    def value(E: edges, p: numbers):
        return (E[0, 0] * E[1, 1] - E[0, 1] * E[1, 0]) / (dtype(2.0) * p[0]) - dtype(1.0)

    @wp.func(module="unique")
    def gradient(E: edges, p: numbers):
        return edges(E[1, 1], -E[1, 0], -E[0, 1], E[0, 0]) / (dtype(2.0) * p[0])

    @wp.func(module="unique")
    def hessian(E: edges, p: numbers):
        H, half = square(), dtype(0.5) / p[0]
        H[0, 3] = half
        H[3, 0] = half
        H[1, 2] = -half
        H[2, 1] = -half
        return H

    return ConditionFunctions(value, gradient, hessian)


def _spatial(cls: type[Area], dtype: Any) -> ConditionFunctions:
    edges, square, numbers = edge_types(cls.points, 3, cls.parameters, dtype)
    cross, put = cross_matrix(dtype), put_block(2, 3, dtype)

    @wp.func(module="unique")
    def value(E: edges, p: numbers):
        return wp.length(wp.cross(E[0], E[1])) / (dtype(2.0) * p[0]) - dtype(1.0)

    @wp.func(module="unique")
    def gradient(E: edges, p: numbers):
        n = wp.normalize(wp.cross(E[0], E[1])) / (dtype(2.0) * p[0])
        G = edges()
        G[0] = wp.cross(E[1], n)
        G[1] = wp.cross(n, E[0])
        return G

    @wp.func(module="unique")
    def hessian(E: edges, p: numbers):
        H = square()
        N = wp.cross(E[0], E[1])
        size = wp.length(N)
        if size > dtype(0.0):
            # |N|'' = N'^T (I - n n^T) N' / |N| + n . N'',   N' = (-[b], [a]),   a, b the edges
            half = dtype(0.5) / p[0]
            n = N / size
            across = half / size * (wp.identity(n=3, dtype=dtype) - wp.outer(n, n))
            a, b = cross(E[0]), cross(E[1])
            H = put(H, 0, 0, wp.transpose(b) @ across @ b)
            H = put(H, 0, 1, -wp.transpose(b) @ across @ a - half * cross(n))
            H = put(H, 1, 1, wp.transpose(a) @ across @ a)
        return H

    return ConditionFunctions(value, gradient, hessian)
