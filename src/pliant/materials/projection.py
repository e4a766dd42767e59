# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The positive semi-definite part of dP/dF, computed only where it differs from dP/dF."""

from collections.abc import Callable
from functools import cache
from typing import Any

import warp as wp

from pliant.materials.base import Material
from pliant.materials.principal import positive_part, principal_frame


@cache
def projected_tangent(material: type[Material], dim: int, dtype: Any) -> Callable:
    """Return the Warp function A+(F, lam, mu): dP/dF with its negative eigenvalues set to zero.

        F = U diag(s) V^T,   A(F) = (U x V) A(diag s) (U x V)^T,   A+ = (U x V) A(diag s)+ (U x V)^T

    In the principal frame A has one d x d block (the stretches) and, for each pair ij, a block
    ((p, q), (q, p)) with the eigenvalues p + q and p - q (shear and spin).
    Source: [smith2019], with the blocks read off `dstress` instead of derived by hand, so
    one function serves every isotropic material. Units: [Pa].

    Not for anisotropic materials: their principal blocks are full.
    """
    tangent = material.tangent(dim, dtype)
    if material.constant_hessian:
        return tangent

    real, n = dtype, dim * dim
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    big = wp.types.matrix(shape=(n, n), dtype=dtype)
    definite, frame = _definite(dim, dtype), principal_frame(dim, dtype)
    positive = positive_part(dim, dtype)
    # A spin costs no energy at rest: its eigenvalue is zero up to rounding, a few epsilon times lam
    # or mu. Without a shift every resting cell would be projected, to no effect. The shift lets
    # through a compression of this strain: far below what a solver can notice, above the rounding.
    slack = wp.constant(dtype(1e-11 if dtype is wp.float64 else 1e-5))

    @wp.func(module="unique")
    def projected(F: mat, lam: real, mu: real):
        A = tangent(F, lam, mu)
        if definite(A, slack * (mu + wp.abs(lam))):
            return A
        zero, half = real(0.0), real(0.5)
        U, s, V = frame(F)
        B = tangent(wp.diag(s), lam, mu)
        stretch = mat()
        for i in range(dim):
            for j in range(dim):
                stretch[i, j] = B[i * dim + i, j * dim + j]
        stretch = positive(stretch)
        # A+ = sum over entries of the principal blocks times (u_i x v_j)(u_k x v_l)^T.
        A = big()
        for i in range(dim):
            for j in range(dim):
                rc = i * dim + j
                cr = j * dim + i
                direct = mat()  # what the principal direction ij maps to, in the principal frame
                if i == j:
                    for k in range(dim):
                        direct[k, k] = stretch[k, i]
                else:
                    # Averaged over ij and ji, which differ where R or F^-T are ill-conditioned:
                    # the result is then semi-definite by construction.
                    p = half * (B[rc, rc] + B[cr, cr])
                    q = half * (B[rc, cr] + B[cr, rc])
                    shear, spin = wp.max(p + q, zero), wp.max(p - q, zero)
                    direct[i, j] = half * (shear + spin)
                    direct[j, i] = half * (shear - spin)
                image = U @ direct @ wp.transpose(V)
                for c in range(n):
                    scale = U[c // dim, i] * V[c % dim, j]
                    for r in range(n):
                        A[r, c] += image[r // dim, r % dim] * scale
        return A

    return projected


def _definite(dim: int, dtype: Any) -> Callable:
    """Return whether A + shift I has a Cholesky factor; NaN counts as no."""
    real, n = dtype, dim * dim
    big = wp.types.matrix(shape=(n, n), dtype=dtype)

    @wp.func(module="unique")
    def definite(A: big, shift: real):
        L = big()
        for j in range(n):
            pivot = A[j, j] + shift
            for k in range(j):
                pivot -= L[j, k] * L[j, k]
            if not (pivot > real(0.0)):
                return False
            scale = real(1.0) / wp.sqrt(pivot)
            for i in range(j + 1, n):
                entry = A[i, j]
                for k in range(j):
                    entry -= L[i, k] * L[j, k]
                L[i, j] = entry * scale
        return True

    return definite
