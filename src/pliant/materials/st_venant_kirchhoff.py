# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""St. Venant-Kirchhoff material."""

from collections.abc import Callable
from functools import cache
from typing import Any

import warp as wp

from .base import Functions, Material
from .invariants import invariants


class StVenantKirchhoff(Material):
    """St. Venant-Kirchhoff: Hooke's law on the Green strain, the material of the thesis.

        E = (F^T F - I)/2,   psi = mu E:E + lam/2 tr(E)^2,   P = F S,   S = 2 mu E + lam tr(E) I

    Source: [young2007] (3.2), (3.15), (3.17). Units: psi [J/m^3], P [Pa].

    Exact under rotation. Not for strong compression: below a stretch of 1/sqrt(3) it softens, and
    it lets cells collapse and invert at finite cost; a mirror image of the body has no energy.
    """

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> Functions:
        """Return (psi, stress, dstress)."""
        mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
        green = invariants(dim, dtype).green

        @wp.func(module="unique")
        def hooke(E: mat, lam: dtype, mu: dtype):
            return dtype(2.0) * mu * E + lam * wp.trace(E) * wp.identity(n=dim, dtype=dtype)

        @wp.func(module="unique")
        def psi(F: mat, lam: dtype, mu: dtype):
            E = green(F)
            return dtype(0.5) * wp.ddot(hooke(E, lam, mu), E)

        @wp.func(module="unique")
        def stress(F: mat, lam: dtype, mu: dtype):
            return F @ hooke(green(F), lam, mu)

        @wp.func(module="unique")
        def dstress(F: mat, dF: mat, lam: dtype, mu: dtype):
            C = wp.transpose(F) @ dF
            dE = dtype(0.5) * (C + wp.transpose(C))
            return dF @ hooke(green(F), lam, mu) + F @ hooke(dE, lam, mu)

        return Functions(psi, stress, dstress)

    @classmethod
    @cache
    def principal(cls, dtype: Any) -> Callable:
        """Return (s, lam, mu) -> t, K."""
        vec3 = wp.types.vector(3, dtype)

        @wp.func(module="unique")
        def state(s: vec3, lam: dtype, mu: dtype):
            C = wp.cw_mul(s, s)
            p = dtype(0.5) * lam * (C[0] + C[1] + C[2] - dtype(3.0)) - mu
            t = wp.cw_mul(C, mu * C + vec3(p, p, p))
            return t, lam * wp.outer(C, C) + wp.diag(dtype(2.0) * (t + mu * wp.cw_mul(C, C)))

        return state
