# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The barrier as a function of a distance, and the mollifier of edges."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from .closest import EDGE_EDGE, closest


@cache
def barrier_functions() -> Any:
    """Return b(y) = -(y - 1)^2 ln y and two derivatives for 0 < y < 1, as Warp functions."""
    real = wp.float64
    one, two, four = (wp.constant(real(v)) for v in (1.0, 2.0, 4.0))

    @wp.func(module="unique")
    def barrier(y: real):
        return -(y - one) * (y - one) * wp.log(y)

    @wp.func(module="unique")
    def barrier_slope(y: real):
        return (one - y) * (two * wp.log(y) - (one - y) / y)

    @wp.func(module="unique")
    def barrier_bend(y: real):
        z = (one - y) / y
        return -two * wp.log(y) + four * z + z * z

    return SimpleNamespace(value=barrier, slope=barrier_slope, bend=barrier_bend)


@cache
def mollifier(dim: int) -> Any:
    """Return Warp functions of the mollifier of two edges, as attributes.

        m(c) = c/e (2 - c/e) for c < e, else 1,      c = |(x1 - x0) x (x3 - x2)|^2

    It makes the barrier of edges smooth where they are parallel: there the closest points jump.
    `mollify(x, kind, s, e)` is y = c/e, or 1 for all other pairs; `gradient(x, s, a)` is dc/dx_a. In
    the plane there are no pairs of edges. Source: [li2020] (24).
    """
    real, vec = wp.float64, closest(dim).vec
    one, two = wp.constant(real(1.0)), wp.constant(real(2.0))
    EDGES = wp.constant(EDGE_EDGE)
    if dim == 2:

        @wp.func(module="unique")
        def mollify(x: wp.array(dtype=vec), kind: int, s: wp.vec4i, e: real):
            return one

        @wp.func(module="unique")
        def gradient(x: wp.array(dtype=vec), s: wp.vec4i, a: int):
            return vec()

        return SimpleNamespace(mollify=mollify, gradient=gradient)

    @wp.func(module="unique")
    def mollify(x: wp.array(dtype=vec), kind: int, s: wp.vec4i, e: real):
        y = one
        if kind == EDGES:
            c = wp.length_sq(wp.cross(x[s[1]] - x[s[0]], x[s[3]] - x[s[2]]))
            if c < e:
                y = c / e
        return y

    @wp.func(module="unique")
    def gradient(x: wp.array(dtype=vec), s: wp.vec4i, a: int):
        u, v = x[s[1]] - x[s[0]], x[s[3]] - x[s[2]]
        n = two * wp.cross(u, v)
        out = wp.cross(v, n)
        if a >= 2:
            out = wp.cross(n, u)
        if a % 2 == 0:
            out = -out
        return out

    return SimpleNamespace(mollify=mollify, gradient=gradient)
