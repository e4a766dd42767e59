# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The law of a material that flows: energy, stress and tangent of one step."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import warp as wp

from .base import Material
from .principal import principal_frame
from .projection import definite_tangent, positive_blocks, principal_tangent, projected_tangent
from .return_mapping import returned


class PlasticFunctions(NamedTuple):
    """Warp functions of the trial deformation gradient F, that is F Fp^-1 with the flow so far.

    All take (F, across, lam, mu, sigma, hardening, left): across: the stretch Fe_33 of a body in plane
    strain, else unused; sigma: the yield stress now; left: how much equivalent strain may still flow.

    psi [J/m^3], stress and tangent [Pa] are those of the incremental energy with respect to F; flowed ->
    D, across, g, where Fe = F D after the flow.
    """

    psi: Callable[..., Any]
    stress: Callable[..., Any]
    flowed: Callable[..., Any]


@cache
def plastic_functions(material: type[Material], dim: int, dtype: Any) -> PlasticFunctions:
    """Return the functions of a material in 2D (plane strain) or 3D.

        w(F) = psi(F) within yield,  else the minimum that `returned` finds for its singular values

    Source: [ortiz1999]. By the envelope theorem the stress is that of the material at the minimum.
    Cells that are inside out do not flow: they are righted first.
    """
    mat, vec = wp.types.matrix((dim, dim), dtype), wp.types.vector(dim, dtype)
    mapped, may_yield = _mapped(material, dim, dtype), _may_yield(material, dtype)
    flat, whole, functions = _flat(dim, dtype), solid(dim, dtype), material.functions(3, dtype)
    energy, first_stress = functions.psi, functions.stress

    @wp.func(module="unique")
    def psi(
        F: mat, across: dtype, lam: dtype, mu: dtype, sigma: dtype, hardening: dtype, left: dtype
    ):
        G = whole(F, across)
        if not may_yield(G, lam, mu, sigma, left):
            return energy(G, lam, mu)
        _U, _s, _V, elastic, g, _t, _M = mapped(F, across, lam, mu, sigma, hardening, left)
        return energy(wp.diag(elastic), lam, mu) + g * (sigma + dtype(0.5) * hardening * g)

    @wp.func(module="unique")
    def stress(
        F: mat, across: dtype, lam: dtype, mu: dtype, sigma: dtype, hardening: dtype, left: dtype
    ):
        G = whole(F, across)
        if not may_yield(G, lam, mu, sigma, left):
            return flat(first_stress(G, lam, mu))
        U, s, V, _elastic, _g, t, _M = mapped(F, across, lam, mu, sigma, hardening, left)
        along = vec()
        for i in range(dim):
            along[i] = t[i] / s[i]
        return U @ wp.diag(along) @ wp.transpose(V)

    @wp.func(module="unique")
    def flowed(
        F: mat, across: dtype, lam: dtype, mu: dtype, sigma: dtype, hardening: dtype, left: dtype
    ):
        G = whole(F, across)
        D, beyond, g = wp.identity(n=dim, dtype=dtype), across, dtype(0.0)
        if may_yield(G, lam, mu, sigma, left):
            _U, s, V, elastic, g, _t, _M = mapped(F, across, lam, mu, sigma, hardening, left)
            if g > dtype(0.0):
                along = vec()
                for i in range(dim):
                    along[i] = elastic[i] / s[i]
                D = V @ wp.diag(along) @ wp.transpose(V)
                if wp.static(dim == 2):
                    beyond = elastic[2]
        return D, beyond, g

    return PlasticFunctions(psi, stress, flowed)


@cache
def plastic_tangent(material: type[Material], dim: int, dtype: Any, project: bool) -> Callable:
    """Return A = d2w/dF2, the consistent tangent, or its positive semi-definite part."""
    mat = wp.types.matrix((dim, dim), dtype)
    mapped, may_yield = _mapped(material, dim, dtype), _may_yield(material, dtype)
    whole, assembled = solid(dim, dtype), principal_tangent(dim, dtype)
    elastic, clamped = _elastic_tangent(material, dim, dtype, project), positive_blocks(dim, dtype)
    near = wp.constant(dtype(1e-5 if dtype is wp.float64 else 3e-3))

    @wp.func(module="unique")
    def tangent(
        F: mat, across: dtype, lam: dtype, mu: dtype, sigma: dtype, hardening: dtype, left: dtype
    ):
        G = whole(F, across)
        if not may_yield(G, lam, mu, sigma, left):
            return elastic(F, G, lam, mu)
        U, s, V, _elastic, _g, t, M = mapped(F, across, lam, mu, sigma, hardening, left)
        stretch, pairs = mat(), mat()
        for i in range(dim):
            for j in range(dim):
                stretch[i, j] = M[i, j] / (s[i] * s[j])
            stretch[i, i] -= t[i] / (s[i] * s[i])
        for i in range(dim):
            for j in range(i + 1, dim):
                gap, sum = s[i] - s[j], s[i] + s[j]
                a, b = t[i] / s[i], t[j] / s[j]
                pairs[i, j] = dtype(0.5) * (stretch[i, i] + stretch[j, j]) - stretch[i, j]
                if wp.abs(gap) > near * sum:
                    pairs[i, j] = (a - b) / gap
                pairs[j, i] = (a + b) / sum
        if wp.static(project):
            stretch, pairs = clamped(stretch, pairs)
        return assembled(U, V, stretch, pairs)

    return tangent


@cache
def solid(dim: int, dtype: Any) -> Callable:
    """Return the Warp function (F, across) -> F as a 3 x 3 matrix, with F33 = across in 2D."""
    mat, mat3 = wp.types.matrix((dim, dim), dtype), wp.types.matrix((3, 3), dtype)

    if dim == 3:

        @wp.func(module="unique")
        def same(F: mat, across: dtype):
            return F

        return same

    @wp.func(module="unique")
    def embedded(F: mat, across: dtype):
        zero = dtype(0.0)
        return mat3(F[0, 0], F[0, 1], zero, F[1, 0], F[1, 1], zero, zero, zero, across)

    return embedded


@cache
def _may_yield(material: type[Material], dtype: Any) -> Callable:
    """Return the Warp function (F, lam, mu, sigma, left) -> whether its principal frame is asked.

    Of a `spectral` material unless it is inside out, or surely within yield. Otherwise where the stress
    is beyond yield.
    """
    mat3 = wp.types.matrix((3, 3), dtype)
    stress, yields = material.functions(3, dtype).stress, yielding(dtype)

    if material.spectral:
        bound = material.von_mises_bound(dtype)

        @wp.func(module="unique")
        def upright(F: mat3, lam: dtype, mu: dtype, sigma: dtype, left: dtype):
            flows = left > dtype(0.0)
            if wp.static(bound is not None):
                flows = flows and bound(F, mu) >= sigma
            return flows and wp.determinant(F) > dtype(0.0)

        return upright

    @wp.func(module="unique")
    def beyond(F: mat3, lam: dtype, mu: dtype, sigma: dtype, left: dtype):
        if not left > dtype(0.0):
            return False
        t = stress(F, lam, mu) @ wp.transpose(F)
        return yields(wp.trace(t), wp.ddot(t, t), sigma) and wp.determinant(F) > dtype(0.0)

    return beyond


@cache
def yielding(dtype: Any) -> Callable:
    """Return the Warp function (trace t, t : t, sigma) -> whether the stress is beyond yield.

    von Mises' norm of the Kirchhoff stress t, which pressure does not change.
    """
    # Stresses that were returned to yield in the last step are there up to rounding.
    slack = wp.constant(dtype(1.0 + (1e-12 if dtype is wp.float64 else 1e-5)))

    @wp.func(module="unique")
    def beyond(trace: dtype, square: dtype, sigma: dtype):
        limit = slack * sigma
        return dtype(1.5) * (square - trace * trace / dtype(3.0)) > limit * limit

    return beyond


@cache
def _mapped(material: type[Material], dim: int, dtype: Any) -> Callable:
    """Return the Warp function of F -> U, s, V, and what `returned` finds for s and `across`.

    Of a `spectral` material within yield: that nothing flows.
    """
    mat, vec3 = wp.types.matrix((dim, dim), dtype), wp.types.vector(3, dtype)
    frame, mapping = principal_frame(dim, dtype), returned(material, dtype)
    at, yields = material.principal(dtype), yielding(dtype)

    @wp.func(module="unique")
    def mapped(
        F: mat, across: dtype, lam: dtype, mu: dtype, sigma: dtype, hardening: dtype, left: dtype
    ):
        U, s, V = frame(F)
        three = vec3(s[0], s[1], across)
        if wp.static(dim == 3):
            three[2] = s[dim - 1]
        if wp.static(material.spectral):
            t, K = at(three, lam, mu)
            if not yields(t[0] + t[1] + t[2], wp.dot(t, t), sigma):
                return U, s, V, three, dtype(0.0), t, K
        elastic, g, t, M = mapping(three, lam, mu, sigma, hardening, left)
        return U, s, V, elastic, g, t, M

    return mapped


@cache
def _flat(dim: int, dtype: Any) -> Callable:
    """Return the Warp function of a 3 x 3 matrix -> its part in the plane of a 2D body."""
    mat, mat3 = wp.types.matrix((dim, dim), dtype), wp.types.matrix((3, 3), dtype)

    if dim == 3:

        @wp.func(module="unique")
        def same(P: mat3):
            return P

        return same

    @wp.func(module="unique")
    def in_plane(P: mat3):
        return mat(P[0, 0], P[0, 1], P[1, 0], P[1, 1])

    return in_plane


@cache
def _elastic_tangent(material: type[Material], dim: int, dtype: Any, project: bool) -> Callable:
    """Return the Warp function (F, F as 3 x 3, lam, mu) -> dP/dF within yield."""
    mat, mat3 = wp.types.matrix((dim, dim), dtype), wp.types.matrix((3, 3), dtype)
    big, big3 = wp.types.matrix((dim * dim, dim * dim), dtype), wp.types.matrix((9, 9), dtype)
    plain = material.tangent(3, dtype)
    chosen = projected_tangent(material, 3, dtype) if project else plain
    definite = definite_tangent(2, dtype)

    if dim == 3:

        @wp.func(module="unique")
        def spatial(F: mat, G: mat3, lam: dtype, mu: dtype):
            return chosen(G, lam, mu)

        return spatial

    @wp.func(module="unique")
    def part(A: big3):
        B = big()
        for i in range(4):
            for j in range(4):
                B[i, j] = A[i + i // 2, j + j // 2]
        return B

    @wp.func(module="unique")
    def planar(F: mat, G: mat3, lam: dtype, mu: dtype):
        A = part(plain(G, lam, mu))
        if wp.static(project) and not definite(A, mu + wp.abs(lam)):
            A = part(chosen(G, lam, mu))
        return A

    return planar
