# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of a potential given by a picture: cubic B-splines, which are smooth twice."""

from functools import cache
from typing import Any

import warp as wp

from pliant.backend import Ints, Ints2, kernel_types

from .term_kernels import each_kernel, term_kernels

#: Rows and columns that are added around the picture, so that splines reach its outermost pixels.
BORDER = 2


@cache
def picture_kernels(dtype: Any) -> Any:
    """Return value, gradient and Hessian kernels, and that of lengths of moves, as attributes.

    P: coefficients of the spline through the picture, with BORDER more on every side. pixel: its size.
    """
    of = kernel_types(2, dtype)
    vec, mat = of.vec, of.mat
    four = wp.types.vector(length=4, dtype=dtype)
    first, beyond = wp.constant(dtype(BORDER)), wp.constant(BORDER + 1)
    sixth, half = wp.constant(dtype(1.0 / 6.0)), wp.constant(dtype(0.5))
    one, two, three, four_ = (wp.constant(dtype(v)) for v in (1.0, 2.0, 3.0, 4.0))

    @wp.struct
    class Picture:
        P: wp.array2d(dtype=dtype)
        pixel: dtype
        weights: wp.array(dtype=dtype)

    @wp.func(module="unique")
    def basis(t: dtype, order: int):
        # The four splines that reach a place t in [0, 1) between two coefficients, or derivatives.
        s = one - t
        if order == 0:
            return four(
                sixth * s * s * s,
                sixth * (four_ - three * t * t * (two - t)),
                sixth * (four_ - three * s * s * (two - s)),
                sixth * t * t * t,
            )
        if order == 1:
            return four(
                -half * s * s,
                half * t * (three * t - four_),
                -half * s * (three * s - four_),
                half * t * t,
            )
        return four(s, three * t - two, three * s - two, t)

    @wp.func(module="unique")
    def spline(c: Picture, x: vec, across: int, down: int):
        # Beyond the border all is as at the border.
        u, v = x[0] / c.pixel + first, x[1] / c.pixel + first
        u0 = wp.clamp(u, first, dtype(c.P.shape[1] - beyond))
        v0 = wp.clamp(v, first, dtype(c.P.shape[0] - beyond))
        if (u0 != u and across > 0) or (v0 != v and down > 0):
            return dtype(0.0)
        j, i = int(wp.floor(u0)), int(wp.floor(v0))
        a, b = basis(u0 - dtype(j), across), basis(v0 - dtype(i), down)
        total = dtype(0.0)
        for k in range(4):
            line = dtype(0.0)
            for l in range(4):
                line += a[l] * c.P[i - 1 + k, j - 1 + l]
            total += b[k] * line
        return total

    @wp.func(module="unique")
    def value(x: of.Vecs, s: Ints, t: int, c: Picture):
        return c.weights[t] * spline(c, x[s[0]], 0, 0)

    @wp.func(module="unique")
    def gradient(x: of.Vecs, s: Ints, t: int, c: Picture, g: of.Vecs):
        y = x[s[0]]
        slope = vec(spline(c, y, 1, 0), spline(c, y, 0, 1))
        wp.atomic_add(g, s[0], c.weights[t] / c.pixel * slope)

    @wp.func(module="unique")
    def hessian(
        x: of.Vecs, s: Ints, t: int, c: Picture, project: int, slots: Ints2, blocks: of.Mats
    ):
        y = x[s[0]]
        w = c.weights[t] / (c.pixel * c.pixel)
        xx = w * spline(c, y, 2, 0)
        xy = w * spline(c, y, 1, 1)
        yy = w * spline(c, y, 0, 2)
        H = mat(xx, xy, xy, yy)
        if project == 1:
            # Eigenvalues m + r and m - r; what is negative is set to zero.
            m, d = half * (xx + yy), half * (xx - yy)
            r = wp.sqrt(d * d + xy * xy)
            if m + r <= dtype(0.0):
                H = mat()
            elif m - r < dtype(0.0):
                H = (m + r) / (two * r) * mat(r + d, xy, xy, r - d)
        slot = slots[0, 0]
        if slot >= 0:
            wp.atomic_add(blocks, slot, H)

    @wp.func(module="unique")
    def moved(dx: of.Vecs, s: Ints, t: int, c: Picture):
        return wp.length(dx[s[0]])

    run = term_kernels(Picture, 2, dtype, value=value, gradient=gradient, hessian=hessian)
    run.moves = each_kernel(Picture, 2, dtype, moved, wp.float64)
    return run
