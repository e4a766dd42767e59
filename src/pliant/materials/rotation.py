# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The rotation nearest to a deformation gradient."""

from collections.abc import Callable
from functools import cache
from typing import Any

import warp as wp


@cache
def nearest_rotation(dim: int, dtype: Any) -> Callable:
    """Return the Warp function R(F): the proper rotation that maximises f = R : F.

        2D:  R = ((p, -q), (q, p)) / sqrt(p^2 + q^2),   p = F11 + F22,   q = F21 - F12
        3D:  (f^2 - i1)^2 - 4 i2 - 8 J f = 0 (largest root),   b = (f^2 - i1)/2
             R = df/dF = ((b + i1) F - F C + f cof F) / (f b - J)

    with C = F^T F, i1 = tr C, i2 = (tr(C)^2 - C : C)/2, J = det F. Source: [lin2022], where f
    is the sum of the signed singular values. Dimensionless.

    About five times cheaper than a singular value decomposition. R is not unique where two
    singular values cancel (f b = J, a cell inverted onto itself); an SVD picks one there.
    """
    mat = wp.types.matrix(shape=(dim, dim), dtype=dtype)

    if dim == 2:

        @wp.func(module="unique")
        def planar(F: mat):
            p, q = F[0, 0] + F[1, 1], F[1, 0] - F[0, 1]
            s = wp.sqrt(p * p + q * q)
            if s == dtype(0.0):
                return wp.identity(n=dim, dtype=dtype)
            return mat(p / s, -q / s, q / s, p / s)

        return planar

    # Rounding grows like epsilon / (f b - J): this keeps R good to about 1e-10 (1e-4).
    unique = wp.constant(dtype(1e-6 if dtype is wp.float64 else 1e-3))
    start = wp.constant(dtype(3**0.5 * (1 + 1e-6)))
    # A last step of `close` times the gap leaves an error of about its cube.
    close = wp.constant(dtype(1e-5 if dtype is wp.float64 else 3e-3))
    # Up to here rounding leaves R orthogonal to 1e-14 (1e-5).
    sound = wp.constant(dtype(0.05))
    rounding = wp.constant(dtype(4e-16 if dtype is wp.float64 else 2e-7))
    mended = _mended(dtype)

    @wp.func(module="unique")
    def spatial(F: mat):
        size = wp.sqrt(wp.ddot(F, F))
        if size == dtype(0.0):
            return wp.identity(n=dim, dtype=dtype)
        G = (dtype(1.0) / size) * F  # i1 = 1 from here on
        C = wp.transpose(G) @ G
        J = wp.determinant(G)
        i2 = dtype(0.5) * (dtype(1.0) - wp.ddot(C, C))
        # sqrt(3 i1) bounds f from above and all four roots are real: Halley descends.
        f = start
        step = dtype(1.0)
        gap = dtype(0.0)
        count = wp.int32(0)
        while count < 30 and wp.abs(step) > close * gap:
            b = dtype(0.5) * (f * f - dtype(1.0))
            gap = wp.max(f * b - J, rounding)
            p = b * b - i2 - dtype(2.0) * J * f
            step = p * gap / (dtype(2.0) * gap * gap - dtype(0.5) * p * (b + f * f))
            f -= step
            count += 1
        b = dtype(0.5) * (f * f - dtype(1.0))
        gap = f * b - J
        cof = wp.matrix_from_rows(wp.cross(G[1], G[2]), wp.cross(G[2], G[0]), wp.cross(G[0], G[1]))
        R = (dtype(1.0) / gap) * ((b + dtype(1.0)) * G - G @ C + f * cof)
        if gap < sound:
            R = mended(F, R, gap < unique)
        return R

    return spatial


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
