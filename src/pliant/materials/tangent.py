# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""dP/dF as a small square matrix: from directional derivatives, or from invariants."""

from collections.abc import Callable
from functools import cache
from typing import Any

import warp as wp


def tangent_by_columns(dim: int, dtype: Any, dstress: Callable) -> Callable:
    """Return the Warp function A(F, lam, mu) with A[i d + j, k d + l] = dP_ij / dF_kl [Pa].

        column (k, l) of A = dstress(F, e_k e_l^T, lam, mu)

    Source: [bonet2008] chapter 6. Not for materials whose `dstress` starts with something expensive
    that depends on F alone: those override `Material.tangent` and do it once.
    """
    n = dim * dim
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    big = wp.types.matrix(shape=(n, n), dtype=dtype)
    flat = flattened(dim, dtype)

    @wp.func(module="unique")
    def tangent(F: mat, lam: dtype, mu: dtype):
        A = big()
        for c in range(n):
            dF = mat()
            dF[c // dim, c % dim] = dtype(1.0)
            A[c] = flat(dstress(F, dF, lam, mu))  # A is symmetric, and rows lie together in memory
        return A

    return tangent


@cache
def tangent_by_invariants(dim: int, dtype: Any) -> Callable:
    """Return the Warp function A(F, cof, a, b, c, d) of an energy density f(I_C) + g(J).

        A = a I + b F x F + c cof x cof + d dcof/dF,   a = 2 f',  b = 4 f'',  c = g'',  d = g'

    with I_C = tr F^T F, J = det F, cof = dJ/dF and (F x F) dF = F (F : dF). Source: [smith2018].
    Units: a, b, c, d [Pa]. Halves the time of a Hessian against nine directional derivatives.
    """
    n = dim * dim
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    flat = flattened(dim, dtype)

    @wp.func(module="unique")
    def products(F: mat, cof: mat, a: dtype, b: dtype, c: dtype):
        f, g = flat(F), flat(cof)
        A = wp.outer(b * f, f) + wp.outer(c * g, g)
        for i in range(n):
            A[i, i] += a
        return A

    if dim == 2:

        @wp.func(module="unique")
        def planar(F: mat, cof: mat, a: dtype, b: dtype, c: dtype, d: dtype):
            A = products(F, cof, a, b, c)
            for i in range(n):  # cof = ((F22, -F21), (-F12, F11))
                A[i, n - 1 - i] += wp.where(i % 3 == 0, d, -d)
            return A

        return planar

    @wp.func(module="unique")
    def spatial(F: mat, cof: mat, a: dtype, b: dtype, c: dtype, d: dtype):
        A = products(F, cof, a, b, c)
        G = d * F
        for i in range(3):
            for j in range(3):  # cof_ij = F_kp F_mq - F_kq F_mp with ikm and jpq cyclic
                k, m, p, q = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
                row = i * 3 + j
                A[row, k * 3 + p] += G[m, q]
                A[row, m * 3 + q] += G[k, p]
                A[row, k * 3 + q] -= G[m, p]
                A[row, m * 3 + p] -= G[k, q]
        return A

    return spatial


@cache
def flattened(dim: int, dtype: Any) -> Callable:
    """Return the Warp function M -> its entries in one vector, entry ij at i * dim + j."""
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    long = wp.types.vector(length=dim * dim, dtype=dtype)

    # Spelled out: a loop would pass through memory.
    if dim == 2:

        @wp.func(module="unique")
        def planar(M: mat):
            return long(M[0, 0], M[0, 1], M[1, 0], M[1, 1])

        return planar

    @wp.func(module="unique")
    def spatial(M: mat):
        a, b, c = M[0], M[1], M[2]
        return long(a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2])

    return spatial
