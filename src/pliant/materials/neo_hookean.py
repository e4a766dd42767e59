# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Compressible neo-Hookean material with a logarithmic barrier against inversion."""

from collections.abc import Callable
from functools import cache
from typing import Any

import warp as wp

from .base import Functions, Material
from .invariants import invariants
from .tangent import tangent_by_invariants


class NeoHookean(Material):
    """Neo-Hookean: rubber whose energy grows without bound as a cell is crushed flat.

        psi = mu/2 (I_C - d) - mu ln J + lam/2 ln(J)^2,   I_C = tr F^T F,  J = det F
        P = mu (F - F^-T) + lam ln(J) F^-T

    Source: [bonet2008] section 6.4.3. Units: psi [J/m^3], P [Pa].

    psi = +inf for J <= 0, so a line search backs off and cells never invert. Not for starts with
    inverted cells (use StableNeoHookean): there is no finite energy to descend from.
    """

    finite_when_inverted = False

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> Functions:
        """Return (psi, stress, dstress)."""
        mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
        inv = invariants(dim, dtype)
        green, cofactor, log_volume = inv.green, inv.cofactor, inv.log_volume

        @wp.func(module="unique")
        def psi(F: mat, lam: dtype, mu: dtype):
            if wp.determinant(F) <= dtype(0.0):
                return dtype(wp.inf)
            E = green(F)
            lnJ = log_volume(F, E)
            return mu * (wp.trace(E) - lnJ) + dtype(0.5) * lam * lnJ * lnJ

        @wp.func(module="unique")
        def stress(F: mat, lam: dtype, mu: dtype):
            lnJ = log_volume(F, green(F))
            return mu * F + ((lam * lnJ - mu) / wp.determinant(F)) * cofactor(F)

        @wp.func(module="unique")
        def dstress(F: mat, dF: mat, lam: dtype, mu: dtype):
            lnJ = log_volume(F, green(F))
            FinvT = cofactor(F) / wp.determinant(F)
            turned = FinvT @ wp.transpose(dF) @ FinvT
            return mu * dF + (mu - lam * lnJ) * turned + (lam * wp.ddot(FinvT, dF)) * FinvT

        return Functions(psi, stress, dstress)

    @classmethod
    @cache
    def tangent(cls, dim: int, dtype: Any) -> Callable:
        """Return A(F, lam, mu) = dP/dF, from g(J) = lam/2 ln(J)^2 - mu ln J."""
        mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
        inv, assemble = invariants(dim, dtype), tangent_by_invariants(dim, dtype)
        green, cofactor, log_volume = inv.green, inv.cofactor, inv.log_volume

        @wp.func(module="unique")
        def tangent(F: mat, lam: dtype, mu: dtype):
            lnJ = log_volume(F, green(F))
            r = dtype(1.0) / wp.determinant(F)
            slope = (lam * lnJ - mu) * r
            return assemble(F, cofactor(F), mu, dtype(0.0), (lam * r - slope) * r, slope)

        return tangent

    @classmethod
    @cache
    def principal(cls, dtype: Any) -> Callable:
        """Return (s, lam, mu) -> t, K."""
        vec3, mat3 = wp.types.vector(3, dtype), wp.types.matrix((3, 3), dtype)

        @wp.func(module="unique")
        def state(s: vec3, lam: dtype, mu: dtype):
            C = wp.cw_mul(s, s)
            p = lam * wp.log(s[0] * s[1] * s[2]) - mu
            return mu * C + vec3(p, p, p), mat3(lam) + wp.diag(dtype(2.0) * mu * C)

        return state
