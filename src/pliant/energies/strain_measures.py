# mypy: ignore-errors
"""Strain measures as Warp functions, with what an energy of strain needs of their derivatives."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import warp as wp

from pliant.materials.rotation import nearest_rotation


class Measure(NamedTuple):
    """A strain measure s(F) and the stress and tangent of an energy W(s) through it.

    strain(F); stress(F, A) = P with P:dF = A:ds, for A = dW/ds; tangent(F, A, lam, mu, bend) = dP/dF for
    Hooke's law dA = lam tr(ds) I + 2 mu ds, row and column i * dim + j for entry ij. `bend` scales the
    part that comes from the curvature of the measure itself: 1 is exact, 0 is Gauss-Newton
    (positive semi-definite).
    """

    strain: Callable
    stress: Callable
    tangent: Callable


@cache
def green(dim: int, dtype: Any) -> Measure:
    """Green strain E = (F^T F - I)/2:  P = F A,  dP = dF A + F dA. Source: [young2007] (3.2)."""
    real = dtype
    mat, big = _types(dim, dtype)

    @wp.func(module="unique")
    def strain(F: mat):
        return real(0.5) * (wp.transpose(F) @ F - wp.identity(n=dim, dtype=real))

    @wp.func(module="unique")
    def stress(F: mat, A: mat):
        return F @ A

    @wp.func(module="unique")
    def tangent(F: mat, A: mat, lam: real, mu: real, bend: real):
        T = big()
        for c in range(dim * dim):
            dF = mat()
            dF[c // dim, c % dim] = real(1.0)
            D = wp.transpose(F) @ dF
            dE = real(0.5) * (D + wp.transpose(D))
            dA = real(2.0) * mu * dE + lam * wp.trace(dE) * wp.identity(n=dim, dtype=real)
            dP = bend * dF @ A + F @ dA
            for r in range(dim * dim):
                T[r, c] = dP[r // dim, r % dim]
        return T

    return Measure(strain, stress, tangent)


@cache
def cauchy(dim: int, dtype: Any) -> Measure:
    """Small strain (F + F^T)/2 - I, the measure of the Linear material."""
    real = dtype
    mat, big = _types(dim, dtype)

    @wp.func(module="unique")
    def strain(F: mat):
        return real(0.5) * (F + wp.transpose(F)) - wp.identity(n=dim, dtype=real)

    @wp.func(module="unique")
    def stress(F: mat, A: mat):
        return A

    @wp.func(module="unique")
    def tangent(F: mat, A: mat, lam: real, mu: real, bend: real):
        T = big()
        for c in range(dim * dim):
            dF = mat()
            dF[c // dim, c % dim] = real(1.0)
            dE = real(0.5) * (dF + wp.transpose(dF))
            dA = real(2.0) * mu * dE + lam * wp.trace(dE) * wp.identity(n=dim, dtype=real)
            for r in range(dim * dim):
                T[r, c] = dA[r // dim, r % dim]
        return T

    return Measure(strain, stress, tangent)


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
    mat, big = _types(dim, dtype)
    vec = wp.types.vector(length=3, dtype=dtype)
    rotation, spin = nearest_rotation(dim, dtype), _spin(dim, dtype)
    axial, lever, load = spin.axial, spin.lever, spin.matrix

    @wp.func(module="unique")
    def strain(F: mat):
        U = wp.transpose(rotation(F)) @ F
        return real(0.5) * (U + wp.transpose(U)) - wp.identity(n=dim, dtype=real)

    @wp.func(module="unique")
    def stress(F: mat, A: mat):
        R = rotation(F)
        U = wp.transpose(R) @ F
        return R @ (A - load(lever(U) @ axial(A @ U)))

    @wp.func(module="unique")
    def tangent(F: mat, A: mat, lam: real, mu: real, bend: real):
        R = rotation(F)
        U = wp.transpose(R) @ F
        one = wp.identity(n=dim, dtype=real)
        L = lever(U)
        y = L @ axial(A @ U)
        AY = A - load(y)
        T = big()
        for c in range(dim * dim):
            dF = mat()
            dF[c // dim, c % dim] = real(1.0)
            D = wp.transpose(R) @ dF
            W = load(L @ axial(D))
            dU = D - W @ U
            dU = real(0.5) * (dU + wp.transpose(dU))
            dA = real(2.0) * mu * dU + lam * wp.trace(dU) * one
            curved = axial(A @ dU) - (wp.trace(dU) * y - axial_part(dU, y))
            dy = L @ (axial(dA @ U) + bend * curved)
            dP = R @ (bend * W @ AY + dA - load(dy))
            for r in range(dim * dim):
                T[r, c] = dP[r // dim, r % dim]
        return T

    if dim == 2:

        @wp.func(module="unique")
        def axial_part(dU: mat, y: vec):
            return vec()  # dU maps the normal of the plane to nothing

    else:

        @wp.func(module="unique")
        def axial_part(dU: mat, y: vec):
            return dU @ y

    return Measure(strain, stress, tangent)


class _Spin(NamedTuple):
    axial: Callable
    lever: Callable
    matrix: Callable


@cache
def _spin(dim: int, dtype: Any) -> _Spin:
    """axial(D): of D - D^T, as a 3-vector; lever(U): B^-1; matrix(w): the skew matrix of w."""
    real = dtype
    mat, _ = _types(dim, dtype)
    vec = wp.types.vector(length=3, dtype=dtype)
    cube = wp.types.matrix(shape=(3, 3), dtype=dtype)
    # Two stretches that cancel leave the rotation undefined; the cap keeps its rate finite there.
    floor = wp.constant(dtype(1e-4))

    if dim == 2:

        @wp.func(module="unique")
        def axial(D: mat):
            return vec(real(0.0), real(0.0), D[1, 0] - D[0, 1])

        @wp.func(module="unique")
        def lever(U: mat):
            return wp.identity(n=3, dtype=real) / wp.max(wp.trace(U), floor)

        @wp.func(module="unique")
        def matrix(w: vec):
            return mat(real(0.0), -w[2], w[2], real(0.0))

    else:

        @wp.func(module="unique")
        def axial(D: mat):
            return vec(D[2, 1] - D[1, 2], D[0, 2] - D[2, 0], D[1, 0] - D[0, 1])

        @wp.func(module="unique")
        def lever(U: mat):
            B = wp.trace(U) * wp.identity(n=3, dtype=real) - cube(U)
            if wp.determinant(B) < floor:
                B = B + floor * wp.identity(n=3, dtype=real)
            return wp.inverse(B)

        @wp.func(module="unique")
        def matrix(w: vec):
            return wp.skew(w)

    return _Spin(axial, lever, matrix)


def _types(dim: int, dtype: Any) -> tuple[Any, Any]:
    return (
        wp.types.matrix(shape=(dim, dim), dtype=dtype),
        wp.types.matrix(shape=(dim * dim, dim * dim), dtype=dtype),
    )
