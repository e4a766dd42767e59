# mypy: ignore-errors
# Stubs of native functions are Warp's language, which mypy reads as Python.
"""The loops that add blocks of pairs to a block-CSR matrix, in C++: one pass over both."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.backend import Doubles, Ints

from .native import native_kernel


@wp.struct
class Placed:
    """A list of pairs, and where its entries go."""

    rows: Ints
    columns: Ints
    above: Doubles
    number: Ints
    next: Ints
    to_columns: Ints
    to_blocks: Doubles


@wp.struct
class Merged:
    """A matrix, its new entries, and their sum."""

    starts: Ints
    columns: Ints
    blocks: Doubles
    ends: Ints
    added: Ints
    terms: Doubles
    order: Ints
    to_starts: Ints
    to_columns: Ints
    to_blocks: Doubles


@cache
def pair_block_kernels(dim: int) -> Any:
    """Return kernels that count, place and merge blocks of (dim, dim); one thread each.

    Of a list of pairs, those count that join two different points with numbers from 0 on, and whose
    block is not zero. `count` adds to `next` how many entries each row will have, one place behind it;
    `place` writes entries where `next` says, and moves it on; `merge` writes the rows of the matrix with
    their entries, sorted by column, and where each row begins. Sums are in the order of the lists.
    """
    size = f"const int DD = {dim * dim}, D = {dim};"
    return SimpleNamespace(
        count=native_kernel(Placed, size + _COUNT),
        place=native_kernel(Placed, size + _PLACE),
        merge=native_kernel(Merged, size + _MERGE),
    )


#: The points i and j of a pair that counts, and its block b.
_EACH = """
    const int pairs = rows.shape[0];
    for (int e = 0; e < pairs; ++e) {
        if (rows.data[e] == columns.data[e]) continue;
        const int i = number.data[rows.data[e]], j = number.data[columns.data[e]];
        if (i < 0 || j < 0) continue;
        const double* b = above.data + (size_t)e * DD;
        bool zero = true;
        for (int k = 0; k < DD; ++k) zero = zero && b[k] == 0.0;
        if (zero) continue;
"""

_COUNT = (
    _EACH
    + """
        next.data[i + 1] += 1;
        next.data[j + 1] += 1;
    }
"""
)

_PLACE = (
    _EACH
    + """
        const int up = next.data[i]++, down = next.data[j]++;
        to_columns.data[up] = j;
        to_columns.data[down] = i;
        double* u = to_blocks.data + (size_t)up * DD;
        double* d = to_blocks.data + (size_t)down * DD;
        for (int p = 0; p < D; ++p)
            for (int q = 0; q < D; ++q) {
                u[p * D + q] = b[p * D + q];
                d[p * D + q] = b[q * D + p];
            }
    }
"""
)

_MERGE = """
    const int n = starts.shape[0] - 1;
    int* sorted = order.data;
    int at = 0, begin = 0;
    for (int i = 0; i < n; ++i) {
        to_starts.data[i] = at;
        const int end = ends.data[i], count = end - begin;
        for (int k = 0; k < count; ++k) {
            const int column = added.data[begin + k];
            int m = k;
            while (m > 0 && added.data[sorted[m - 1]] > column) { sorted[m] = sorted[m - 1]; --m; }
            sorted[m] = begin + k;
        }
        int k = 0, e = starts.data[i];
        while (e < starts.data[i + 1] || k < count) {
            const int own = e < starts.data[i + 1] ? columns.data[e] : 2147483647;
            const int other = k < count ? added.data[sorted[k]] : 2147483647;
            const int column = own < other ? own : other;
            double* to = to_blocks.data + (size_t)at * DD;
            to_columns.data[at++] = column;
            if (own == column) {
                const double* b = blocks.data + (size_t)(e++) * DD;
                for (int c = 0; c < DD; ++c) to[c] = b[c];
            } else {
                for (int c = 0; c < DD; ++c) to[c] = 0.0;
            }
            for (; k < count && added.data[sorted[k]] == column; ++k) {
                const double* b = terms.data + (size_t)sorted[k] * DD;
                for (int c = 0; c < DD; ++c) to[c] += b[c];
            }
        }
        begin = end;
    }
    to_starts.data[n] = at;
"""
