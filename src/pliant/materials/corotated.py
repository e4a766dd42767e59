# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Corotated linear elasticity."""

from collections.abc import Callable
from functools import cache
from typing import Any

import warp as wp

from .base import Functions, Material
from .invariants import invariants
from .rotation import nearest_rotation
from .tangent import flattened


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
        mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
        rotation, tangent = nearest_rotation(dim, dtype), cls.tangent(dim, dtype)
        flat = flattened(dim, dtype)

        @wp.func(module="unique")
        def psi(F: mat, lam: dtype, mu: dtype):
            R = rotation(F)
            D = F - R
            t = wp.ddot(R, D)
            return mu * wp.ddot(D, D) + dtype(0.5) * lam * t * t

        @wp.func(module="unique")
        def stress(F: mat, lam: dtype, mu: dtype):
            R = rotation(F)
            D = F - R
            return dtype(2.0) * mu * D + lam * wp.ddot(R, D) * R

        @wp.func(module="unique")
        def dstress(F: mat, dF: mat, lam: dtype, mu: dtype):
            p = tangent(F, lam, mu) @ flat(dF)
            dP = mat()
            for i in range(dim):
                for j in range(dim):
                    dP[i, j] = p[i * dim + j]
            return dP

        return Functions(psi, stress, dstress)

    @classmethod
    @cache
    def tangent(cls, dim: int, dtype: Any) -> Callable:
        """Return A(F, lam, mu) = 2 mu I + lam R x R + (lam tr(S - I) - 2 mu) dR/dF."""
        n = dim * dim
        mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
        rotation, turning = nearest_rotation(dim, dtype), _turning(dim, dtype)
        flat = flattened(dim, dtype)

        @wp.func(module="unique")
        def tangent(F: mat, lam: dtype, mu: dtype):
            R = rotation(F)
            r = flat(R)
            two_mu = dtype(2.0) * mu
            A = wp.outer(lam * r, r)
            A += (lam * wp.ddot(R, F - R) - two_mu) * turning(R, wp.transpose(R) @ F)
            for i in range(n):
                A[i, i] += two_mu
            return A

        return tangent

    @classmethod
    @cache
    def principal(cls, dtype: Any) -> Callable:
        """Return (s, lam, mu) -> t, K."""
        vec3 = wp.types.vector(3, dtype)

        @wp.func(module="unique")
        def state(s: vec3, lam: dtype, mu: dtype):
            two_mu = dtype(2.0) * mu
            p = lam * (s[0] + s[1] + s[2] - dtype(3.0)) - two_mu
            t = wp.cw_mul(s, two_mu * s + vec3(p, p, p))
            return t, lam * wp.outer(s, s) + wp.diag(t + two_mu * wp.cw_mul(s, s))

        return state


@cache
def _turning(dim: int, dtype: Any) -> Callable:
    """Return the Warp function dR/dF(R, S) = T^T B^-1 T,   B = tr(S) I - S,   T_m = R [e_m]x.

    In 2D there is one axis, and B = tr(S).
    """
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    turns = wp.types.matrix(shape=(3, 9), dtype=dtype)
    cofactor, flat = invariants(dim, dtype).cofactor, flattened(dim, dtype)
    # Where two signed singular values cancel, dR is unbounded. Capped, not dropped: the large
    # negative curvature that remains is what tells the projection to act.
    floor = wp.constant(dtype(1e-6 if dtype is wp.float64 else 1e-3))

    if dim == 2:

        @wp.func(module="unique")
        def planar(R: mat, S: mat):
            t = flat(mat(R[0, 1], -R[0, 0], R[1, 1], -R[1, 0]))
            return wp.outer(t / wp.max(wp.trace(S), floor), t)

        return planar

    @wp.func(module="unique")
    def spatial(R: mat, S: mat):
        # The eigenvalues of B are sums of two signed singular values, none negative.
        t = wp.trace(S) + floor * floor
        I = wp.identity(n=dim, dtype=dtype)
        B = wp.trace(S) * I - S
        if wp.determinant(B) < floor * t * t * t:
            B += floor * t * I
        K = cofactor(B)  # symmetric, so also the adjugate
        T = turns()
        for m in range(3):
            j, k = (m + 1) % 3, (m + 2) % 3
            for i in range(3):
                T[m, i * 3 + j] = R[i, k]
                T[m, i * 3 + k] = -R[i, j]
        return wp.transpose(T) @ ((dtype(1.0) / wp.dot(K[0], B[0])) * K @ T)

    return spatial
