# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""dP/dF as a small square matrix, assembled from directional derivatives."""

from collections.abc import Callable
from typing import Any

import warp as wp


def tangent_by_columns(dim: int, dtype: Any, dstress: Callable) -> Callable:
    """Return the Warp function A(F, lam, mu) with A[i d + j, k d + l] = dP_ij / dF_kl [Pa].

        column (k, l) of A = dstress(F, e_k e_l^T, lam, mu)

    Source: [bonet2008] chapter 6. Not for materials whose `dstress` starts with something expensive
    that depends on F alone: those override `Material.tangent` and do it once.
    """
    real, n = dtype, dim * dim
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    big = wp.types.matrix(shape=(n, n), dtype=dtype)

    @wp.func(module="unique")
    def tangent(F: mat, lam: real, mu: real):
        A = big()
        for c in range(n):
            dF = mat()
            dF[c // dim, c % dim] = real(1.0)
            dP = dstress(F, dF, lam, mu)
            for r in range(n):
                A[r, c] = dP[r // dim, r % dim]
        return A

    return tangent
