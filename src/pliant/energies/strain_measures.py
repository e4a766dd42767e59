# mypy: disable-error-code="valid-type"
"""Strain measures as Warp functions: what a shifted strain energy compares with its target."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import warp as wp

from pliant.materials.rotation import nearest_rotation


class Measure(NamedTuple):
    """A strain measure: frame(F) is found once; strain(R, F); dstrain(R, F, dF)."""

    frame: Callable
    strain: Callable
    dstrain: Callable


@cache
def green(dim: int, dtype: Any) -> Measure:
    """Green strain E = (F^T F - I)/2. Source: [young2007] (3.2)."""
    real = dtype
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)

    @wp.func(module="unique")
    def frame(F: mat):
        return F

    @wp.func(module="unique")
    def strain(R: mat, F: mat):
        return real(0.5) * (wp.transpose(F) @ F - wp.identity(n=dim, dtype=real))

    @wp.func(module="unique")
    def dstrain(R: mat, F: mat, dF: mat):
        D = wp.transpose(F) @ dF
        return real(0.5) * (D + wp.transpose(D))

    return Measure(frame, strain, dstrain)


@cache
def cauchy(dim: int, dtype: Any) -> Measure:
    """Small strain (F + F^T)/2 - I, the measure of the Linear material."""
    real = dtype
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)

    @wp.func(module="unique")
    def frame(F: mat):
        return F

    @wp.func(module="unique")
    def strain(R: mat, F: mat):
        return real(0.5) * (F + wp.transpose(F)) - wp.identity(n=dim, dtype=real)

    @wp.func(module="unique")
    def dstrain(R: mat, F: mat, dF: mat):
        return real(0.5) * (dF + wp.transpose(dF))

    return Measure(frame, strain, dstrain)


@cache
def biot(dim: int, dtype: Any) -> Measure:
    """Biot strain U - I with F = R U, R the nearest rotation.

        dU = R^T dF - W U,   W skew with   W U + U W = R^T dF - dF^T R

    Linear in the stretch, blind to rotation. Source: [bonet2008] section 4.6.
    """
    real = dtype
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    rotation = nearest_rotation(dim, dtype)
    # Two stretches that cancel leave the rotation undefined; the cap keeps its rate finite there.
    floor = wp.constant(dtype(1e-6))

    @wp.func(module="unique")
    def frame(F: mat):
        return rotation(F)

    @wp.func(module="unique")
    def strain(R: mat, F: mat):
        U = wp.transpose(R) @ F
        return real(0.5) * (U + wp.transpose(U)) - wp.identity(n=dim, dtype=real)

    if dim == 2:

        @wp.func(module="unique")
        def dstrain(R: mat, F: mat, dF: mat):
            U = wp.transpose(R) @ F
            D = wp.transpose(R) @ dF
            w = (D[1, 0] - D[0, 1]) / wp.max(wp.trace(U), floor)
            dU = D - mat(real(0.0), -w, w, real(0.0)) @ U
            return real(0.5) * (dU + wp.transpose(dU))

    else:
        vec = wp.types.vector(length=3, dtype=dtype)

        @wp.func(module="unique")
        def dstrain(R: mat, F: mat, dF: mat):
            U = wp.transpose(R) @ F
            D = wp.transpose(R) @ dF
            B = wp.trace(U) * wp.identity(n=dim, dtype=real) - U
            axial = vec(D[2, 1] - D[1, 2], D[0, 2] - D[2, 0], D[1, 0] - D[0, 1])
            if wp.determinant(B) < floor:
                B = B + floor * wp.identity(n=dim, dtype=real)
            dU = D - wp.skew(wp.inverse(B) @ axial) @ U
            return real(0.5) * (dU + wp.transpose(dU))

    return Measure(frame, strain, dstrain)
