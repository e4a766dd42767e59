# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Linear elasticity."""

from collections.abc import Callable
from functools import cache
from typing import Any

import warp as wp

from .base import Functions, Material
from .tangent import tangent_by_invariants


class Linear(Material):
    """Linear elasticity: Hooke's law on the Cauchy strain of small displacements.

        e = (F + F^T)/2 - I,   psi = mu e:e + lam/2 tr(e)^2,   P = 2 mu e + lam tr(e) I

    Source: [sifakis2012] "Linear elasticity". Units: psi [J/m^3], P [Pa].

    Its Hessian is constant, so one factorisation lasts for ever. Not for anything that rotates:
    a rotation by t radians reads as a compression of t^2/2, and the body swells to undo it.
    """

    constant_hessian = True
    rotation_invariant = False

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> Functions:
        """Return (psi, stress, dstress)."""
        mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)

        @wp.func(module="unique")
        def hooke(e: mat, lam: dtype, mu: dtype):
            return dtype(2.0) * mu * e + lam * wp.trace(e) * wp.identity(n=dim, dtype=dtype)

        @wp.func(module="unique")
        def cauchy(F: mat):
            return dtype(0.5) * (F + wp.transpose(F)) - wp.identity(n=dim, dtype=dtype)

        @wp.func(module="unique")
        def psi(F: mat, lam: dtype, mu: dtype):
            e = cauchy(F)
            return dtype(0.5) * wp.ddot(hooke(e, lam, mu), e)

        @wp.func(module="unique")
        def stress(F: mat, lam: dtype, mu: dtype):
            return hooke(cauchy(F), lam, mu)

        @wp.func(module="unique")
        def dstress(F: mat, dF: mat, lam: dtype, mu: dtype):
            return hooke(dtype(0.5) * (dF + wp.transpose(dF)), lam, mu)

        return Functions(psi, stress, dstress)

    @classmethod
    @cache
    def tangent(cls, dim: int, dtype: Any) -> Callable:
        """Return A(F, lam, mu) = dP/dF, by dF^T = tr(dF) I - dcof(I) : dF."""
        mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
        assemble = tangent_by_invariants(dim, dtype)

        @wp.func(module="unique")
        def tangent(F: mat, lam: dtype, mu: dtype):
            one = wp.identity(n=dim, dtype=dtype)
            return assemble(one, one, mu, dtype(0.0), lam + mu, -mu)

        return tangent
