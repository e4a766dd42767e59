# mypy: ignore-errors
"""Strain measures as Warp functions, with what an energy of strain needs of their derivatives."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import warp as wp

from pliant.materials import flattened, nearest_rotation


class Measure(NamedTuple):
    """A strain measure s(F) and the stress and tangent of an energy W(s) through it.

    R = frame(F), what the others need of F and is dear: for Biot strain the rotation; strain(R, F);
    stress(R, F, A) = P with P:dF = A:ds, for A = dW/ds; tangent(R, F, A, lam, mu, bend) = dP/dF for
    Hooke's law dA = lam tr(ds) I + 2 mu ds, row and column i * dim + j for entry ij. `bend` scales
    the part that comes from the curvature of the measure itself: 1 is exact, 0 is Gauss-Newton
    (positive semi-definite).
    """

    frame: Callable
    strain: Callable
    stress: Callable
    tangent: Callable


@cache
def green(dim: int, dtype: Any) -> Measure:
    """Green strain E = (F^T F - I)/2:  P = F A,  dP = dF A + F dA. Source: [young2007] (3.2)."""
    mat, _ = _types(dim, dtype)

    @wp.func(module="unique")
    def strain(R: mat, F: mat):
        return dtype(0.5) * (wp.transpose(F) @ F - wp.identity(n=dim, dtype=dtype))

    @wp.func(module="unique")
    def stress(R: mat, F: mat, A: mat):
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
    mat, _ = _types(dim, dtype)

    @wp.func(module="unique")
    def strain(R: mat, F: mat):
        return dtype(0.5) * (F + wp.transpose(F)) - wp.identity(n=dim, dtype=dtype)

    @wp.func(module="unique")
    def stress(R: mat, F: mat, A: mat):
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
    mat, big = _types(dim, dtype)

    @wp.func(module="unique")
    def frame(F: mat):
        return wp.identity(n=dim, dtype=dtype)

    @wp.func(module="unique")
    def tangent(R: mat, F: mat, A: mat, lam: dtype, mu: dtype, bend: dtype):
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

        dU = R^T dF - [w]x U,   w = L T dF,   L = (tr(U) I - U)^-1,   T_m = R [e_m]x
        P = R (A - [y]x),   y = L a(A U)
        dP/dF = mu (I + dF -> R dF^T R) + lam R x R + (L T)^T X + X^T (L T)
        X = (mu Q + bend/2 C) L T - R V(bend A - 2 mu U, bend y),   Q_mn = V_m(U) : V_n(U)
        C = sym( L^-1 (tr(A) I - A + [y]x)/2 - V(A, y) : V(U) )
        V_m(N, y) = sym(N [e_m]x) - y_m I + sym(e_m y^T)

    with a(M) the axial vector of M - M^T. In 2D there is one axis. Source: [bonet2008] section 4.6
    for the strain; the rest follows from R^T dR = [w]x.
    """
    axes = 1 if dim == 2 else 3
    mat, big = _types(dim, dtype)
    vec = wp.types.vector(length=axes, dtype=dtype)
    rows = wp.types.matrix(shape=(axes, dim * dim), dtype=dtype)
    rotation, flat, spin = nearest_rotation(dim, dtype), flattened(dim, dtype), _spin(dim, dtype)
    axial, lever, cross = spin.axial, spin.lever, spin.cross
    pull, resistance = spin.pull, spin.resistance

    @wp.func(module="unique")
    def strain(R: mat, F: mat):
        U = wp.transpose(R) @ F
        return dtype(0.5) * (U + wp.transpose(U)) - wp.identity(n=dim, dtype=dtype)

    @wp.func(module="unique")
    def stress(R: mat, F: mat, A: mat):
        U = wp.transpose(R) @ F
        _B, L = lever(U)
        y = L @ axial(A @ U)
        P = A
        for m in range(axes):
            P -= y[m] * cross(m)
        return R @ P

    @wp.func(module="unique")
    def tangent(R: mat, F: mat, A: mat, lam: dtype, mu: dtype, bend: dtype):
        half = dtype(0.5)
        U = wp.transpose(R) @ F
        U = half * (U + wp.transpose(U))
        B, L = lever(U)
        y = L @ axial(A @ U)
        none = vec()
        T, RV, VU, VA = rows(), rows(), rows(), rows()
        for m in range(axes):
            T[m] = flat(R @ cross(m))
            NU, NA = pull(U, none, m), pull(A, y, m)
            RV[m] = flat(R @ (bend * NA - (dtype(2.0) * mu) * NU))
            VU[m] = flat(NU)
            VA[m] = flat(NA)
        VUt = wp.transpose(VU)
        C = half * B @ resistance(A, y) - VA @ VUt
        E = mu * VU @ VUt + dtype(0.25) * bend * (C + wp.transpose(C))
        LT = L @ T
        X = E @ LT - RV
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

    return Measure(rotation, strain, stress, tangent)


class _Spin(NamedTuple):
    """axial(M): of M - M^T; lever(U): B = tr(U) I - U, capped, and B^-1; cross(m): [e_m]x;
    pull(N, y, m): V_m; resistance(A, y): tr(A) I - A + [y]x. One axis in 2D, three in 3D.
    """

    axial: Callable
    lever: Callable
    cross: Callable
    pull: Callable
    resistance: Callable


@cache
def _spin(dim: int, dtype: Any) -> _Spin:
    mat, _ = _types(dim, dtype)
    axes = 1 if dim == 2 else 3
    vec = wp.types.vector(length=axes, dtype=dtype)
    square = wp.types.matrix(shape=(axes, axes), dtype=dtype)
    # Two stretches that cancel leave the rotation undefined; the cap keeps its rate finite there.
    floor = wp.constant(dtype(1e-4))

    if dim == 2:

        @wp.func(module="unique")
        def axial(M: mat):
            return vec(M[1, 0] - M[0, 1])

        @wp.func(module="unique")
        def lever(U: mat):
            t = wp.max(wp.trace(U), floor)
            return square(t), square(dtype(1.0) / t)

        @wp.func(module="unique")
        def cross(m: int):
            return mat(dtype(0.0), dtype(-1.0), dtype(1.0), dtype(0.0))

        @wp.func(module="unique")
        def pull(N: mat, y: vec, m: int):
            E = N @ cross(m)
            return dtype(0.5) * (E + wp.transpose(E)) - y[0] * wp.identity(n=dim, dtype=dtype)

        @wp.func(module="unique")
        def resistance(A: mat, y: vec):
            return square(wp.trace(A))

    else:

        @wp.func(module="unique")
        def axial(M: mat):
            return vec(M[2, 1] - M[1, 2], M[0, 2] - M[2, 0], M[1, 0] - M[0, 1])

        @wp.func(module="unique")
        def lever(U: mat):
            B = wp.trace(U) * wp.identity(n=dim, dtype=dtype) - U
            if wp.determinant(B) < floor:
                B += floor * wp.identity(n=dim, dtype=dtype)
            return B, wp.inverse(B)

        @wp.func(module="unique")
        def cross(m: int):
            e = vec()
            e[m] = dtype(1.0)
            return wp.skew(e)

        @wp.func(module="unique")
        def pull(N: mat, y: vec, m: int):
            e = vec()
            e[m] = dtype(1.0)
            E = N @ wp.skew(e) + wp.outer(e, y)
            return dtype(0.5) * (E + wp.transpose(E)) - y[m] * wp.identity(n=dim, dtype=dtype)

        @wp.func(module="unique")
        def resistance(A: mat, y: vec):
            return wp.trace(A) * wp.identity(n=dim, dtype=dtype) - A + wp.skew(y)

    return _Spin(axial, lever, cross, pull, resistance)


def _types(dim: int, dtype: Any) -> tuple[Any, Any]:
    return (
        wp.types.matrix(shape=(dim, dim), dtype=dtype),
        wp.types.matrix(shape=(dim * dim, dim * dim), dtype=dtype),
    )
