# mypy: ignore-errors
"""Strain measures as Warp functions, with what an energy of strain needs of their derivatives."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import warp as wp

from pliant.materials import flattened, lever_type, rotation_and_lever


class Measure(NamedTuple):
    """A strain measure s(F) and the stress and tangent of an energy W(s) through it.

    R, L = frame(F), what the others need of F and is dear: for Biot strain the rotation and its lever;
    strain(R, F); stress(R, L, F, A) = P with P:dF = A:ds, for A = dW/ds;
    tangent(R, L, F, A, lam, mu, bend) = dP/dF for Hooke's law dA = lam tr(ds) I + 2 mu ds, row and
    column i * dim + j for entry ij. `bend` scales the part that comes from the curvature of the measure
    itself: 1 is exact, 0 is Gauss-Newton (positive semi-definite).
    """

    frame: Callable
    strain: Callable
    stress: Callable
    tangent: Callable


@cache
def green(dim: int, dtype: Any) -> Measure:
    """Green strain E = (F^T F - I)/2:  P = F A,  dP = dF A + F dA. Source: [young2007] (3.2)."""
    mat, _, square = _types(dim, dtype)

    @wp.func(module="unique")
    def strain(R: mat, F: mat):
        return dtype(0.5) * (wp.transpose(F) @ F - wp.identity(n=dim, dtype=dtype))

    @wp.func(module="unique")
    def stress(R: mat, L: square, F: mat, A: mat):
        return F @ A

    @wp.func(module="unique")
    def dstress(F: mat, dF: mat, A: mat, lam: dtype, mu: dtype, bend: dtype):
        D = wp.transpose(F) @ dF
        dE = dtype(0.5) * (D + wp.transpose(D))
        dA = dtype(2.0) * mu * dE + lam * wp.trace(dE) * wp.identity(n=dim, dtype=dtype)
        return bend * dF @ A + F @ dA

    return _without_frame(dim, dtype, strain, stress, dstress)


@cache
def cauchy(dim: int, dtype: Any) -> Measure:
    """Small strain (F + F^T)/2 - I, the measure of the Linear material."""
    mat, _, square = _types(dim, dtype)

    @wp.func(module="unique")
    def strain(R: mat, F: mat):
        return dtype(0.5) * (F + wp.transpose(F)) - wp.identity(n=dim, dtype=dtype)

    @wp.func(module="unique")
    def stress(R: mat, L: square, F: mat, A: mat):
        return A

    @wp.func(module="unique")
    def dstress(F: mat, dF: mat, A: mat, lam: dtype, mu: dtype, bend: dtype):
        dE = dtype(0.5) * (dF + wp.transpose(dF))
        return dtype(2.0) * mu * dE + lam * wp.trace(dE) * wp.identity(n=dim, dtype=dtype)

    return _without_frame(dim, dtype, strain, stress, dstress)


def _without_frame(
    dim: int, dtype: Any, strain: Callable, stress: Callable, dstress: Callable
) -> Measure:
    """A measure that needs nothing of F beforehand, with its tangent column by column."""
    mat, big, square = _types(dim, dtype)

    @wp.func(module="unique")
    def frame(F: mat):
        return wp.identity(n=dim, dtype=dtype), square()

    @wp.func(module="unique")
    def tangent(R: mat, L: square, F: mat, A: mat, lam: dtype, mu: dtype, bend: dtype):
        T = big()
        for c in range(dim * dim):
            dF = mat()
            dF[c // dim, c % dim] = dtype(1.0)
            dP = dstress(F, dF, A, lam, mu, bend)
            for r in range(dim * dim):
                T[r, c] = dP[r // dim, r % dim]
        return T

    return Measure(frame, strain, stress, tangent)


@cache
def biot(dim: int, dtype: Any) -> Measure:
    """Biot strain U - I with F = R U: linear in the stretch, blind to rotation.

        dU = R^T dF - [w]x U,   w = L T dF,   L = B^-1,   B = tr(U) I - U,   T_m = R [e_m]x
        P = R (A - [y]x),   y = L a(A U)
        dP/dF = mu (I + dF -> R dF^T R) + lam R x R + (L T)^T X + X^T (L T)
        X = E L T - R V(N, bend y),   E = (mu B^2 + minor(N, U))/2,   N = bend A - 2 mu U
        minor(N, U) = N U + U N - tr(N) U - tr(U) N + (tr(N) tr(U) - N : U) I
        V_m(N, y) = sym(N [e_m]x) - y_m I + sym(e_m y^T)

    with a(M) the axial vector of M - M^T. In 2D there is one axis. Source: [bonet2008] section 4.6
    for the strain; the rest follows from R^T dR = [w]x.
    """
    axes = 1 if dim == 2 else 3
    mat, big, square = _types(dim, dtype)
    rows = wp.types.matrix(shape=(axes, dim * dim), dtype=dtype)
    frame, flat, spin = rotation_and_lever(dim, dtype), flattened(dim, dtype), _spin(dim, dtype)
    axial, skew, pull = spin.axial, spin.skew, spin.pull
    spread, minor = spin.spread, spin.minor

    @wp.func(module="unique")
    def strain(R: mat, F: mat):
        U = wp.transpose(R) @ F
        return dtype(0.5) * (U + wp.transpose(U)) - wp.identity(n=dim, dtype=dtype)

    @wp.func(module="unique")
    def stress(R: mat, L: square, F: mat, A: mat):
        return R @ (A - skew(L @ axial(A @ (wp.transpose(R) @ F))))

    @wp.func(module="unique")
    def tangent(R: mat, L: square, F: mat, A: mat, lam: dtype, mu: dtype, bend: dtype):
        half, two = dtype(0.5), dtype(2.0)
        U = wp.transpose(R) @ F
        U = half * (U + wp.transpose(U))
        y = bend * (L @ axial(A @ U))
        N, B = bend * A - two * mu * U, spread(U)
        EL = half * (mu * B @ B + minor(N, U)) @ L
        LT, X = rows(), rows()
        for m in range(axes):
            LT[m] = flat(R @ skew(L[m]))
            X[m] = flat(R @ (skew(EL[m]) - pull(N, y, m)))
        r, D = flat(R), big()
        muR = mu * R
        Rt = wp.transpose(R)
        for i in range(dim):
            for j in range(dim):  # whole rows, which the compiler vectorises
                k = i * dim + j
                row = (lam * r[k]) * r + flat(wp.outer(Rt[j], muR[i]))
                for m in range(axes):
                    row += LT[m, k] * X[m] + X[m, k] * LT[m]
                row[k] += mu
                D[k] = row
        return D

    return Measure(frame, strain, stress, tangent)


class _Spin(NamedTuple):
    """axial(M): of M - M^T; skew(y): [y]x; pull(N, y, m): V_m; spread(U): tr(U) I - U; minor(N, U), of
    which half is the adjugate if they are the same. One axis in 2D, three in 3D.
    """

    axial: Callable
    skew: Callable
    pull: Callable
    spread: Callable
    minor: Callable


@cache
def _spin(dim: int, dtype: Any) -> _Spin:
    mat, _, square = _types(dim, dtype)
    axes = 1 if dim == 2 else 3
    vec = wp.types.vector(length=axes, dtype=dtype)

    if dim == 2:

        @wp.func(module="unique")
        def axial(M: mat):
            return vec(M[1, 0] - M[0, 1])

        @wp.func(module="unique")
        def skew(y: vec):
            return mat(dtype(0.0), -y[0], y[0], dtype(0.0))

        @wp.func(module="unique")
        def pull(N: mat, y: vec, m: int):
            E = N @ skew(vec(dtype(1.0)))
            return dtype(0.5) * (E + wp.transpose(E)) - y[0] * wp.identity(n=dim, dtype=dtype)

        @wp.func(module="unique")
        def spread(U: mat):
            return square(wp.trace(U))

        @wp.func(module="unique")
        def minor(N: mat, U: mat):
            return square(wp.trace(N) * wp.trace(U) - wp.ddot(N, U))

    else:

        @wp.func(module="unique")
        def axial(M: mat):
            return vec(M[2, 1] - M[1, 2], M[0, 2] - M[2, 0], M[1, 0] - M[0, 1])

        @wp.func(module="unique")
        def skew(y: vec):
            return wp.skew(y)

        @wp.func(module="unique")
        def pull(N: mat, y: vec, m: int):
            e = vec()
            e[m] = dtype(1.0)
            E = N @ wp.skew(e) + wp.outer(e, y)
            return dtype(0.5) * (E + wp.transpose(E)) - y[m] * wp.identity(n=dim, dtype=dtype)

        @wp.func(module="unique")
        def spread(U: mat):
            return wp.trace(U) * wp.identity(n=dim, dtype=dtype) - U

        @wp.func(module="unique")
        def minor(N: mat, U: mat):
            n, u, NU = wp.trace(N), wp.trace(U), N @ U
            rest = n * u - wp.trace(NU)
            return NU + wp.transpose(NU) - n * U - u * N + rest * wp.identity(n=dim, dtype=dtype)

    return _Spin(axial, skew, pull, spread, minor)


def _types(dim: int, dtype: Any) -> tuple[Any, Any, Any]:
    mat, big = (wp.types.matrix(shape=(n, n), dtype=dtype) for n in (dim, dim * dim))
    return mat, big, lever_type(dim, dtype)
