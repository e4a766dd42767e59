# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Principal frame of a deformation gradient, and the positive part of a small symmetric matrix."""

from collections.abc import Callable
from functools import cache
from typing import Any

import warp as wp

from .rotation import nearest_rotation


@cache
def principal_frame(dim: int, dtype: Any) -> Callable:
    """Return the Warp function F -> U, s, V with rotations U, V and   F = U diag(s) V^T.

        2D:  2 e = F11 + F22,  2 f = F11 - F22,  2 g = F21 + F12,  2 h = F21 - F12
             s = |(e, h)| +- |(f, g)|,   the angles of U and V are (atan2(h, e) +- atan2(g, f)) / 2
        3D:  F = R S,   S = V diag(s) V^T,   U = R V

    At most one of s is negative, if det F is. Source: [blinn1996] (2D). Dimensionless.
    """
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    vec = wp.types.vector(length=dim, dtype=dtype)

    if dim == 2:
        # Not Warp's svd2: it returns U = V = I for every multiple of a rotation (Warp 1.19).
        @wp.func(module="unique")
        def turn(angle: dtype):
            c, s = wp.cos(angle), wp.sin(angle)
            return mat(c, -s, s, c)

        @wp.func(module="unique")
        def planar(F: mat):
            half = dtype(0.5)
            e, f = half * (F[0, 0] + F[1, 1]), half * (F[0, 0] - F[1, 1])
            g, h = half * (F[1, 0] + F[0, 1]), half * (F[1, 0] - F[0, 1])
            mean, spread = wp.sqrt(e * e + h * h), wp.sqrt(f * f + g * g)
            b, a = half * wp.atan2(h, e), half * wp.atan2(g, f)
            return turn(a + b), vec(mean + spread, mean - spread), turn(a - b)

        return planar

    rotation, eigen = nearest_rotation(dim, dtype), symmetric_eigen(dim, dtype)

    @wp.func(module="unique")
    def spatial(F: mat):
        # Twice as fast as Warp's svd3, which in float32 is only good to about 1e-2.
        R = rotation(F)
        S = wp.transpose(R) @ F
        s, rows = eigen(dtype(0.5) * (S + wp.transpose(S)))
        V = wp.transpose(rows)
        return R @ V, s, V

    return spatial


@cache
def positive_part(dim: int, dtype: Any) -> Callable:
    """Return the Warp function A -> A+ = sum_i max(w_i, 0) q_i q_i^T of a symmetric d x d matrix."""
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    eigen = symmetric_eigen(dim, dtype)

    @wp.func(module="unique")
    def positive(A: mat):
        w, rows = eigen(A)
        B = mat()
        for i in range(dim):
            B += wp.outer(wp.max(w[i], dtype(0.0)) * rows[i], rows[i])
        return B

    return positive


@cache
def symmetric_eigen(dim: int, dtype: Any) -> Callable:
    """Return the Warp function A -> w, Q of a symmetric d x d matrix:  A = sum_i w_i q_i q_i^T.

    The q_i are the rows of Q, a rotation. Source: [golub2013] section 8.5, the cyclic Jacobi method.
    """
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    vec = wp.types.vector(length=dim, dtype=dtype)
    # What is left off the diagonal is a relative error of A, wherever the eigenvalues lie.
    small = wp.constant(dtype(1e-14 if dtype is wp.float64 else 4e-7))

    @wp.func(module="unique")
    def tangent(a: dtype, b: dtype, h: dtype):
        # Of the angle that makes ((a, h), (h, b)) diagonal, with the eigenvalues a - t h, b + t h.
        if h == dtype(0.0):
            return dtype(0.0)
        d, e = b - a, h + h
        t = e / (wp.abs(d) + wp.sqrt(d * d + e * e))
        return wp.where(d < dtype(0.0), -t, t)

    if dim == 2:

        @wp.func(module="unique")
        def planar(A: mat):
            h = A[0, 1]
            t = tangent(A[0, 0], A[1, 1], h)
            c = dtype(1.0) / wp.sqrt(t * t + dtype(1.0))
            s = t * c
            return vec(A[0, 0] - t * h, A[1, 1] + t * h), mat(c, -s, s, c)

        return planar

    @wp.func(module="unique")
    def spatial(A: mat):
        # Always the first two axes are turned, then the axes change names: no index is computed,
        # so everything stays in registers.
        a, b, c = A[0, 0], A[1, 1], A[2, 2]
        ab, bc, ca = A[0, 1], A[1, 2], A[2, 0]
        p = vec(dtype(1.0), dtype(0.0), dtype(0.0))
        q = vec(dtype(0.0), dtype(1.0), dtype(0.0))
        r = vec(dtype(0.0), dtype(0.0), dtype(1.0))
        tiny = small * (wp.abs(a) + wp.abs(b) + wp.abs(c) + wp.abs(ab) + wp.abs(bc) + wp.abs(ca))
        count = wp.int32(0)
        while count < 30 and wp.abs(ab) + wp.abs(bc) + wp.abs(ca) > tiny:
            t = tangent(a, b, ab)
            cos = dtype(1.0) / wp.sqrt(t * t + dtype(1.0))
            sin = t * cos
            turned_a, turned_b = a - t * ab, b + t * ab
            turned_bc, turned_ca = cos * bc + sin * ca, cos * ca - sin * bc
            turned_p, turned_q = cos * p - sin * q, sin * p + cos * q
            a, b, c = turned_b, c, turned_a
            ab, bc, ca = turned_bc, turned_ca, dtype(0.0)
            p, q, r = turned_q, r, turned_p
            count += 1
        return vec(a, b, c), wp.matrix_from_rows(p, q, r)

    return spatial


def principal_of(stress: Callable, tangent: Callable, dtype: Any) -> Callable:
    """Return the Warp function (s, lam, mu) -> t_i = s_i dpsi/ds_i and K_ij = dt_i/d ln s_j [Pa].

    From the stress and the tangent of an isotropic material in 3D at F = diag(s).
    """
    vec3, mat3 = wp.types.vector(3, dtype), wp.types.matrix((3, 3), dtype)

    @wp.func(module="unique")
    def state(s: vec3, lam: dtype, mu: dtype):
        F = wp.diag(s)
        P, A = stress(F, lam, mu), tangent(F, lam, mu)
        t, K = vec3(), mat3()
        for i in range(3):
            t[i] = s[i] * P[i, i]
            for j in range(3):
                K[i, j] = s[i] * s[j] * A[4 * i, 4 * j]
            K[i, i] += t[i]
        return t, K

    return state
