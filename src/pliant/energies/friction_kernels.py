# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of friction."""

from functools import cache
from typing import Any

import warp as wp

from pliant.backend import Ints, Ints2, kernel_types

from .drag_constants import drag_constants
from .term_kernels import term_kernels


@cache
def friction_kernels(dim: int, dtype: Any) -> Any:
    """Return value, gradient and Hessian kernels, as attributes.

    `law` has the strength mu N [N] and the speed [m/s] below which friction is viscous. The constants
    for wind and for one-sided facets are not used.
    """
    of = kernel_types(dim, dtype)
    vec, Drag = of.vec, drag_constants(dim, dtype)
    zero = wp.constant(dtype(0.0))

    @wp.func(module="unique")
    def sliding(x: vec, p: int, t: int, c: Drag):
        n = c.normals[t]
        u = (x - c.before[p]) / c.span
        return u - wp.dot(n, u) * n

    @wp.func(module="unique")
    def value(x: of.Vecs, s: Ints, t: int, c: Drag):
        slow = c.law[t][1]
        u = sliding(x[s[0]], s[0], t, c)
        speed = wp.sqrt(wp.dot(u, u) + slow * slow)
        return c.span * c.law[t][0] * (speed - slow)

    @wp.func(module="unique")
    def gradient(x: of.Vecs, s: Ints, t: int, c: Drag, g: of.Vecs):
        strength, slow = c.law[t][0], c.law[t][1]
        if strength > zero:
            u = sliding(x[s[0]], s[0], t, c)
            wp.atomic_add(g, s[0], strength / wp.sqrt(wp.dot(u, u) + slow * slow) * u)

    @wp.func(module="unique")
    def hessian(x: of.Vecs, s: Ints, t: int, c: Drag, project: int, slots: Ints2, blocks: of.Mats):
        at = slots[0, 0]
        strength, slow = c.law[t][0], c.law[t][1]
        if at >= 0 and strength > zero:
            n = c.normals[t]
            u = sliding(x[s[0]], s[0], t, c)
            speed = wp.sqrt(wp.dot(u, u) + slow * slow)
            H = wp.identity(n=dim, dtype=dtype) - wp.outer(n, n) - wp.outer(u, u) / (speed * speed)
            wp.atomic_add(blocks, at, strength / (speed * c.span) * H)

    return term_kernels(Drag, dim, dtype, value=value, gradient=gradient, hessian=hessian)
