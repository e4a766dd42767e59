# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Invariants of the deformation gradient, written so that they stay accurate near rest."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import warp as wp


class Invariants(NamedTuple):
    """Warp functions shared by the materials.

    green(F) = (F^T F - I) / 2, cofactor(F) = dJ/dF, dcofactor(F, dF) its derivative,
    log1p(x) = ln(1 + x), growth(F, E) = J - 1 and log_volume(F, E) = ln J with J = det F.
    """

    green: Callable
    cofactor: Callable
    dcofactor: Callable
    log1p: Callable
    growth: Callable
    log_volume: Callable


@cache
def invariants(dim: int, dtype: Any) -> Invariants:
    """Return the invariants as Warp functions; all are dimensionless.

        J^2 - 1 = det(I + 2 E) - 1 = 2 tr E + 2 (tr(E)^2 - E : E) + 8 det E    (8 det E in 3D only)

    Source: the characteristic polynomial of 2 E at -1.

    Energies of nearly undeformed cells are second order in the strain e, yet sums such as
    I_C - 3 - 2 ln J round like first-order ones: their error is the machine epsilon, not epsilon e.
    Through E the error is epsilon e, which is what keeps float32 line searches meaningful.
    """
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    # |E|^2 beyond which the expansion of det(I + 2 E) cancels worse than det F itself.
    near = wp.constant(dtype(0.25))

    @wp.func(module="unique")
    def green(F: mat):
        return dtype(0.5) * (wp.transpose(F) @ F - wp.identity(n=dim, dtype=dtype))

    if dim == 2:

        @wp.func(module="unique")
        def cofactor(F: mat):
            return mat(F[1, 1], -F[1, 0], -F[0, 1], F[0, 0])

        @wp.func(module="unique")
        def dcofactor(F: mat, dF: mat):
            return cofactor(dF)

        @wp.func(module="unique")
        def squared_growth(E: mat):
            return dtype(2.0) * wp.trace(E) + dtype(4.0) * wp.determinant(E)

    else:

        @wp.func(module="unique")
        def cofactor(F: mat):
            return wp.matrix_from_rows(
                wp.cross(F[1], F[2]), wp.cross(F[2], F[0]), wp.cross(F[0], F[1])
            )

        @wp.func(module="unique")
        def dcofactor(F: mat, dF: mat):
            return wp.matrix_from_rows(
                wp.cross(dF[1], F[2]) + wp.cross(F[1], dF[2]),
                wp.cross(dF[2], F[0]) + wp.cross(F[2], dF[0]),
                wp.cross(dF[0], F[1]) + wp.cross(F[0], dF[1]),
            )

        @wp.func(module="unique")
        def squared_growth(E: mat):
            t = wp.trace(E)
            two = dtype(2.0)
            return two * t + two * (t * t - wp.ddot(E, E)) + dtype(8.0) * wp.determinant(E)

    @wp.func(module="unique")
    def log1p(x: dtype):
        # Kahan's correction: the rounding of 1 + x cancels in the quotient. Warp has no log1p.
        u = dtype(1.0) + x
        y = x
        if u != dtype(1.0):
            y = wp.log(u) * x / (u - dtype(1.0))
        return y

    @wp.func(module="unique")
    def growth(F: mat, E: mat):
        j = wp.determinant(F) - dtype(1.0)
        # det F > 0 as well: E alone cannot tell a mirror image from rest.
        if wp.ddot(E, E) < near and j > dtype(-1.0):
            q = squared_growth(E)
            j = q / (wp.sqrt(dtype(1.0) + q) + dtype(1.0))
        return j

    @wp.func(module="unique")
    def log_volume(F: mat, E: mat):
        if wp.ddot(E, E) < near:
            return dtype(0.5) * log1p(squared_growth(E))
        return wp.log(wp.determinant(F))

    return Invariants(green, cofactor, dcofactor, log1p, growth, log_volume)
