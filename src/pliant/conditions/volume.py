# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""A tetrahedron keeps its volume."""

from functools import cache
from typing import Any

import numpy as np
import warp as wp

from .base import Condition, ConditionFunctions, edge_types
from .blocks import cross_matrix, put_block


class Volume(Condition):
    """A tetrahedron keeps its volume:  C = a . (b x c) / (6 V0) - 1,   a, b, c the edges from x_0.

    Parameter: V0 [m^3]. Volumes have a sign, so a tetrahedron that was turned inside out is pushed
    back. Source: [teschner2004].
    """

    points, parameters, dims = 4, 1, (3,)

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> ConditionFunctions:
        """Return (value, gradient, hessian)."""
        edges, square, numbers = edge_types(cls.points, dim, cls.parameters, dtype)
        cross, put = cross_matrix(dtype), put_block(3, 3, dtype)

        @wp.func(module="unique")
        def value(E: edges, p: numbers):
            return wp.dot(E[0], wp.cross(E[1], E[2])) / (dtype(6.0) * p[0]) - dtype(1.0)

        @wp.func(module="unique")
        def gradient(E: edges, p: numbers):
            G = edges()
            G[0] = wp.cross(E[1], E[2])
            G[1] = wp.cross(E[2], E[0])
            G[2] = wp.cross(E[0], E[1])
            return G / (dtype(6.0) * p[0])

        @wp.func(module="unique")
        def hessian(E: edges, p: numbers):
            H, sixth = square(), dtype(1.0) / (dtype(6.0) * p[0])
            H = put(H, 0, 1, -sixth * cross(E[2]))
            H = put(H, 0, 2, sixth * cross(E[1]))
            H = put(H, 1, 2, -sixth * cross(E[0]))
            return H

        return ConditionFunctions(value, gradient, hessian)

    @classmethod
    def rest(cls, x: np.ndarray) -> np.ndarray:
        """The volumes [m^3], negative where the order of the points is left-handed."""
        a, b, c = (x[:, i] - x[:, 0] for i in (1, 2, 3))
        return (np.einsum("si,si->s", a, np.cross(b, c)) / 6)[:, None]
