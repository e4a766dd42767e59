# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of springs."""

from functools import cache
from typing import Any

import warp as wp

from pliant.backend import Ints, Ints2, kernel_types

from .axial import axial
from .flowing_kernels import scalar_flow_kernel, yielding
from .term_kernels import each_kernel, term_kernels


@cache
def spring_kernels(dim: int, dtype: Any) -> Any:
    """Return value, gradient and Hessian kernels, as attributes."""
    of, two = kernel_types(dim, dtype), axial(dim, dtype)
    vec, pull, resist = of.vec, two.pull, two.resist
    zero, one, half, quarter, three = (wp.constant(dtype(v)) for v in (0.0, 1.0, 0.5, 0.25, 3.0))
    barely = wp.constant(dtype(1.0 + 1e-7))
    held, work, slope = yielding(dtype)

    @wp.struct
    class Springs:
        k: wp.array(dtype=dtype)
        rest: wp.array(dtype=dtype)
        offset: wp.array(dtype=dtype)
        limit: wp.array(dtype=dtype)
        stiffening: dtype
        pulls_only: int

    @wp.func(module="unique")
    def stretched(length: dtype, t: int, c: Springs):
        d = length - c.rest[t] - c.offset[t]
        if c.pulls_only == 1 and d < zero:
            d = zero
        return d

    @wp.func(module="unique")
    def value(x: of.Vecs, s: Ints, t: int, c: Springs):
        d = stretched(wp.length(x[s[1]] - x[s[0]]), t, c)
        if wp.abs(d) > c.limit[t]:
            return c.k[t] * work(wp.abs(d), c.limit[t])
        e = d / c.rest[t]
        return c.k[t] * d * d * (half + quarter * c.stiffening * e * e)

    @wp.func(module="unique")
    def gradient(x: of.Vecs, s: Ints, t: int, c: Springs, g: of.Vecs):
        u = x[s[1]] - x[s[0]]
        length = wp.length(u)
        d = stretched(length, t, c)
        d = wp.sign(d) * held(wp.abs(d), c.limit[t])
        e = d / c.rest[t]
        if length > zero:  # two points in one place push each other nowhere
            pull(c.k[t] * d * (one + c.stiffening * e * e) / length * u, s, g)

    @wp.func(module="unique")
    def hessian(
        x: of.Vecs, s: Ints, t: int, c: Springs, project: int, slots: Ints2, blocks: of.Mats
    ):
        u = x[s[1]] - x[s[0]]
        length = wp.length(u)
        d = stretched(length, t, c)
        softened = slope(wp.abs(d), c.limit[t])
        d = wp.sign(d) * held(wp.abs(d), c.limit[t])
        e = d / c.rest[t]
        along = softened * c.k[t] * (one + three * c.stiffening * e * e)
        if c.pulls_only == 1:
            # Just taut, a string resists one way only: for a search it does, for stability it does not.
            slack = c.rest[t] + c.offset[t]
            if project == 0:
                slack = barely * slack
            if length < slack:
                along = zero
        across = zero
        n = vec()
        if length > zero:
            n = u / length
            across = c.k[t] * d * (one + c.stiffening * e * e) / length
        if project == 1:
            across = wp.max(across, zero)
        resist(n, along, across, slots, blocks)

    @wp.func(module="unique")
    def departure(x: of.Vecs, s: Ints, t: int, c: Springs):
        return stretched(wp.length(x[s[1]] - x[s[0]]), t, c)

    @wp.func(module="unique")
    def whole(x: of.Vecs, s: Ints, t: int, c: Springs):
        return wp.length(x[s[1]] - x[s[0]]) - c.rest[t]

    run = term_kernels(Springs, dim, dtype, value=value, gradient=gradient, hessian=hessian)
    run.flow = scalar_flow_kernel(Springs, departure, dim, dtype)
    run.departure = each_kernel(Springs, dim, dtype, whole, dtype)
    return run
