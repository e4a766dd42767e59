# mypy: ignore-errors
"""Strain measures as Warp functions, with what an energy of strain needs of their derivatives."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import warp as wp

from pliant.materials.rotation import nearest_rotation


class Measure(NamedTuple):
    """A strain measure s(F) and the stress and tangent of an energy W(s) through it.

    strain(F); stress(F, A) = P with P:dF = A:ds, for A = dW/ds; dstress(F, dF, A, lam, mu, bend) its
    derivative for Hooke's law dA = lam tr(ds) I + 2 mu ds. `bend` scales the part that comes from the
    curvature of the measure itself: 1 is exact, 0 is Gauss-Newton (positive semi-definite).
    """

    strain: Callable
    stress: Callable
    dstress: Callable


@cache
def green(dim: int, dtype: Any) -> Measure:
    """Green strain E = (F^T F - I)/2:  P = F A,  dP = dF A + F dA. Source: [young2007] (3.2)."""
    real = dtype
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)

    @wp.func(module="unique")
    def strain(F: mat):
        return real(0.5) * (wp.transpose(F) @ F - wp.identity(n=dim, dtype=real))

    @wp.func(module="unique")
    def stress(F: mat, A: mat):
        return F @ A

    @wp.func(module="unique")
    def dstress(F: mat, dF: mat, A: mat, lam: real, mu: real, bend: real):
        D = wp.transpose(F) @ dF
        dE = real(0.5) * (D + wp.transpose(D))
        dA = real(2.0) * mu * dE + lam * wp.trace(dE) * wp.identity(n=dim, dtype=real)
        return bend * dF @ A + F @ dA

    return Measure(strain, stress, dstress)


@cache
def cauchy(dim: int, dtype: Any) -> Measure:
    """Small strain (F + F^T)/2 - I, the measure of the Linear material."""
    real = dtype
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)

    @wp.func(module="unique")
    def strain(F: mat):
        return real(0.5) * (F + wp.transpose(F)) - wp.identity(n=dim, dtype=real)

    @wp.func(module="unique")
    def stress(F: mat, A: mat):
        return A

    @wp.func(module="unique")
    def dstress(F: mat, dF: mat, A: mat, lam: real, mu: real, bend: real):
        dE = real(0.5) * (dF + wp.transpose(dF))
        return real(2.0) * mu * dE + lam * wp.trace(dE) * wp.identity(n=dim, dtype=real)

    return Measure(strain, stress, dstress)


@cache
def biot(dim: int, dtype: Any) -> Measure:
    """Biot strain U - I with F = R U: linear in the stretch, blind to rotation.

        dU = D - W U,   D = R^T dF,   W = [B^-1 a(D)]x,   B = tr(U) I - U
        P = R (A - Y),   Y = [y]x,   y = B^-1 a(A U)
        dP = R (W (A - Y) + dA - dY),   dy = B^-1 (a(dA U + A dU) - dB y)

    with a(D) the axial vector of D - D^T. Source: [bonet2008] section 4.6 for the strain; the
    derivatives follow from R^T dR = W.
    """
    real = dtype
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    rotation = nearest_rotation(dim, dtype)
    frame = _planar_frame(dtype) if dim == 2 else _spatial_frame(dtype)
    cross, spin = frame

    @wp.func(module="unique")
    def strain(F: mat):
        U = wp.transpose(rotation(F)) @ F
        return real(0.5) * (U + wp.transpose(U)) - wp.identity(n=dim, dtype=real)

    @wp.func(module="unique")
    def stress(F: mat, A: mat):
        R = rotation(F)
        U = wp.transpose(R) @ F
        return R @ (A - spin(U, cross(A @ U)))

    @wp.func(module="unique")
    def dstress(F: mat, dF: mat, A: mat, lam: real, mu: real, bend: real):
        R = rotation(F)
        U = wp.transpose(R) @ F
        one = wp.identity(n=dim, dtype=real)
        D = wp.transpose(R) @ dF
        W = spin(U, cross(D))
        dU = D - W @ U
        dU = real(0.5) * (dU + wp.transpose(dU))
        dA = real(2.0) * mu * dU + lam * wp.trace(dU) * one
        Y = spin(U, cross(A @ U))
        dB = wp.trace(dU) * one - dU
        # a(A dU) - dB y: the part of dy that does not come from dA.
        curved = spin(U, cross(A @ dU) - turn_of(dB, Y))
        dY = spin(U, cross(dA @ U)) + bend * curved
        return R @ (bend * W @ (A - Y) + dA - dY)

    if dim == 2:

        @wp.func(module="unique")
        def turn_of(dB: mat, Y: mat):
            return wp.trace(dB) * Y[1, 0]

    else:
        vec = wp.types.vector(length=3, dtype=dtype)

        @wp.func(module="unique")
        def turn_of(dB: mat, Y: mat):
            return dB @ vec(Y[2, 1], Y[0, 2], Y[1, 0])

    return Measure(strain, stress, dstress)


def _planar_frame(dtype: Any) -> tuple[Callable, Callable]:
    """In the plane B is the number tr(U), and rotations have one component."""
    real = dtype
    mat = wp.types.matrix(shape=(2, 2), dtype=dtype)
    # Two stretches that cancel leave the rotation undefined; the cap keeps its rate finite there.
    floor = wp.constant(dtype(1e-4))

    @wp.func(module="unique")
    def cross(D: mat):
        return D[1, 0] - D[0, 1]

    @wp.func(module="unique")
    def spin(U: mat, a: real):
        w = a / wp.max(wp.trace(U), floor)
        return mat(real(0.0), -w, w, real(0.0))

    return cross, spin


def _spatial_frame(dtype: Any) -> tuple[Callable, Callable]:
    real = dtype
    mat = wp.types.matrix(shape=(3, 3), dtype=dtype)
    vec = wp.types.vector(length=3, dtype=dtype)
    floor = wp.constant(dtype(1e-4))

    @wp.func(module="unique")
    def cross(D: mat):
        return vec(D[2, 1] - D[1, 2], D[0, 2] - D[2, 0], D[1, 0] - D[0, 1])

    @wp.func(module="unique")
    def spin(U: mat, a: vec):
        B = wp.trace(U) * wp.identity(n=3, dtype=real) - U
        if wp.determinant(B) < floor:
            B = B + floor * wp.identity(n=3, dtype=real)
        return wp.skew(wp.inverse(B) @ a)

    return cross, spin
