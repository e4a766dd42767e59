# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Principal frame of a deformation gradient, and the positive part of a small symmetric matrix."""

from collections.abc import Callable
from functools import cache
from typing import Any

import warp as wp


@cache
def principal_frame(dim: int, dtype: Any) -> Callable:
    """Return the Warp function F -> U, s, V with rotations U, V and   F = U diag(s) V^T.

        2D:  2 e = F11 + F22,  2 f = F11 - F22,  2 g = F21 + F12,  2 h = F21 - F12
             s = |(e, h)| +- |(f, g)|,   the angles of U and V are (atan2(h, e) +- atan2(g, f)) / 2

    The last of s carries the sign of det F. Source: [blinn1996] (2D); Warp's svd3 (3D).
    Dimensionless.
    """
    real = dtype
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    vec = wp.types.vector(length=dim, dtype=dtype)

    if dim == 2:
        # Not Warp's svd2: it returns U = V = I for every multiple of a rotation (Warp 1.19).
        @wp.func(module="unique")
        def turn(angle: real):
            c, s = wp.cos(angle), wp.sin(angle)
            return mat(c, -s, s, c)

        @wp.func(module="unique")
        def planar(F: mat):
            half = real(0.5)
            e, f = half * (F[0, 0] + F[1, 1]), half * (F[0, 0] - F[1, 1])
            g, h = half * (F[1, 0] + F[0, 1]), half * (F[1, 0] - F[0, 1])
            mean, spread = wp.sqrt(e * e + h * h), wp.sqrt(f * f + g * g)
            b, a = half * wp.atan2(h, e), half * wp.atan2(g, f)
            return turn(a + b), vec(mean + spread, mean - spread), turn(a - b)

        return planar

    double = wp.types.matrix(shape=(3, 3), dtype=wp.float64)

    @wp.func(module="unique")
    def spatial(F: mat):
        # float64 also for float32 bodies: Warp's float32 svd3 is only good to about 1e-2.
        U, s, V = wp.svd3(double(F))
        return mat(U), vec(s), mat(V)

    return spatial


@cache
def positive_part(dim: int, dtype: Any) -> Callable:
    """Return the Warp function A -> A+ = sum_i max(w_i, 0) q_i q_i^T of a symmetric d x d matrix.

    Source: [golub2013] section 8.5, the cyclic Jacobi method. Not for large matrices: the rotations
    are applied as matrix products, which is the shortest code, and fast for d = 2 and 3 only.
    """
    real = dtype
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    small = wp.constant(dtype(1e-15 if dtype is wp.float64 else 1e-7))

    @wp.func(module="unique")
    def positive(A: mat):
        zero, one, half = real(0.0), real(1.0), real(0.5)
        D = A
        Q = wp.identity(n=dim, dtype=real)
        sweep = wp.int32(0)
        turned = wp.int32(1)
        while sweep < 10 and turned > 0:
            turned = wp.int32(0)
            for i in range(dim):
                for j in range(i + 1, dim):
                    h = D[i, j]
                    if wp.abs(h) > small * (wp.abs(D[i, i]) + wp.abs(D[j, j])):
                        turned = wp.int32(1)
                        theta = half * (D[j, j] - D[i, i]) / h
                        t = one / (wp.abs(theta) + wp.sqrt(theta * theta + one))
                        if theta < zero:
                            t = -t
                        c = one / wp.sqrt(t * t + one)
                        G = wp.identity(n=dim, dtype=real)
                        G[i, i] = c
                        G[j, j] = c
                        G[i, j] = t * c
                        G[j, i] = -t * c
                        D = wp.transpose(G) @ D @ G
                        Q = Q @ G
            sweep += 1
        w = wp.get_diag(D)
        for i in range(dim):
            w[i] = wp.max(w[i], zero)
        return Q @ wp.diag(w) @ wp.transpose(Q)

    return positive
