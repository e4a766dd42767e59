# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of faces that come apart."""

from functools import cache
from typing import Any

import warp as wp

from pliant.backend import Ints, Ints2, kernel_types

from .axial import axial
from .term_kernels import each_kernel, term_kernels


@cache
def cohesive_kernels(dim: int, dtype: Any) -> Any:
    """Return value, gradient and Hessian kernels, and that of openings, as attributes."""
    of, two = kernel_types(dim, dtype), axial(dim, dtype)
    vec, pull, add, resist = of.vec, two.pull, two.add, two.resist
    zero, half = wp.constant(dtype(0.0)), wp.constant(dtype(0.5))

    @wp.struct
    class Faces:
        area: wp.array(dtype=dtype)
        strength: wp.array(dtype=dtype)
        yields: wp.array(dtype=dtype)
        parts: wp.array(dtype=dtype)
        most: wp.array(dtype=dtype)
        normal: wp.array(dtype=vec)
        arrested: int

    @wp.func(module="unique")
    def secant(t: int, c: Faces):
        m = wp.min(c.most[t], c.parts[t])
        return c.strength[t] * (c.parts[t] - m) / ((c.parts[t] - c.yields[t]) * m)

    @wp.func(module="unique")
    def pressed(d: vec, t: int, c: Faces):
        """How far its sides are inside of each other."""
        if c.most[t] >= c.parts[t]:
            return zero
        return wp.min(wp.dot(d, c.normal[t]), zero)

    @wp.func(module="unique")
    def opening(x: of.Vecs, s: Ints, t: int, c: Faces):
        d = x[s[1]] - x[s[0]]
        return wp.length(d - pressed(d, t, c) * c.normal[t])

    @wp.func(module="unique")
    def softens(r: dtype, t: int, c: Faces):
        """Whether it is further apart than ever before."""
        return r > c.most[t] and c.arrested == 0

    @wp.func(module="unique")
    def value(x: of.Vecs, s: Ints, t: int, c: Faces):
        d = x[s[1]] - x[s[0]]
        inside = pressed(d, t, c)
        r = wp.length(d - inside * c.normal[t])
        m = wp.min(c.most[t], c.parts[t])
        near = r
        if softens(r, t, c):
            near = m
        work = half * secant(t, c) * near * near
        if r > near:
            left, then = c.parts[t] - m, c.parts[t] - wp.min(r, c.parts[t])
            work += half * c.strength[t] / (c.parts[t] - c.yields[t]) * (left * left - then * then)
        return c.area[t] * (work + half * c.strength[t] / c.yields[t] * inside * inside)

    @wp.func(module="unique")
    def traction(r: dtype, t: int, c: Faces):
        if not softens(r, t, c):
            return secant(t, c) * r
        return c.strength[t] * wp.max(c.parts[t] - r, zero) / (c.parts[t] - c.yields[t])

    @wp.func(module="unique")
    def gradient(x: of.Vecs, s: Ints, t: int, c: Faces, g: of.Vecs):
        d = x[s[1]] - x[s[0]]
        inside = pressed(d, t, c)
        out = d - inside * c.normal[t]
        r = wp.length(out)
        f = c.strength[t] / c.yields[t] * inside * c.normal[t]
        if r > zero:
            f += traction(r, t, c) / r * out
        pull(c.area[t] * f, s, g)

    @wp.func(module="unique")
    def hessian(x: of.Vecs, s: Ints, t: int, c: Faces, project: int, slots: Ints2, blocks: of.Mats):
        d = x[s[1]] - x[s[0]]
        inside = pressed(d, t, c)
        out = d - inside * c.normal[t]
        r = wp.length(out)
        along = secant(t, c)
        across = along
        n = vec()
        if softens(r, t, c):
            along = zero
            if r < c.parts[t] and project == 0:
                along = -c.strength[t] / (c.parts[t] - c.yields[t])
            across = traction(r, t, c) / r
        if r > zero:
            n = out / r
        if inside < zero:
            closed(c.normal[t], n, c.area[t] * along, c.area[t] * across,
                   c.area[t] * c.strength[t] / c.yields[t], slots, blocks)  # fmt: skip
        else:
            resist(n, c.area[t] * along, c.area[t] * across, slots, blocks)

    @wp.func(module="unique")
    def closed(
        normal: vec,
        n: vec,
        along: dtype,
        across: dtype,
        stiff: dtype,
        slots: Ints2,
        blocks: of.Mats,
    ):
        """Add the Hessian where the sides are pressed together and slide along n."""
        level = wp.identity(n=dim, dtype=dtype) - wp.outer(normal, normal)
        own = stiff * wp.outer(normal, normal) + across * level + (along - across) * wp.outer(n, n)
        add(own, slots, blocks)

    run = term_kernels(Faces, dim, dtype, value=value, gradient=gradient, hessian=hessian)
    run.opening = each_kernel(Faces, dim, dtype, opening, wp.float64)
    return run
