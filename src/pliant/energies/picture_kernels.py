# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of a potential given by a picture: cubic B-splines, which are smooth twice."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.energies.solid_kernels import OPTIONS

#: Rows and columns that are added around the picture, so that splines reach its outermost pixels.
BORDER = 2


@cache
def picture_kernels(dtype: Any) -> Any:
    """Return value, gradient and Hessian kernels as attributes.

    P: coefficients of the spline through the picture, with BORDER more on every side. pixel: its size.
    """
    vec = wp.types.vector(length=2, dtype=dtype)
    mat = wp.types.matrix(shape=(2, 2), dtype=dtype)
    four = wp.types.vector(length=4, dtype=dtype)
    first, beyond = wp.constant(dtype(BORDER)), wp.constant(BORDER + 1)
    sixth, half = wp.constant(dtype(1.0 / 6.0)), wp.constant(dtype(0.5))
    one, two, three, four_ = (wp.constant(dtype(v)) for v in (1.0, 2.0, 3.0, 4.0))

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
    def spline(P: wp.array2d(dtype=dtype), pixel: dtype, x: vec, across: int, down: int):
        # Beyond the border all is as at the border.
        u, v = x[0] / pixel + first, x[1] / pixel + first
        u0 = wp.clamp(u, first, dtype(P.shape[1] - beyond))
        v0 = wp.clamp(v, first, dtype(P.shape[0] - beyond))
        if (u0 != u and across > 0) or (v0 != v and down > 0):
            return dtype(0.0)
        j, i = int(wp.floor(u0)), int(wp.floor(v0))
        a, b = basis(u0 - dtype(j), across), basis(v0 - dtype(i), down)
        total = dtype(0.0)
        for k in range(4):
            line = dtype(0.0)
            for l in range(4):
                line += a[l] * P[i - 1 + k, j - 1 + l]
            total += b[k] * line
        return total

    @wp.kernel(module="unique", module_options=OPTIONS)
    def picture_value(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        stencils: wp.array2d(dtype=wp.int32),
        P: wp.array2d(dtype=dtype),
        pixel: dtype,
        weights: wp.array(dtype=dtype),
        energies: wp.array(dtype=wp.float64),
    ):
        t = order[wp.tid()]
        energies[t] = wp.float64(weights[t] * spline(P, pixel, x[stencils[t, 0]], 0, 0))

    @wp.kernel(module="unique", module_options=OPTIONS)
    def picture_gradient(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        stencils: wp.array2d(dtype=wp.int32),
        P: wp.array2d(dtype=dtype),
        pixel: dtype,
        weights: wp.array(dtype=dtype),
        g: wp.array(dtype=vec),
    ):
        t = order[wp.tid()]
        p = stencils[t, 0]
        slope = vec(spline(P, pixel, x[p], 1, 0), spline(P, pixel, x[p], 0, 1))
        wp.atomic_add(g, p, weights[t] / pixel * slope)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def picture_hessian(
        order: wp.array(dtype=wp.int32),
        x: wp.array(dtype=vec),
        stencils: wp.array2d(dtype=wp.int32),
        P: wp.array2d(dtype=dtype),
        pixel: dtype,
        weights: wp.array(dtype=dtype),
        project: int,
        slots: wp.array3d(dtype=wp.int32),
        blocks: wp.array(dtype=mat),
    ):
        t = order[wp.tid()]
        y = x[stencils[t, 0]]
        w = weights[t] / (pixel * pixel)
        a = w * spline(P, pixel, y, 2, 0)
        b = w * spline(P, pixel, y, 1, 1)
        c = w * spline(P, pixel, y, 0, 2)
        H = mat(a, b, b, c)
        if project == 1:
            # Eigenvalues m + r and m - r; what is negative is set to zero.
            m, d = half * (a + c), half * (a - c)
            r = wp.sqrt(d * d + b * b)
            if m + r <= dtype(0.0):
                H = mat()
            elif m - r < dtype(0.0):
                H = (m + r) / (two * r) * mat(r + d, b, b, r - d)
        slot = slots[t, 0, 0]
        if slot >= 0:
            wp.atomic_add(blocks, slot, H)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def picture_moves(
        order: wp.array(dtype=wp.int32),
        dx: wp.array(dtype=vec),
        stencils: wp.array2d(dtype=wp.int32),
        moves: wp.array(dtype=wp.float64),
    ):
        t = order[wp.tid()]
        moves[t] = wp.float64(wp.length(dx[stencils[t, 0]]))

    return SimpleNamespace(
        moves=picture_moves, value=picture_value, gradient=picture_gradient, hessian=picture_hessian
    )
