# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""A triangle of cloth keeps its threads at right angles."""

from functools import cache
from typing import Any

import numpy as np
import warp as wp

from .base import Condition, ConditionFunctions, edge_types
from .blocks import put_block
from .plane import derivatives, own_coordinates


class Shear(Condition):
    """The threads of cloth stay at right angles:  C = w_u . w_v.

    Parameters: the coefficients of w_u and of w_v, from `derivatives` [1/m]. Source: [baraff1998]
    section 4.3, without the triangle's area, which belongs to the stiffness.
    """

    points, parameters = 3, 4

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> ConditionFunctions:
        """Return (value, gradient, hessian, definite)."""
        edges, square, numbers = edge_types(cls.points, dim, cls.parameters, dtype)
        put = put_block(2, dim, dtype)

        @wp.func(module="unique")
        def value(E: edges, p: numbers):
            return wp.dot(p[0] * E[0] + p[1] * E[1], p[2] * E[0] + p[3] * E[1])

        @wp.func(module="unique")
        def gradient(E: edges, p: numbers):
            u, v = p[0] * E[0] + p[1] * E[1], p[2] * E[0] + p[3] * E[1]
            G = edges()
            G[0] = p[0] * v + p[2] * u
            G[1] = p[1] * v + p[3] * u
            return G

        @wp.func(module="unique")
        def hessian(E: edges, p: numbers):
            one = wp.identity(n=dim, dtype=dtype)
            H = square()
            H = put(H, 0, 0, dtype(2.0) * p[0] * p[2] * one)
            H = put(H, 0, 1, (p[0] * p[3] + p[1] * p[2]) * one)
            H = put(H, 1, 1, dtype(2.0) * p[1] * p[3] * one)
            return H

        @wp.func(module="unique")
        def definite(c: dtype, E: edges, p: numbers):
            # c (a b^T + b a^T) has one positive eigenvalue, for a/|a| + b/|b| or a/|a| - b/|b|.
            a, b = wp.vector(p[0], p[1]), wp.vector(p[2], p[3])
            r = wp.normalize(a) + wp.sign(c) * wp.normalize(b)
            size = dtype(0.5) * wp.abs(c) * wp.length(a) * wp.length(b)
            one = size * wp.identity(n=dim, dtype=dtype)
            H = square()
            H = put(H, 0, 0, r[0] * r[0] * one)
            H = put(H, 0, 1, r[0] * r[1] * one)
            H = put(H, 1, 1, r[1] * r[1] * one)
            return H

        return ConditionFunctions(value, gradient, hessian, definite)

    @classmethod
    def rest(cls, x: np.ndarray) -> np.ndarray:
        """Cloth with u along the first edge."""
        return derivatives(own_coordinates(x)).reshape(-1, 4)
