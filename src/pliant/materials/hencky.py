# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Hencky material: Hooke's law of the logarithmic strain."""

from collections.abc import Callable
from functools import cache
from typing import Any

import warp as wp

from .base import Functions, Material
from .invariants import invariants
from .principal import symmetric_eigen
from .projection import principal_tangent


class Hencky(Material):
    """Hencky: Hooke's law on the logarithmic strain, the material of metals that flow.

        e_i = ln s_i,   psi = mu sum e_i^2 + lam/2 (sum e_i)^2,   P = U diag(t_i / s_i) V^T
        t_i = 2 mu e_i + lam sum e_i,   F = U diag(s) V^T

    t_i are the principal Kirchhoff stresses, linear in e: a bar has t = young ln(length/rest), in
    tension as in compression. Source: [bonet2008] section 6.6. Units: psi [J/m^3], P, t [Pa].

    psi = +inf for det F <= 0. Not for rubber at large stretch, whose stress grows where this one falls:
    above a stretch of e = 2.7 the force of a bar decreases. For `pl.Plastic`, whose elastic strains are
    small, it is the natural one.
    """

    finite_when_inverted = False
    spectral = True

    @classmethod
    @cache
    def functions(cls, dim: int, dtype: Any) -> Functions:
        """Return (psi, stress, dstress)."""
        mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
        vec = wp.types.vector(length=dim, dtype=dtype)
        spectrum, tangent = _spectrum(dim, dtype), cls.tangent(dim, dtype)
        total = _total(dim, dtype)

        @wp.func(module="unique")
        def psi(F: mat, lam: dtype, mu: dtype):
            if wp.determinant(F) <= dtype(0.0):
                return dtype(wp.inf)
            e, _square, _rows = spectrum(F)
            t = total(e)
            return mu * wp.dot(e, e) + dtype(0.5) * lam * t * t

        @wp.func(module="unique")
        def stress(F: mat, lam: dtype, mu: dtype):
            e, square, rows = spectrum(F)
            t = lam * total(e)
            along = vec()
            for i in range(dim):
                along[i] = (dtype(2.0) * mu * e[i] + t) / square[i]
            return F @ wp.transpose(rows) @ wp.diag(along) @ rows

        @wp.func(module="unique")
        def dstress(F: mat, dF: mat, lam: dtype, mu: dtype):
            A = tangent(F, lam, mu)
            dP = mat()
            for i in range(dim):
                for j in range(dim):
                    for k in range(dim):
                        for l in range(dim):
                            dP[i, j] += A[i * dim + j, k * dim + l] * dF[k, l]
            return dP

        return Functions(psi, stress, dstress)

    @classmethod
    @cache
    def tangent(cls, dim: int, dtype: Any) -> Callable:
        """Return A(F, lam, mu) = dP/dF, from the second derivatives in the principal frame."""
        mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
        vec = wp.types.vector(length=dim, dtype=dtype)
        spectrum, total = _spectrum(dim, dtype), _total(dim, dtype)
        assembled = principal_tangent(dim, dtype)
        # Stretches closer than this share have a quotient that rounds worse than its limit.
        near = wp.constant(dtype(1e-5 if dtype is wp.float64 else 3e-3))

        @wp.func(module="unique")
        def tangent(F: mat, lam: dtype, mu: dtype):
            e, square, rows = spectrum(F)
            t = lam * total(e)
            s, w = vec(), vec()
            for i in range(dim):
                s[i] = wp.sqrt(square[i])
                w[i] = (dtype(2.0) * mu * e[i] + t) / s[i]
            stretch, pairs = mat(), mat()
            for i in range(dim):
                for j in range(dim):
                    stretch[i, j] = lam / (s[i] * s[j])
                stretch[i, i] += dtype(2.0) * mu / square[i] - w[i] / s[i]
            for i in range(dim):
                for j in range(i + 1, dim):
                    gap, sum = s[i] - s[j], s[i] + s[j]
                    pairs[i, j] = dtype(0.5) * (stretch[i, i] + stretch[j, j]) - stretch[i, j]
                    if wp.abs(gap) > near * sum:
                        pairs[i, j] = (w[i] - w[j]) / gap
                    pairs[j, i] = (w[i] + w[j]) / sum
            V = wp.transpose(rows)
            U = F @ V
            for i in range(dim):
                for j in range(dim):
                    U[i, j] = U[i, j] / s[j]
            return assembled(U, V, stretch, pairs)

        return tangent

    @classmethod
    @cache
    def principal(cls, dtype: Any) -> Callable:
        """Return (s, lam, mu) -> t, K."""
        vec3, mat3 = wp.types.vector(3, dtype), wp.types.matrix((3, 3), dtype)

        @wp.func(module="unique")
        def state(s: vec3, lam: dtype, mu: dtype):
            e = vec3(wp.log(s[0]), wp.log(s[1]), wp.log(s[2]))
            two_mu, t = dtype(2.0) * mu, lam * (e[0] + e[1] + e[2])
            return two_mu * e + vec3(t, t, t), mat3(lam) + two_mu * wp.identity(n=3, dtype=dtype)

        return state

    @classmethod
    @cache
    def von_mises_bound(cls, dtype: Any) -> Callable:
        """Return (F, mu) -> sqrt(3/2) mu d / (1 - d), where d is the norm of dev(F^T F) over its mean.

        ln(F^T F) is a mean and ln(1 + D), |D| = d, whose series is below d / (1 - d).
        """
        mat3 = wp.types.matrix((3, 3), dtype)
        factor = wp.constant(dtype(1.5**0.5))

        @wp.func(module="unique")
        def bound(F: mat3, mu: dtype):
            C = wp.transpose(F) @ F
            mean = wp.trace(C) / dtype(3.0)
            D = C - mean * wp.identity(n=3, dtype=dtype)
            d = wp.sqrt(wp.ddot(D, D)) / mean
            if d >= dtype(0.5):
                return dtype(wp.inf)
            return factor * mu * d / (dtype(1.0) - d)

        return bound


@cache
def _spectrum(dim: int, dtype: Any) -> Callable:
    """Return the Warp function F -> ln s, s^2, and the rows V^T of   F = U diag(s) V^T.

    ln s = ln(1 + 2 E_i)/2 through the Green strain, so that small strains keep their digits.
    """
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    vec = wp.types.vector(length=dim, dtype=dtype)
    inv, eigen = invariants(dim, dtype), symmetric_eigen(dim, dtype)
    green, log1p = inv.green, inv.log1p
    # Stretches below this count as this: the logarithm of a vanished cell is no number.
    least = wp.constant(dtype(1e-30 if dtype is wp.float64 else 1e-12))

    @wp.func(module="unique")
    def spectrum(F: mat):
        E, rows = eigen(green(F))
        e, square = vec(), vec()
        for i in range(dim):
            twice = wp.max(dtype(2.0) * E[i], least - dtype(1.0))
            square[i] = wp.max(dtype(1.0) + twice, least)
            e[i] = dtype(0.5) * wp.where(square[i] > least, log1p(twice), wp.log(least))
        return e, square, rows

    return spectrum


@cache
def _total(dim: int, dtype: Any) -> Callable:
    vec = wp.types.vector(length=dim, dtype=dtype)

    @wp.func(module="unique")
    def total(e: vec):
        t = e[0]
        for i in range(1, dim):
            t += e[i]
        return t

    return total
