# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of springs."""

from functools import cache
from typing import Any

import warp as wp

from pliant.energies.term_kernels import term_kernels, term_types


@cache
def spring_kernels(dim: int, dtype: Any) -> Any:
    """Return value, gradient and Hessian kernels, as attributes."""
    of = term_types(dim, dtype)
    vec = of.vec
    zero, one, half, quarter, three = (wp.constant(dtype(v)) for v in (0.0, 1.0, 0.5, 0.25, 3.0))
    barely = wp.constant(dtype(1.0 + 1e-7))

    @wp.struct
    class Springs:
        k: wp.array(dtype=dtype)
        rest: wp.array(dtype=dtype)
        stiffening: dtype
        pulls_only: int

    @wp.func(module="unique")
    def stretched(length: dtype, t: int, c: Springs):
        d = length - c.rest[t]
        if c.pulls_only == 1 and d < zero:
            d = zero
        return d

    @wp.func(module="unique")
    def value(x: of.points, s: of.stencil, t: int, c: Springs):
        d = stretched(wp.length(x[s[1]] - x[s[0]]), t, c)
        e = d / c.rest[t]
        return c.k[t] * d * d * (half + quarter * c.stiffening * e * e)

    @wp.func(module="unique")
    def gradient(x: of.points, s: of.stencil, t: int, c: Springs, g: of.points):
        u = x[s[1]] - x[s[0]]
        length = wp.length(u)
        d = stretched(length, t, c)
        e = d / c.rest[t]
        if length > zero:  # two points in one place push each other nowhere
            f = c.k[t] * d * (one + c.stiffening * e * e) / length * u
            wp.atomic_sub(g, s[0], f)
            wp.atomic_add(g, s[1], f)

    @wp.func(module="unique")
    def hessian(
        x: of.points,
        s: of.stencil,
        t: int,
        c: Springs,
        project: int,
        slots: of.slots,
        blocks: of.blocks,
    ):
        u = x[s[1]] - x[s[0]]
        length = wp.length(u)
        d = stretched(length, t, c)
        e = d / c.rest[t]
        along = c.k[t] * (one + three * c.stiffening * e * e)
        if c.pulls_only == 1:
            # Just taut, a string resists one way only: for a search it does, for stability it does not.
            slack = c.rest[t]
            if project == 0:
                slack = barely * c.rest[t]
            if length < slack:
                along = zero
        across = zero
        n = vec()
        if length > zero:
            n = u / length
            across = c.k[t] * d * (one + c.stiffening * e * e) / length
        # The eigenvalues of a spring's Hessian are twice these two and zeros.
        if project == 1:
            across = wp.max(across, zero)
        own = across * wp.identity(n=dim, dtype=dtype) + (along - across) * wp.outer(n, n)
        for a in range(2):
            for b in range(2):
                at = slots[a, b]
                if at >= 0:
                    if a == b:
                        wp.atomic_add(blocks, at, own)
                    else:
                        wp.atomic_sub(blocks, at, own)

    return term_kernels(Springs, dim, dtype, value=value, gradient=gradient, hessian=hessian)
