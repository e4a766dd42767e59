# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Positive semi-definite stand-ins for symmetric matrices of any small size."""

from functools import cache
from typing import Any

import warp as wp


@cache
def definite_test(n: int, dtype: Any) -> Any:
    """Return whether A is positive semi-definite up to rounding, by Cholesky's method; NaN is no."""
    mat = wp.types.matrix(shape=(n, n), dtype=dtype)
    # Rounding of a zero eigenvalue, relative to the trace: rigid motions of a stencil have many.
    slack = wp.constant(dtype(1e-13 if dtype is wp.float64 else 1e-6))

    @wp.func(module="unique")
    def definite(A: mat):
        L = mat()
        shift = slack * wp.trace(A)
        for i in range(n):
            for j in range(i + 1):
                entry = A[i, j]
                if i == j:
                    entry += shift
                for k in range(j):
                    entry -= L[i, k] * L[j, k]
                if i == j:
                    if not entry > dtype(0.0):
                        return False
                    L[i, i] = wp.sqrt(entry)
                else:
                    L[i, j] = entry / L[j, j]
        return True

    return definite


@cache
def gauss_newton(n: int, dtype: Any) -> Any:
    """Return the Warp function (C, G, H) -> G G^T + C H where that is semi-definite, else G G^T."""
    mat = wp.types.matrix(shape=(n, n), dtype=dtype)
    vec = wp.types.vector(length=n, dtype=dtype)
    definite = definite_test(n, dtype)

    @wp.func(module="unique")
    def stand_in(C: dtype, G: vec, H: mat):
        first = wp.outer(G, G)
        A = first + C * H
        if definite(A):
            return A
        return first

    return stand_in


@cache
def semidefinite_part(n: int, dtype: Any) -> Any:
    """Return the Warp function (C, G, H) -> G G^T + C H with its negative eigenvalues set to zero.

    Source: [golub2013] section 8.5, the cyclic Jacobi method, which costs some 30 n^3 operations: it
    is run only where it changes something.
    """
    mat = wp.types.matrix(shape=(n, n), dtype=dtype)
    vec = wp.types.vector(length=n, dtype=dtype)
    definite = definite_test(n, dtype)
    small = wp.constant(dtype(1e-30 if dtype is wp.float64 else 1e-14))

    @wp.func(module="unique")
    def off_diagonal(A: mat):
        total = dtype(0.0)
        for i in range(n):
            for j in range(i):
                total += A[i, j] * A[i, j]
        return total

    @wp.func(module="unique")
    def semidefinite(C: dtype, G: vec, H: mat):
        A = wp.outer(G, G) + C * H
        if definite(A):
            return A
        D, Q = A, wp.identity(n=n, dtype=dtype)  # rows of Q: the eigenvectors
        enough = small * wp.ddot(A, A)
        sweep = wp.int32(0)
        while sweep < 12 and off_diagonal(D) > enough:
            for i in range(n):
                for j in range(i):
                    h = D[i, j]
                    if h != dtype(0.0):
                        d = D[j, j] - D[i, i]
                        t = dtype(2.0) * h / (wp.abs(d) + wp.sqrt(d * d + dtype(4.0) * h * h))
                        if d < dtype(0.0):
                            t = -t
                        c = dtype(1.0) / wp.sqrt(t * t + dtype(1.0))
                        s = t * c
                        for k in range(n):
                            a, b = D[k, i], D[k, j]
                            D[k, i] = c * a - s * b
                            D[k, j] = s * a + c * b
                        ri, rj = D[i], D[j]
                        D[i] = c * ri - s * rj
                        D[j] = s * ri + c * rj
                        qi, qj = Q[i], Q[j]
                        Q[i] = c * qi - s * qj
                        Q[j] = s * qi + c * qj
            sweep += 1
        B = mat()
        for i in range(n):
            w = D[i, i]
            if w > dtype(0.0):
                B += w * wp.outer(Q[i], Q[i])
        return B

    return semidefinite
