# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""A triangle of cloth is not stretched along one direction."""

from functools import cache
from typing import Any

import numpy as np
import warp as wp

from .base import Condition, ConditionFunctions, edge_types
from .blocks import put_block
from .plane import derivatives, own_coordinates


class Stretch(Condition):
    """Cloth is as long along u (or v) as it should be:  C = |w_u| - b,   w_u = d_1 e_1 + d_2 e_2.

    Parameters: d_1, d_2 [1/m], from `derivatives`, and the rest stretch b [-], 1 for plain cloth.
    Source: [baraff1998] (10), without the triangle's area, which belongs to the stiffness. A triangle
    without length along u pushes nowhere.
    """

    points, parameters, straight = 3, 3, True

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> ConditionFunctions:
        """Return (value, gradient, hessian, definite)."""
        edges, square, numbers = edge_types(cls.points, dim, cls.parameters, dtype)
        put = put_block(2, dim, dtype)

        @wp.func(module="unique")
        def value(E: edges, p: numbers):
            return wp.length(p[0] * E[0] + p[1] * E[1]) - p[2]

        @wp.func(module="unique")
        def gradient(E: edges, p: numbers):
            n = wp.normalize(p[0] * E[0] + p[1] * E[1])
            G = edges()
            G[0] = p[0] * n
            G[1] = p[1] * n
            return G

        @wp.func(module="unique")
        def hessian(E: edges, p: numbers):
            H = square()
            w = p[0] * E[0] + p[1] * E[1]
            size = wp.length(w)
            if size > dtype(0.0):
                n = w / size
                across = (wp.identity(n=dim, dtype=dtype) - wp.outer(n, n)) / size
                H = put(H, 0, 0, p[0] * p[0] * across)
                H = put(H, 0, 1, p[0] * p[1] * across)
                H = put(H, 1, 1, p[1] * p[1] * across)
            return H

        @wp.func(module="unique")
        def definite(c: dtype, E: edges, p: numbers):
            # Across the thread it is semi-definite, and along it there is nothing.
            return wp.max(c, dtype(0.0)) * hessian(E, p)

        return ConditionFunctions(value, gradient, hessian, definite)

    @classmethod
    def rest(cls, x: np.ndarray) -> np.ndarray:
        """Plain cloth with u along the first edge."""
        d = derivatives(own_coordinates(x))[:, 0]
        return np.concatenate([d, np.ones((len(x), 1))], axis=1)
