# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Stable neo-Hookean material."""

from collections.abc import Callable
from functools import cache
from typing import Any

import warp as wp

from .base import Functions, Material
from .invariants import invariants
from .tangent import tangent_by_invariants


class StableNeoHookean(Material):
    """Stable neo-Hookean: flesh-like, finite and smooth for every F, also inverted; the default.

        psi = m/2 (I_C - 3) - m/2 ln((I_C + 1)/4) + l/2 (J - alpha)^2 - l/2 (1 - alpha)^2
        m = 4/3 mu,   l = lam + 5/6 mu,   alpha = 1 + 3 m / (4 l)

    Source: [smith2018], its final energy with the log term and its Lame reparametrisation.
    Units: psi [J/m^3], P [Pa].

    The square is multiplied out below, so alpha never appears and psi is 0 at rest. Not for
    extreme compression in which inversion must be impossible: use NeoHookean.
    """

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> Functions:
        """Return (psi, stress, dstress)."""
        mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
        inv = invariants(dim, dtype)
        green, growth, log1p = inv.green, inv.growth, inv.log1p
        cofactor, dcofactor = inv.cofactor, inv.dcofactor
        # Rounded here: Warp would divide the literals in float32.
        four_thirds, five_sixths = wp.constant(dtype(4 / 3)), wp.constant(dtype(5 / 6))

        @wp.func(module="unique")
        def psi(F: mat, lam: dtype, mu: dtype):
            m, l = four_thirds * mu, lam + five_sixths * mu
            E = green(F)
            c = dtype(2.0) * wp.trace(E)  # I_C - 3, in 2D too because F33 = 1
            j = growth(F, E)
            shape = dtype(0.5) * (c - log1p(dtype(0.25) * c)) - dtype(0.75) * j
            return m * shape + dtype(0.5) * l * j * j

        @wp.func(module="unique")
        def stress(F: mat, lam: dtype, mu: dtype):
            m, l = four_thirds * mu, lam + five_sixths * mu
            c = wp.trace(wp.transpose(F) @ F) - dtype(dim)
            j = wp.determinant(F) - dtype(1.0)
            shear = m * (dtype(3.0) + c) / (dtype(4.0) + c)
            return shear * F + (l * j - dtype(0.75) * m) * cofactor(F)

        @wp.func(module="unique")
        def dstress(F: mat, dF: mat, lam: dtype, mu: dtype):
            m, l = four_thirds * mu, lam + five_sixths * mu
            c = wp.trace(wp.transpose(F) @ F) - dtype(dim)
            j = wp.determinant(F) - dtype(1.0)
            cof = cofactor(F)
            soft = dtype(4.0) + c
            dshear = dtype(2.0) * m * wp.ddot(F, dF) / (soft * soft)
            dP = m * (dtype(3.0) + c) / soft * dF + dshear * F
            return dP + l * wp.ddot(cof, dF) * cof + (l * j - dtype(0.75) * m) * dcofactor(F, dF)

        return Functions(psi, stress, dstress)

    @classmethod
    @cache
    def tangent(cls, dim: int, dtype: Any) -> Callable:
        """Return A(F, lam, mu) = dP/dF."""
        mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
        cofactor, assemble = invariants(dim, dtype).cofactor, tangent_by_invariants(dim, dtype)
        four_thirds, five_sixths = wp.constant(dtype(4 / 3)), wp.constant(dtype(5 / 6))

        @wp.func(module="unique")
        def tangent(F: mat, lam: dtype, mu: dtype):
            m, l = four_thirds * mu, lam + five_sixths * mu
            c = wp.trace(wp.transpose(F) @ F) - dtype(dim)
            j = wp.determinant(F) - dtype(1.0)
            soft = dtype(4.0) + c
            shear = m * (dtype(3.0) + c) / soft
            dshear = dtype(2.0) * m / (soft * soft)
            return assemble(F, cofactor(F), shear, dshear, l, l * j - dtype(0.75) * m)

        return tangent

    @classmethod
    @cache
    def principal(cls, dtype: Any) -> Callable:
        """Return (s, lam, mu) -> t, K."""
        vec3, mat3 = wp.types.vector(3, dtype), wp.types.matrix((3, 3), dtype)
        four_thirds, five_sixths = wp.constant(dtype(4 / 3)), wp.constant(dtype(5 / 6))

        @wp.func(module="unique")
        def state(s: vec3, lam: dtype, mu: dtype):
            m, l = four_thirds * mu, lam + five_sixths * mu
            C, J = wp.cw_mul(s, s), s[0] * s[1] * s[2]
            soft = dtype(1.0) + C[0] + C[1] + C[2]
            shear = m - m / soft
            p = (l * (J - dtype(1.0)) - dtype(0.75) * m) * J
            K = wp.outer(dtype(2.0) * m / (soft * soft) * C, C) + mat3(l * J * J + p)
            return shear * C + vec3(p, p, p), K + wp.diag(dtype(2.0) * shear * C)

        return state
