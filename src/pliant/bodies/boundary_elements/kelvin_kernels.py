# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Kelvin's solution, integrated over triangles that do not hold the point it is seen from."""

from functools import cache
from typing import Any

import warp as wp

from pliant.backend import kernel_types

#: Pieces of a triangle are shorter than this share of their distance: 2e-5 of an integral is lost.
FINE = wp.constant(wp.float64(1.0 / 3.0))
#: A triangle is cut into at most the square of so many pieces.
MOST = wp.constant(32)
#: Points nearer than this share of a triangle's size are its own, which are integrated elsewhere.
OWN = wp.constant(wp.float64(1e-9))


@cache
def kelvin_kernel() -> Any:
    """The kernel that integrates both fundamental solutions, times the three linear shape functions.

    See `collocation.py` for the formulas.
    """
    of = kernel_types(3)
    vec, mat, f = of.vec, of.mat, wp.float64
    Vecs, Blocks = wp.array2d(dtype=vec), wp.array3d(dtype=mat)

    @wp.func
    def nearest(x: vec, a: vec, b: vec, c: vec):
        half = f(0.5)
        d = wp.length(x - (a + b + c) / f(3.0))
        d = wp.min(d, wp.min(wp.length(x - a), wp.min(wp.length(x - b), wp.length(x - c))))
        d = wp.min(d, wp.length(x - half * (a + b)))
        d = wp.min(d, wp.length(x - half * (b + c)))
        return wp.min(d, wp.length(x - half * (c + a)))

    @wp.func
    def weight(q: int):
        w = f(0.225)
        if q > 0 and q < 4:
            w = f(0.132394152788506)
        if q > 3:
            w = f(0.125939180544827)
        return w

    @wp.func
    def place(q: int):
        """Barycentric coordinates of the rule of degree five with seven points."""
        third = f(1.0) / f(3.0)
        L = vec(third, third, third)
        if q > 0:
            one, two = f(0.059715871789770), f(0.470142064105115)
            if q > 3:
                one, two = f(0.797426985353087), f(0.101286507323456)
            L = vec(two, two, two)
            L[(q - 1) % 3] = one
        return L

    @wp.kernel(module="unique")
    def kelvin(
        points: wp.array(dtype=vec),
        corners: Vecs,  # (t, 3)
        normals: wp.array(dtype=vec),
        areas: wp.array(dtype=f),
        shear: f,
        poisson: f,
        U: Blocks,  # (points, t, 3)
        P: Blocks,
    ):
        i, e = wp.tid()
        x, n = points[i], normals[e]
        a, b, c = corners[e, 0], corners[e, 1], corners[e, 2]
        size = wp.max(wp.length(b - a), wp.max(wp.length(c - b), wp.length(a - c)))
        d = nearest(x, a, b, c)
        for k in range(3):
            U[i, e, k] = mat()
            P[i, e, k] = mat()
        if d < OWN * size:
            return
        pieces = wp.int32(1)
        while pieces < MOST and size > FINE * d * f(pieces):
            pieces = 2 * pieces
        one, pi = wp.identity(n=3, dtype=f), f(wp.pi)
        far, stress = f(1.0) - poisson, f(1.0) - f(2.0) * poisson
        of_u = f(1.0) / (f(16.0) * pi * shear * far)
        of_p = f(1.0) / (f(8.0) * pi * far)
        share = areas[e] / f(pieces * pieces)
        N = f(pieces)
        for row in range(pieces):
            for column in range(2 * (pieces - row) - 1):
                upright = column % 2 == 0
                k = column // 2
                L0 = vec(f(row), f(k), N - f(row) - f(k))
                for q in range(7):
                    L = place(q)
                    if upright:
                        L = vec(L0[0] + L[0], L0[1] + L[1], L0[2] - f(1.0) + L[2])
                    else:
                        L = vec(L0[0] + f(1.0) - L[0], L0[1] + f(1.0) - L[1], L0[2] - f(1.0) - L[2])
                    L = L / N
                    y = L[0] * a + L[1] * b + L[2] * c
                    r = wp.length(y - x)
                    g = (y - x) / r
                    gg, gn = wp.outer(g, g), wp.dot(g, n)
                    w = share * weight(q)
                    u = (w * of_u / r) * ((f(3.0) - f(4.0) * poisson) * one + gg)
                    turn = stress * (wp.outer(n, g) - wp.outer(g, n))
                    p = (-w * of_p / (r * r)) * (gn * (stress * one + f(3.0) * gg) + turn)
                    for m in range(3):
                        U[i, e, m] += L[m] * u
                        P[i, e, m] += L[m] * p

    return kelvin
