# mypy: ignore-errors
# Stubs of native functions are Warp's language, which mypy reads as Python.
"""The loops of a sparse factor, in C++ that vectorises by the rows of blocks."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.backend import Doubles, Ints

from .native import native_kernel

#: A pivot of which less than this is left of what it was is rounding, and so is one below this share of
#: the largest entry: the matrix is singular.
ROUNDING, NOTHING = 1e-14, 1e-18


@wp.struct
class Factor:
    """What makes a factor, in the words of `BlockFactor`."""

    starts: Ints
    columns: Ints
    blocks: Doubles
    order: Ints
    place: Ints
    parent: Ints
    mark: Ints
    first: Ints
    work: Ints
    row: Doubles
    rows: Ints
    lower: Doubles
    inverse: Doubles
    failed: Ints


@cache
def block_factor_kernels(dim: int) -> Any:
    """Return kernels that analyse, factorise and solve with blocks of (dim, dim); one thread each.

    The first two take a `Factor`, the others what `solution` makes a struct of; `solve_narrow` reads L
    in float32.

    Source: [davis2005].
    """
    types = _types(dim)
    return SimpleNamespace(
        analyse=native_kernel(Factor, _ANALYSE),
        factorise=native_kernel(Factor, types + _FACTORISE),
        solve=native_kernel(solution(wp.float64), types + _DOUBLE + _SOLVE),
        solve_narrow=native_kernel(solution(wp.float32), types + _SINGLE + _SOLVE),
    )


@cache
def solution(number: Any) -> Any:
    """Return the Warp struct of what a solve with a factor of such numbers takes."""

    @wp.struct
    class Solution:
        order: Ints
        first: Ints
        rows: Ints
        lower: wp.array(dtype=number)
        inverse: Doubles
        given: Doubles
        work: Doubles
        out: Doubles

    return Solution


def _types(dim: int) -> str:
    """Vectors of four numbers, which hold the rows of a block; the last of three reads one beyond."""
    return f"""
        const int D = {dim};
        const double ROUNDING = {ROUNDING}, NOTHING = {NOTHING};
        typedef double four __attribute__((vector_size(32), aligned(8)));
        #define WIDE(p) (*(const four*)(p))
    """


_DOUBLE = """
    typedef double number;
    #define LOAD(p) WIDE(p)
"""
_SINGLE = """
    typedef float number;
    typedef float narrow __attribute__((vector_size(16), aligned(4)));
    #define LOAD(p) __builtin_convertvector(*(const narrow*)(p), four)
"""
#: The elimination tree, and where each column of the factor begins.
_ANALYSE = """
    const int n = order.shape[0];
    for (int k = 0; k < n; ++k) {
        parent.data[k] = -1;
        mark.data[k] = k;
        first.data[k + 1] = 0;
        const int r = order.data[k];
        for (int e = starts.data[r]; e < starts.data[r + 1]; ++e) {
            int i = place.data[columns.data[e]];
            if (i >= k) continue;
            for (; mark.data[i] != k; i = parent.data[i]) {
                if (parent.data[i] < 0) parent.data[i] = k;
                first.data[i + 1] += 1;
                mark.data[i] = k;
            }
        }
    }
    first.data[0] = 0;
    for (int k = 0; k < n; ++k) first.data[k + 1] += first.data[k];
"""

#: Row after row:  Z_i = A_ki - sum_j Z_j L_ij^T,   L_ki = Z_i D_i^-1,   D_k = A_kk - sum L_ki Z_i^T.
#: `lower` has the transposed blocks of each column; `row` has Z, rows of four numbers.
_FACTORISE = """
    const int n = order.shape[0];
    int* count = work.data;
    int* path = work.data + n;
    double* Z = row.data;
    double* L = lower.data;
    failed.data[0] = 0;
    for (int k = 0; k < n; ++k) { count[k] = 0; mark.data[k] = -1; }
    for (int k = 0; k < 4 * D * n; ++k) Z[k] = 0.0;
    double largest = 0.0;
    for (int e = 0; e < blocks.shape[0]; ++e) {
        const double a = blocks.data[e] < 0.0 ? -blocks.data[e] : blocks.data[e];
        if (a > largest) largest = a;
    }
    for (int k = 0; k < n; ++k) {
        int top = n;
        mark.data[k] = k;
        const int r = order.data[k];
        for (int e = starts.data[r]; e < starts.data[r + 1]; ++e) {
            int i = place.data[columns.data[e]];
            if (i > k) continue;
            const double* a = blocks.data + (size_t)e * D * D;
            for (int p = 0; p < D; ++p)
                for (int q = 0; q < D; ++q) Z[(size_t)(i * D + p) * 4 + q] += a[p * D + q];
            int length = 0;
            for (; mark.data[i] != k; i = parent.data[i]) { path[length++] = i; mark.data[i] = k; }
            while (length > 0) path[--top] = path[--length];
        }
        double own[D][D], size[D];
        for (int p = 0; p < D; ++p) {
            for (int q = 0; q < D; ++q) {
                own[p][q] = Z[(size_t)(k * D + p) * 4 + q];
                Z[(size_t)(k * D + p) * 4 + q] = 0.0;
            }
            size[p] = own[p][p] < 0.0 ? -own[p][p] : own[p][p];
        }
        for (; top < n; ++top) {
            const int i = path[top];
            double z[D][D];
            for (int p = 0; p < D; ++p)
                for (int q = 0; q < 4; ++q) {
                    if (q < D) z[p][q] = Z[(size_t)(i * D + p) * 4 + q];
                    Z[(size_t)(i * D + p) * 4 + q] = 0.0;
                }
            const int begin = first.data[i], end = begin + count[i];
            for (int e = begin; e < end; ++e) {
                const double* l = L + (size_t)e * D * D;
                four* to = (four*)(Z + (size_t)rows.data[e] * D * 4);
                four t[D];
                for (int q = 0; q < D; ++q) t[q] = WIDE(l + q * D);
                for (int p = 0; p < D; ++p) {
                    four sum = to[p];
                    for (int q = 0; q < D; ++q) sum -= z[p][q] * t[q];
                    to[p] = sum;
                }
            }
            const double* d = inverse.data + (size_t)i * D * D;
            double* l = L + (size_t)end * D * D;
            for (int p = 0; p < D; ++p)
                for (int q = 0; q < D; ++q) {
                    double sum = 0.0;
                    for (int s = 0; s < D; ++s) sum += z[p][s] * d[s * D + q];
                    l[q * D + p] = sum;
                    for (int s = 0; s < D; ++s) own[p][s] -= sum * z[s][q];
                }
            rows.data[end] = k;
            count[i] += 1;
        }
        // The inverse of a symmetric block by Gauss and Jordan, without pivots.
        double* d = inverse.data + (size_t)k * D * D;
        double m[D][D];
        for (int p = 0; p < D; ++p)
            for (int q = 0; q < D; ++q) {
                m[p][q] = 0.5 * (own[p][q] + own[q][p]);
                d[p * D + q] = p == q ? 1.0 : 0.0;
            }
        for (int p = 0; p < D; ++p) {
            const double left = m[p][p] < 0.0 ? -m[p][p] : m[p][p];
            if (!(left > ROUNDING * size[p] && left > NOTHING * largest)) {
                failed.data[0] = 1;
                return;
            }
            const double s = 1.0 / m[p][p];
            for (int q = 0; q < D; ++q) { m[p][q] *= s; d[p * D + q] *= s; }
            for (int r2 = 0; r2 < D; ++r2) {
                if (r2 == p) continue;
                const double f = m[r2][p];
                for (int q = 0; q < D; ++q) {
                    m[r2][q] -= f * m[p][q];
                    d[r2 * D + q] -= f * d[p * D + q];
                }
            }
        }
    }
"""

#: L y = b,   z = D^-1 y,   L^T x = z.   `work` has rows of four numbers.
_SOLVE = """
    const int n = order.shape[0];
    double* y = work.data;
    const number* L = lower.data;
    for (int k = 0; k < n; ++k) {
        for (int c = 0; c < 4; ++c) y[4 * k + c] = 0.0;
        for (int c = 0; c < D; ++c) y[4 * k + c] = given.data[(size_t)order.data[k] * D + c];
    }
    for (int k = 0; k < n; ++k) {
        double v[D];
        for (int c = 0; c < D; ++c) v[c] = y[4 * k + c];
        const int end = first.data[k + 1];
        for (int e = first.data[k]; e < end; ++e) {
            const number* l = L + (size_t)e * D * D;
            four* to = (four*)(y + 4 * (size_t)rows.data[e]);
            four sum = LOAD(l) * v[0];
            for (int q = 1; q < D; ++q) sum += LOAD(l + q * D) * v[q];
            *to -= sum;
        }
        const double* d = inverse.data + (size_t)k * D * D;
        for (int p = 0; p < D; ++p) {
            double sum = 0.0;
            for (int q = 0; q < D; ++q) sum += d[p * D + q] * v[q];
            y[4 * k + p] = sum;
        }
        for (int p = D; p < 4; ++p) y[4 * k + p] = 0.0;
    }
    for (int k = n - 1; k >= 0; --k) {
        four sums[D];
        for (int q = 0; q < D; ++q) sums[q] = (four){0.0, 0.0, 0.0, 0.0};
        const int end = first.data[k + 1];
        for (int e = first.data[k]; e < end; ++e) {
            const number* l = L + (size_t)e * D * D;
            const four x = *(const four*)(y + 4 * (size_t)rows.data[e]);
            for (int q = 0; q < D; ++q) sums[q] += LOAD(l + q * D) * x;
        }
        for (int q = 0; q < D; ++q) {
            double sum = 0.0;
            for (int c = 0; c < D; ++c) sum += sums[q][c];
            y[4 * k + q] -= sum;
        }
    }
    for (int k = 0; k < n; ++k)
        for (int c = 0; c < D; ++c) out.data[(size_t)order.data[k] * D + c] = y[4 * k + c];
"""
