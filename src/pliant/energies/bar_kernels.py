# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of bars: a material pulled in one direction and free to contract across it."""

from functools import cache
from typing import Any

import warp as wp

from pliant.backend import Ints, Ints2, kernel_types
from pliant.materials import Material

from .axial import axial
from .term_kernels import each_kernel, term_kernels

#: Between these a section may shrink or grow, as a factor on its sides.
THINNEST, THICKEST = 1e-3, 1e1
#: Halvings of that range, at most; Newton's method needs some five.
NEWTON_ROUNDS = 60


@cache
def bar_kernels(material: type[Material], dim: int, dtype: Any) -> Any:
    """Return value, gradient and Hessian kernels, and that of stiffness at rest, as attributes."""
    of, two = kernel_types(dim, dtype), axial(dim, dtype)
    vec, pull, resist = of.vec, two.pull, two.resist
    mat = wp.types.matrix(shape=(3, 3), dtype=dtype)
    psi, stress, dstress = material.functions(3, dtype)
    lam_type = material.lam_type(3, dtype)
    zero, one, half = (wp.constant(dtype(v)) for v in (0.0, 1.0, 0.5))
    thinnest, thickest = wp.constant(dtype(THINNEST)), wp.constant(dtype(THICKEST))
    rounding, flat = wp.constant(dtype(1e-14)), wp.constant(dtype(1e-6))
    rounds = wp.constant(NEWTON_ROUNDS)

    @wp.struct
    class Bars:
        rest: wp.array(dtype=dtype)  # lengths [m]
        section: dtype  # [m^2]
        lam: wp.array(dtype=lam_type)
        mu: wp.array(dtype=dtype)

    @wp.func(module="unique")
    def gradient_of(along: dtype, across: dtype):
        return mat(along, zero, zero, zero, across, zero, zero, zero, across)

    @wp.func(module="unique")
    def across_of(stretch: dtype, lam: lam_type, mu: dtype):
        """The stretch across at which nothing pulls there."""
        low = thinnest
        high = thickest
        m = one
        for _ in range(rounds):
            F = gradient_of(stretch, m)
            r = stress(F, lam, mu)[1, 1]
            if r > zero:
                high = m
            else:
                low = m
            slope = dstress(F, gradient_of(zero, one), lam, mu)[1, 1]
            new = half * (low + high)
            if slope > zero and m - r / slope > low and m - r / slope < high:
                new = m - r / slope
            if wp.abs(new - m) <= rounding:
                break
            m = new
        return m

    @wp.func(module="unique")
    def stiffness(stretch: dtype, m: dtype, lam: lam_type, mu: dtype):
        """dP11 / dstretch [Pa], the section following."""
        F = gradient_of(stretch, m)
        lengthened = dstress(F, gradient_of(one, zero), lam, mu)
        widened = dstress(F, gradient_of(zero, one), lam, mu)
        found = lengthened[0, 0]
        if m > thinnest and m < thickest and widened[1, 1] > zero:
            found -= widened[0, 0] * lengthened[1, 1] / widened[1, 1]
        return found

    @wp.func(module="unique")
    def stretch_of(x: of.Vecs, s: Ints, t: int, c: Bars):
        return wp.max(wp.length(x[s[1]] - x[s[0]]) / c.rest[t], flat)

    @wp.func(module="unique")
    def value(x: of.Vecs, s: Ints, t: int, c: Bars):
        stretch = stretch_of(x, s, t, c)
        m = across_of(stretch, c.lam[t], c.mu[t])
        return c.section * c.rest[t] * psi(gradient_of(stretch, m), c.lam[t], c.mu[t])

    @wp.func(module="unique")
    def force(stretch: dtype, t: int, c: Bars):
        m = across_of(stretch, c.lam[t], c.mu[t])
        return c.section * stress(gradient_of(stretch, m), c.lam[t], c.mu[t])[0, 0]

    @wp.func(module="unique")
    def gradient(x: of.Vecs, s: Ints, t: int, c: Bars, g: of.Vecs):
        u = x[s[1]] - x[s[0]]
        length = wp.length(u)
        if length > zero:
            pull(force(stretch_of(x, s, t, c), t, c) / length * u, s, g)

    @wp.func(module="unique")
    def hessian(x: of.Vecs, s: Ints, t: int, c: Bars, project: int, slots: Ints2, blocks: of.Mats):
        u = x[s[1]] - x[s[0]]
        length = wp.length(u)
        stretch = stretch_of(x, s, t, c)
        m = across_of(stretch, c.lam[t], c.mu[t])
        along = c.section / c.rest[t] * stiffness(stretch, m, c.lam[t], c.mu[t])
        across = zero
        n = vec()
        if length > zero:
            n = u / length
            across = force(stretch, t, c) / length
        if project == 1:
            along = wp.max(along, zero)
            across = wp.max(across, zero)
        resist(n, along, across, slots, blocks)

    @wp.func(module="unique")
    def at_rest(x: of.Vecs, s: Ints, t: int, c: Bars):
        return c.section / c.rest[t] * stiffness(one, one, c.lam[t], c.mu[t])

    kernels = term_kernels(Bars, dim, dtype, value=value, gradient=gradient, hessian=hessian)
    kernels.at_rest = each_kernel(Bars, dim, dtype, at_rest, wp.float64)
    return kernels
