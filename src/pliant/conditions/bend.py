# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Two triangles that share an edge keep their angle."""

from functools import cache
from typing import Any

import numpy as np
import warp as wp

from .base import Condition, ConditionFunctions, edge_types
from .blocks import cross_matrix, put_block


class Bend(Condition):
    """Two triangles keep the angle at the edge they share:  C = theta - theta_0.

        sin theta = (n_1 x n_2) . e,   cos theta = n_1 . n_2

    Stencil: the two ends of the edge, then the corner opposite it in either triangle, so that flat
    is theta = 0. Parameter: theta_0 [rad]. Source: [baraff1998] section 4.4, with normals and edge
    as they are, not as constants. A triangle without area pushes nowhere. Angles are those
    between -pi and pi of the rest angle: a hinge that goes through itself springs on to the far side.
    """

    points, parameters, dims = 4, 1, (3,)
    gauss_newton = True  # as many steps of a falling sheet as with the projection, in half the time

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> ConditionFunctions:
        """Return (value, gradient, hessian)."""
        edges, square, numbers = edge_types(cls.points, dim, cls.parameters, dtype)
        vec = wp.types.vector(length=dim, dtype=dtype)
        mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
        cross, put = cross_matrix(dtype), put_block(3, 3, dtype)
        zero, pi = wp.constant(dtype(0.0)), wp.constant(dtype(np.pi))

        @wp.func(module="unique")
        def value(E: edges, p: numbers):
            first, second = wp.cross(E[0], E[1]), wp.cross(E[2], E[0])
            sine = wp.dot(wp.cross(first, second), wp.normalize(E[0]))
            c = wp.atan2(sine, wp.dot(first, second)) - p[0]
            if c > pi:
                c -= dtype(2.0) * pi
            if c < -pi:
                c += dtype(2.0) * pi
            return c

        @wp.func(module="unique")
        def lever(N: vec, e: vec):
            # The angle answers to the distance of a corner from the other triangle, over its height.
            square_of = wp.dot(N, N)
            g = vec()
            if square_of > zero:
                g = -wp.length(e) / square_of * N
            return g

        @wp.func(module="unique")
        def gradient(E: edges, p: numbers):
            e = E[0]
            g1, g2 = lever(wp.cross(e, E[1]), e), lever(wp.cross(E[2], e), e)
            G = edges()
            scale = wp.dot(e, e)
            if scale > zero:
                # The end of the edge moves the feet of both heights, by their shares of the edge.
                G[0] = -(wp.dot(e, E[1]) * g1 + wp.dot(e, E[2]) * g2) / scale
                G[1] = g1
                G[2] = g2
            return G

        @wp.func(module="unique")
        def turned(N: vec, e: vec):
            # d(N / |N|^2)/dN times -|e|
            square_of = wp.dot(N, N)
            n = N / wp.sqrt(square_of)
            one = wp.identity(n=dim, dtype=dtype)
            return -wp.length(e) / square_of * (one - dtype(2.0) * wp.outer(n, n))

        @wp.func(module="unique")
        def foot(e: vec, other: vec, g: vec, to_end: mat):
            # -d(share g)/de, share = e . other / |e|^2
            scale = wp.dot(e, e)
            share = wp.dot(e, other) / scale
            return -share * to_end - wp.outer(g, (other - dtype(2.0) * share * e) / scale)

        @wp.func(module="unique")
        def hessian(E: edges, p: numbers):
            H = square()
            e, a, b = E[0], E[1], E[2]
            first, second = wp.cross(e, a), wp.cross(b, e)
            if wp.dot(first, first) > zero and wp.dot(second, second) > zero:
                g1, g2 = lever(first, e), lever(second, e)
                Q1, Q2 = turned(first, e), turned(second, e)
                unit = e / wp.dot(e, e)
                # first = e x a and second = b x e change by -[a] de + [e] da and [b] de - [e] db
                to_end1 = wp.outer(g1, unit) - Q1 @ cross(a)
                to_end2 = wp.outer(g2, unit) + Q2 @ cross(b)
                ends = foot(e, a, g1, to_end1) + foot(e, b, g2, to_end2)
                H = put(H, 0, 0, dtype(0.5) * (ends + wp.transpose(ends)))
                H = put(H, 1, 0, to_end1)
                H = put(H, 2, 0, to_end2)
                own1, own2 = Q1 @ cross(e), -Q2 @ cross(e)
                H = put(H, 1, 1, dtype(0.5) * (own1 + wp.transpose(own1)))
                H = put(H, 2, 2, dtype(0.5) * (own2 + wp.transpose(own2)))
            return H

        return ConditionFunctions(value, gradient, hessian)

    @classmethod
    def rest(cls, x: np.ndarray) -> np.ndarray:
        """The angles [rad]."""
        e, a, b = (x[:, i] - x[:, 0] for i in (1, 2, 3))
        first, second = np.cross(e, a), np.cross(b, e)
        unit = e / np.linalg.norm(e, axis=1, keepdims=True)
        sine = np.einsum("si,si->s", np.cross(first, second), unit)
        return np.arctan2(sine, np.einsum("si,si->s", first, second))[:, None]
