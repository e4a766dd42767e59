# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The positive semi-definite part of dP/dF, computed only where it differs from dP/dF."""

from collections.abc import Callable
from functools import cache
from typing import Any

import warp as wp

from .base import Material
from .principal import positive_part, principal_frame
from .tangent import flattened


@cache
def projected_tangent(material: type[Material], dim: int, dtype: Any) -> Callable:
    """Return the Warp function A+(F, lam, mu): dP/dF with its negative eigenvalues set to zero.

        F = U diag(s) V^T,   A(F) = (U x V) A(diag s) (U x V)^T,   A+ = (U x V) A(diag s)+ (U x V)^T

    In the principal frame A has one d x d block (the stretches) and, for each pair ij, a block
    ((p, q), (q, p)) with the eigenvalues p + q and p - q (shear and spin).
    Source: [smith2019], with the blocks read off `dstress` instead of derived by hand, so
    one function serves every isotropic material. Units: [Pa].

    Anisotropic materials, whose principal blocks are full, bring their own.
    """
    own = material.projected(dim, dtype)
    if own is not None:
        return own
    tangent = material.tangent(dim, dtype)
    if material.constant_hessian:
        return tangent

    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    frame = principal_frame(dim, dtype)
    clamped, assembled = positive_blocks(dim, dtype), principal_tangent(dim, dtype)
    tangent_definite = definite_tangent(dim, dtype)

    @wp.func(module="unique")
    def projected(F: mat, lam: dtype, mu: dtype):
        A = tangent(F, lam, mu)
        if tangent_definite(A, mu + wp.abs(lam)):
            return A
        half = dtype(0.5)
        U, s, V = frame(F)
        B = tangent(wp.diag(s), lam, mu)
        stretch, pairs = mat(), mat()
        for i in range(dim):
            for j in range(dim):
                stretch[i, j] = B[i * dim + i, j * dim + j]
                if i != j:
                    # Averaged over ij and ji, which differ where R or F^-T are ill-conditioned:
                    # the result is then semi-definite by construction.
                    ij, ji = i * dim + j, j * dim + i
                    p = half * (B[ij, ij] + B[ji, ji])
                    q = half * (B[ij, ji] + B[ji, ij])
                    pairs[i, j] = p + wp.where(i < j, q, -q)
        stretch, pairs = clamped(stretch, pairs)
        return assembled(U, V, stretch, pairs)

    return projected


@cache
def positive_blocks(dim: int, dtype: Any) -> Callable:
    """Return the Warp function of the positive part of the blocks that `principal_tangent` takes."""
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    positive, definite = positive_part(dim, dtype), _definite(dim, dtype)

    @wp.func(module="unique")
    def clamped(stretch: mat, pairs: mat):
        D = stretch
        if not definite(stretch):
            D = positive(stretch)
        P = mat()
        for i in range(dim):
            for j in range(dim):
                P[i, j] = wp.max(pairs[i, j], dtype(0.0))
        return D, P

    return clamped


@cache
def principal_tangent(dim: int, dtype: Any) -> Callable:
    """Return the Warp function A(U, V, stretch, pairs) of an isotropic energy w(s), F = U diag(s) V^T.

        stretch_ij = d2w / ds_i ds_j
        pairs_ij = (w_i - w_j)/(s_i - s_j)   for i < j, shear
        pairs_ij = (w_i + w_j)/(s_i + s_j)   for i > j, spin

    Source: [smith2019]. Units: all [Pa].
    """
    n = dim * dim
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    vec = wp.types.vector(length=dim, dtype=dtype)
    big = wp.types.matrix(shape=(n, n), dtype=dtype)
    long = wp.types.vector(length=n, dtype=dtype)
    flat = flattened(dim, dtype)

    @wp.func(module="unique")
    def dyad(U: mat, V: mat, i: int, j: int):
        u, v = vec(), vec()
        for k in range(dim):
            u[k] = U[k, i]
            v[k] = V[k, j]
        return flat(wp.outer(u, v))

    @wp.func(module="unique")
    def assembled(U: mat, V: mat, stretch: mat, pairs: mat):
        # A sum of products of principal directions, seen through U and V: one for each stretch
        # with what the stretches map it to, and the shear (i < j) and spin (i > j) of each pair.
        A = big()
        for i in range(dim):
            for j in range(dim):
                left, right = dyad(U, V, i, j), long()
                if i == j:
                    for k in range(dim):
                        right += stretch[i, k] * dyad(U, V, k, k)
                else:
                    sign = wp.where(i < j, dtype(1.0), dtype(-1.0))
                    left += sign * dyad(U, V, j, i)
                    right = dtype(0.5) * pairs[i, j] * left
                for r in range(n):
                    A[r] += left[r] * right
        return A

    return assembled


@cache
def definite_tangent(dim: int, dtype: Any) -> Callable:
    """Return the Warp function (A, stiffness) -> whether A need not be projected.

    A spin costs no energy at rest: its eigenvalue is zero up to rounding, a few epsilon times the
    stiffness. Without a shift every resting cell would be projected, to no effect. The shift lets
    through a compression of this strain: far below what a solver can notice, above the rounding.
    """
    big = wp.types.matrix(shape=(dim * dim, dim * dim), dtype=dtype)
    shifted = _tangent_definite(dim, dtype)
    slack = wp.constant(dtype(1e-11 if dtype is wp.float64 else 1e-5))

    @wp.func(module="unique")
    def definite(A: big, stiffness: dtype):
        return shifted(A, slack * stiffness)

    return definite


@cache
def _definite(dim: int, dtype: Any) -> Callable:
    """Return whether a symmetric d x d matrix is positive definite: its leading minors; NaN is no."""
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)

    @wp.func(module="unique")
    def definite(M: mat):
        minor = M[0, 0] * M[1, 1] - M[0, 1] * M[1, 0]
        return M[0, 0] > dtype(0.0) and minor > dtype(0.0) and wp.determinant(M) > dtype(0.0)

    return definite


@cache
def _tangent_definite(dim: int, dtype: Any) -> Callable:
    """Return whether A + shift I is positive definite, by its Cholesky factor in d x d blocks.

    Blocks, because entry by entry each of the d^2 pivots waits for a division of the one before.
    """
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    big = wp.types.matrix(shape=(dim * dim, dim * dim), dtype=dtype)
    definite = _definite(dim, dtype)

    @wp.func(module="unique")
    def block(A: big, i: int, j: int):
        M = mat()
        for k in range(dim):
            for l in range(dim):
                M[k, l] = A[i * dim + k, j * dim + l]
        return M

    if dim == 2:

        @wp.func(module="unique")
        def planar(A: big, shift: dtype):
            I = shift * wp.identity(n=dim, dtype=dtype)
            first, below = block(A, 0, 0) + I, block(A, 1, 0)
            if not definite(first):
                return False
            return definite(block(A, 1, 1) + I - below @ wp.inverse(first) @ wp.transpose(below))

        return planar

    @wp.func(module="unique")
    def spatial(A: big, shift: dtype):
        I = shift * wp.identity(n=dim, dtype=dtype)
        first, up, low = block(A, 0, 0) + I, block(A, 1, 0), block(A, 2, 0)
        if not definite(first):
            return False
        inverse = wp.inverse(first)
        second = block(A, 1, 1) + I - up @ inverse @ wp.transpose(up)
        if not definite(second):
            return False
        low_inverse = low @ inverse
        beside = block(A, 2, 1) - low_inverse @ wp.transpose(up)
        third = block(A, 2, 2) + I - low_inverse @ wp.transpose(low)
        return definite(third - beside @ wp.inverse(second) @ wp.transpose(beside))

    return spatial
