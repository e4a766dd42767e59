# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Two points keep their distance."""

from functools import cache
from typing import Any

import numpy as np
import warp as wp

from .base import Condition, ConditionFunctions, edge_types


class Distance(Condition):
    """Two points keep their distance:  C = |x_1 - x_0| / L - 1.

    Parameter: L, the rest length [m]. Source: [teschner2004]. Two points in one place push each
    other nowhere.
    """

    points, parameters, straight = 2, 1, True

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> ConditionFunctions:
        """Return (value, gradient, hessian, definite)."""
        edges, square, numbers = edge_types(cls.points, dim, cls.parameters, dtype)

        @wp.func(module="unique")
        def value(E: edges, p: numbers):
            return wp.length(E[0]) / p[0] - dtype(1.0)

        @wp.func(module="unique")
        def gradient(E: edges, p: numbers):
            G = edges()
            G[0] = wp.normalize(E[0]) / p[0]
            return G

        @wp.func(module="unique")
        def hessian(E: edges, p: numbers):
            H = square()
            length = wp.length(E[0])
            if length > dtype(0.0):
                n = E[0] / length
                H = (wp.identity(n=dim, dtype=dtype) - wp.outer(n, n)) / (length * p[0])
            return H

        @wp.func(module="unique")
        def definite(c: dtype, E: edges, p: numbers):
            # Across the edge it is semi-definite, and along it there is nothing.
            return wp.max(c, dtype(0.0)) * hessian(E, p)

        return ConditionFunctions(value, gradient, hessian, definite)

    @classmethod
    def rest(cls, x: np.ndarray) -> np.ndarray:
        """The lengths [m]."""
        return np.linalg.norm(x[:, 1] - x[:, 0], axis=1)[:, None]
