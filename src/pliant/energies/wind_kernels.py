# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of the air's resistance."""

from functools import cache
from typing import Any

import warp as wp

from pliant.backend import Ints, Ints2, kernel_types

from .drag_constants import drag_constants
from .term_kernels import term_kernels


@cache
def wind_kernels(dim: int, dtype: Any) -> Any:
    """Return value, gradient and Hessian kernels, as attributes.

    A term is one point of one facet. `law` has rho C A/2 across and along the normal [kg/m]. If
    `one_sided`, only wind against the normal counts. u is the wind relative to the point [m/s]. The
    value and the slope of |u|^3/3 at u = wind are subtracted, because the wind on a body at rest is a
    load, and is added there.
    """
    of = kernel_types(dim, dtype)
    vec, Drag = of.vec, drag_constants(dim, dtype)
    zero, two, third = (wp.constant(dtype(v)) for v in (0.0, 2.0, 1.0 / 3.0))

    @wp.func(module="unique")
    def felt(un: dtype, one_sided: int):
        if one_sided == 1:
            un = wp.min(un, zero)
        return un

    @wp.func(module="unique")
    def parted(u: vec, n: vec):
        un = wp.dot(n, u)
        return un, u - un * n

    @wp.func(module="unique")
    def value(x: of.Vecs, s: Ints, t: int, c: Drag):
        p, n = s[0], c.normals[t]
        w = c.wind[p]
        un, a = parted(w - (x[p] - c.before[p]) / c.span, n)
        wn, b = parted(w, n)
        fu, fw = felt(un, c.one_sided), felt(wn, c.one_sided)
        across = third * (wp.abs(fu * fu * fu) - wp.abs(fw * fw * fw)) - wp.abs(fw) * fw * (un - wn)
        total = c.law[t][0] * across
        if c.law[t][1] > zero:
            la, lb = wp.length(a), wp.length(b)
            along = third * (la * la * la - lb * lb * lb) - lb * wp.dot(b, a - b)
            total += c.law[t][1] * along
        return c.span * total

    @wp.func(module="unique")
    def gradient(x: of.Vecs, s: Ints, t: int, c: Drag, g: of.Vecs):
        p, n = s[0], c.normals[t]
        w = c.wind[p]
        un, a = parted(w - (x[p] - c.before[p]) / c.span, n)
        wn, b = parted(w, n)
        fu, fw = felt(un, c.one_sided), felt(wn, c.one_sided)
        push = c.law[t][0] * (wp.abs(fu) * fu - wp.abs(fw) * fw) * n
        if c.law[t][1] > zero:
            push += c.law[t][1] * (wp.length(a) * a - wp.length(b) * b)
        wp.atomic_sub(g, p, push)

    @wp.func(module="unique")
    def hessian(x: of.Vecs, s: Ints, t: int, c: Drag, project: int, slots: Ints2, blocks: of.Mats):
        at = slots[0, 0]
        if at >= 0:
            p, n = s[0], c.normals[t]
            un, a = parted(c.wind[p] - (x[p] - c.before[p]) / c.span, n)
            length = wp.length(a)
            H = two * c.law[t][0] * wp.abs(felt(un, c.one_sided)) * wp.outer(n, n)
            if c.law[t][1] > zero and length > zero:
                across = wp.identity(n=dim, dtype=dtype) - wp.outer(n, n)
                H += c.law[t][1] * (length * across + wp.outer(a, a) / length)
            wp.atomic_add(blocks, at, H / c.span)

    return term_kernels(Drag, dim, dtype, value=value, gradient=gradient, hessian=hessian)
