# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Corotated linear elasticity."""

from collections.abc import Callable
from functools import cache
from typing import Any

import warp as wp

from pliant.materials.base import Functions, Material
from pliant.materials.invariants import invariants
from pliant.materials.rotation import nearest_rotation


class Corotated(Material):
    """Corotated: Hooke's law in the frame that turns with the cell.

        psi = mu |F - R|^2 + lam/2 tr(R^T F - I)^2,   R the rotation nearest to F
        P = 2 mu (F - R) + lam tr(R^T F - I) R

    Source: [sifakis2012] "Corotated linear elasticity". Units: psi [J/m^3], P [Pa].

    dP uses the exact dR = R W: W solves W S + S W = R^T dF - dF^T R with S = R^T F. Straightens
    inverted cells. Not where volume matters at large strain: tr(S) - d is not the change of volume.
    """

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> Functions:
        """Return (psi, stress, dstress)."""
        real = dtype
        mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
        rotation, dstress_at = nearest_rotation(dim, dtype), _dstress_at(dim, dtype)

        @wp.func(module="unique")
        def psi(F: mat, lam: real, mu: real):
            R = rotation(F)
            D = F - R
            t = wp.ddot(R, D)
            return mu * wp.ddot(D, D) + real(0.5) * lam * t * t

        @wp.func(module="unique")
        def stress(F: mat, lam: real, mu: real):
            R = rotation(F)
            D = F - R
            return real(2.0) * mu * D + lam * wp.ddot(R, D) * R

        @wp.func(module="unique")
        def dstress(F: mat, dF: mat, lam: real, mu: real):
            return dstress_at(rotation(F), F, dF, lam, mu)

        return Functions(psi, stress, dstress)

    @classmethod
    @cache
    def tangent(cls, dim: int, dtype: Any) -> Callable:
        """Return A(F, lam, mu), with the rotation found once for all columns."""
        real, n = dtype, dim * dim
        mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
        big = wp.types.matrix(shape=(n, n), dtype=dtype)
        rotation, dstress_at = nearest_rotation(dim, dtype), _dstress_at(dim, dtype)

        @wp.func(module="unique")
        def tangent(F: mat, lam: real, mu: real):
            A = big()
            R = rotation(F)
            for c in range(n):
                dF = mat()
                dF[c // dim, c % dim] = real(1.0)
                dP = dstress_at(R, F, dF, lam, mu)
                for r in range(n):
                    A[r, c] = dP[r // dim, r % dim]
            return A

        return tangent


@cache
def _dstress_at(dim: int, dtype: Any) -> Callable:
    """Return dstress with the rotation R of F already known."""
    real = dtype
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    vec = wp.types.vector(length=dim, dtype=dtype)
    cofactor = invariants(dim, dtype).cofactor
    # Where two signed singular values cancel, dR is unbounded. Capped, not dropped: the large
    # negative curvature that remains is what tells the projection to act.
    floor = wp.constant(dtype(1e-6 if dtype is wp.float64 else 1e-3))

    if dim == 2:

        @wp.func(module="unique")
        def spin(S: mat, M: mat):
            # W S + S W = w tr(S) for W = ((0, -w), (w, 0)).
            w = M[1, 0] / wp.max(wp.trace(S), floor)
            return mat(real(0.0), -w, w, real(0.0))

    else:

        @wp.func(module="unique")
        def spin(S: mat, M: mat):
            # W S + S W has the axial vector (tr(S) I - S) w; the eigenvalues of that matrix are
            # sums of two signed singular values, none negative.
            t = wp.trace(S) + floor * floor
            I = wp.identity(n=dim, dtype=real)
            B = wp.trace(S) * I - S
            if wp.determinant(B) < floor * t * t * t:
                B += floor * t * I
            K = cofactor(B)  # symmetric, so also the adjugate
            w = K @ vec(M[2, 1], M[0, 2], M[1, 0]) / wp.dot(K[0], B[0])
            return wp.skew(w)

    @wp.func(module="unique")
    def dstress_at(R: mat, F: mat, dF: mat, lam: real, mu: real):
        RtdF = wp.transpose(R) @ dF
        dR = R @ spin(wp.transpose(R) @ F, RtdF - wp.transpose(RtdF))
        t = wp.ddot(R, F - R)
        two = real(2.0)
        return two * mu * dF + (lam * t - two * mu) * dR + lam * wp.trace(RtdF) * R

    return dstress_at
