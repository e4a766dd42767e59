# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""How a term beyond yield resists and flows."""

from functools import cache
from typing import Any, NamedTuple

import warp as wp

from pliant.backend import Ints, Ints2, kernel_types

from .term_kernels import TERM_OPTIONS

#: How much of its stiffness a term has left while it flows.
HARDENING = 0.01
#: Flow below this share of what is elastic is rounding.
BARELY = 1e-12


class Yielding(NamedTuple):
    """Warp functions of n >= 0, how far a term is from rest, and its limit.

    held -> what of n is elastic; work -> the energy over stiffness; slope -> d held / dn.
    """

    held: Any
    work: Any
    slope: Any


@cache
def yielding(dtype: Any) -> Yielding:
    """Return the functions:  held = n,  or  limit + h (n - limit)  beyond it."""
    h = wp.constant(dtype(HARDENING))
    half, one = wp.constant(dtype(0.5)), wp.constant(dtype(1.0))

    @wp.func(module="unique")
    def held(n: dtype, limit: dtype):
        return wp.where(n > limit, limit + h * (n - limit), n)

    @wp.func(module="unique")
    def work(n: dtype, limit: dtype):
        over = n - limit
        if over <= dtype(0.0):
            return half * n * n
        return half * limit * limit + (limit + half * h * over) * over

    @wp.func(module="unique")
    def slope(n: dtype, limit: dtype):
        return wp.where(n > limit, h, one)

    return Yielding(held, work, slope)


def scalar_flow_kernel(constants: Any, departure: Any, dim: int, dtype: Any) -> Any:
    """Return the kernel of the flow of terms whose measure is a number.

    departure(x, s, t, c): how far the term is from where rest has moved to.
    """
    of, Reals = kernel_types(dim, dtype), wp.array(dtype=dtype)
    held, zero = yielding(dtype).held, wp.constant(dtype(0.0))
    # What flowed in the last step is at the limit up to rounding.
    barely = wp.constant(dtype(BARELY if dtype is wp.float64 else 1e-5))

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def flow_terms(
        order: Ints,
        x: of.Vecs,
        stencils: Ints2,
        c: constants,
        before: Reals,
        offset: Reals,
        limit: Reals,
        gone: Reals,
    ):
        t = order[wp.tid()]
        d = departure(x, stencils[t], t, c)
        n = wp.abs(d)
        elastic = held(n, c.limit[t])
        flow = n - elastic
        if flow <= barely * n:
            flow, elastic = zero, n
        offset[t] = c.offset[t] + wp.sign(d) * flow
        limit[t] = wp.max(c.limit[t], elastic)
        gone[t] = before[t] + flow

    return flow_terms
