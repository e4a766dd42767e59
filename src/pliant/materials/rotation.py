# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The rotation nearest to a deformation gradient."""

from collections.abc import Callable
from functools import cache
from typing import Any

import warp as wp


@cache
def nearest_rotation(dim: int, dtype: Any) -> Callable:
    """Return the Warp function R(F): the proper rotation that maximises R : F. Dimensionless."""
    mat, both = wp.types.matrix(shape=(dim, dim), dtype=dtype), rotation_and_lever(dim, dtype)

    @wp.func(module="unique")
    def rotation(F: mat):
        R, _L = both(F)
        return R

    return rotation


def lever_type(dim: int, dtype: Any) -> Any:
    """The type of L: a row and a column for each axis of rotation."""
    axes = 1 if dim == 2 else 3
    return wp.types.matrix(shape=(axes, axes), dtype=dtype)


@cache
def rotation_and_lever(dim: int, dtype: Any) -> Callable:
    """Return the Warp function F -> R, L: the nearest rotation, and how it turns as F changes.

        R^T dR = [w]x,   w_m = L_mn (R [e_n]x : dF),   L = (tr(U) I - U)^-1,   U = R^T F

        2D:  R = ((p, -q), (q, p)) / s,   L = 1/s,   s = |(p, q)|,   p = F11 + F22,   q = F21 - F12
        3D:  f = R : F is the largest root of   (f^2 - i1)^2 - 4 i2 - 8 J f = 0
             b = (f^2 - i1)/2,   R = df/dF = ((b + i1) F - F C + f cof F) / (f b - J)
             L = (C + b I) / (f b - J)

    with C = F^T F, i1 = tr C, i2 = (tr(C)^2 - C : C)/2, J = det F. Source: [lin2022], where f
    is the sum of the signed singular values; L by Cayley-Hamilton. R is dimensionless, as F is.

    About five times cheaper than a singular value decomposition. R is not unique where two
    singular values cancel (f b = J, a cell inverted onto itself); an SVD picks one there, and L is
    capped. In 2D there is one axis.
    """
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)
    # Two stretches that cancel leave the rotation undefined; the cap keeps its rate finite there.
    floor = wp.constant(dtype(1e-4))

    if dim == 2:
        lever = lever_type(dim, dtype)

        @wp.func(module="unique")
        def planar(F: mat):
            p, q = F[0, 0] + F[1, 1], F[1, 0] - F[0, 1]
            s = wp.sqrt(p * p + q * q)
            R = wp.identity(n=dim, dtype=dtype)
            if s > dtype(0.0):
                R = mat(p / s, -q / s, q / s, p / s)
            return R, lever(dtype(1.0) / wp.max(s, floor))

        return planar

    root, mended = _largest_root(dtype), _mended(dtype)
    # Rounding grows like epsilon / (f b - J): this keeps R good to about 1e-10 (1e-4).
    unique = wp.constant(dtype(5e-6 if dtype is wp.float64 else 5e-3))
    # Up to here rounding leaves R orthogonal to 1e-14 (1e-5).
    sound = wp.constant(dtype(0.25))

    @wp.func(module="unique")
    def spatial(F: mat):
        I = wp.identity(n=dim, dtype=dtype)
        # What does not wait for a root or a quotient comes first, and sums are short.
        C = wp.transpose(F) @ F
        cof = wp.matrix_from_rows(wp.cross(F[1], F[2]), wp.cross(F[2], F[0]), wp.cross(F[0], F[1]))
        i1 = wp.trace(C)
        if i1 == dtype(0.0):
            return I, (dtype(1.0) / floor) * I
        square = dtype(3.0) / i1
        k = wp.sqrt(square)  # k F has i1 = 3
        C = square * C
        CC = wp.dot(C[0], C[0]) + wp.dot(C[1], C[1]) + wp.dot(C[2], C[2])
        i2 = dtype(0.5) * (dtype(9.0) - CC)
        J = k * square * wp.dot(F[0], cof[0])
        f = root(i2, J)
        b = dtype(0.5) * (f * f - dtype(3.0))
        gap = f * b - J
        s = k / gap
        R = s * ((b + dtype(3.0)) * F - F @ C + (f * k) * cof)
        L = s * (C + b * I)
        if gap < sound or gap < floor * k * square:
            R = mended(F, R, gap < unique)
            U = wp.transpose(R) @ F
            B = wp.trace(U) * I - dtype(0.5) * (U + wp.transpose(U))
            if wp.determinant(B) < floor:
                B += floor * I
            L = wp.inverse(B)
        return R, L

    return spatial


@cache
def _largest_root(dtype: Any) -> Callable:
    """Return the Warp function (i2, J) -> f, the largest root of (f^2 - 3)^2 - 4 i2 - 8 J f = 0.

    3 bounds it from above, and is it where all stretches are equal. There the root is a series in
    Newton's step u: with f = 3 - d and g = 9 - J,

        d = u + a d^2 - c d^3 + e d^4,   u = (9 - i2 - 6 J)/(2 g)
        a = 6/g,   c = 3/(2 g),   e = 1/(8 g)

    reversed by Lagrange's formula. Where u is not small Halley's method descends instead.
    """
    start = wp.constant(dtype(3 * (1 + 1e-6)))
    # The series ends with u^5: what is left out is less than 1e-15 (1e-7).
    near = wp.constant(dtype(3e-3 if dtype is wp.float64 else 5e-2))
    # A last step of `close` times the gap leaves an error of about its cube.
    close = wp.constant(dtype(3e-6 if dtype is wp.float64 else 1e-3))
    rounding = wp.constant(dtype(2e-15 if dtype is wp.float64 else 1e-6))

    @wp.func(module="unique")
    def largest_root(i2: dtype, J: dtype):
        half, two, three = dtype(0.5), dtype(2.0), dtype(3.0)
        g = dtype(1.0) / (dtype(9.0) - J)
        u = half * g * (dtype(9.0) - i2 - dtype(6.0) * J)
        if wp.abs(u) < near:
            a, c, e = dtype(6.0) * g, dtype(1.5) * g, dtype(0.125) * g
            aa = a * a
            fifth = dtype(7.0) * aa * (two * aa - three * c) + dtype(6.0) * a * e + three * c * c
            fourth = dtype(5.0) * a * (aa - c) + e
            return three - u * (
                dtype(1.0) + u * (a + u * (two * aa - c + u * (fourth + u * fifth)))
            )
        f = start
        step = dtype(1.0)
        gap = dtype(0.0)
        count = wp.int32(0)
        while count < 30 and wp.abs(step) > close * gap:  # all four roots are real
            b = half * (f * f - three)
            gap = wp.max(f * b - J, rounding)
            p = b * b - i2 - two * J * f
            step = p * gap / (two * gap * gap - half * p * (b + f * f))
            f -= step
            count += 1
        return f

    return largest_root


@cache
def _mended(dtype: Any) -> Callable:
    """Return the Warp function of a rotation that rounding has stretched, or that is not unique.

    One Newton-Schulz step squares what is left of the deviation from orthogonality. Native, so that it
    stays a call: its registers would cost every other rotation a third of its time.
    """
    real = "double" if dtype is wp.float64 else "float"
    mat = wp.types.matrix(shape=(3, 3), dtype=dtype)
    # float64 also for float32 bodies: Warp's float32 svd3 is only good to about 1e-2.
    snippet = f"""
        typedef wp::mat_t<3, 3, {real}> mat;
        typedef wp::mat_t<3, 3, double> wide;
        struct Rare {{
            __attribute__((noinline)) static CUDA_CALLABLE mat of(mat F, mat R, bool ambiguous) {{
                if (ambiguous) {{
                    wide D, U, V;
                    wp::vec_t<3, double> s;
                    for (int i = 0; i < 3; ++i)
                        for (int j = 0; j < 3; ++j) D.data[i][j] = F.data[i][j];
                    wp::svd3(D, U, s, V);
                    wide Q = wp::mul(U, wp::transpose(V));
                    for (int i = 0; i < 3; ++i)
                        for (int j = 0; j < 3; ++j) R.data[i][j] = ({real})Q.data[i][j];
                    return R;
                }}
                mat S = wp::mul(wp::transpose(R), R);
                for (int i = 0; i < 3; ++i)
                    for (int j = 0; j < 3; ++j)
                        S.data[i][j] = ({real})0.5 * ((i == j ? ({real})3 : ({real})0) - S.data[i][j]);
                return wp::mul(R, S);
            }}
        }};
        return Rare::of(F, R, ambiguous);
    """

    @wp.func_native(snippet)
    def mended(F: mat, R: mat, ambiguous: bool) -> mat: ...

    return mended
