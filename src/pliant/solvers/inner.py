# mypy: ignore-errors
# Stubs of native functions are Warp's language, which mypy reads as Python.
"""The inner loops of products, in C++ that serves the CPU and CUDA.

Warp's arrays spend ten instructions on every address, and these loops are all loads: written so
they take half the time.
"""

import re
from functools import cache
from typing import Any

import warp as wp

from pliant.backend import Ints, Ints2

from .rows import Storage

#: How many entries are loaded together; what is left goes in smaller batches.
BATCHES = (7, 2, 1)


@cache
def row_product(storage: Storage) -> Any:
    """Return the Warp function (A x)_i of a matrix stored as `Rows`."""
    vec = storage.vec
    Vecs, Mats, Reals = (wp.array(dtype=t) for t in (vec, storage.mat, storage.dtype))

    if not storage.sliced:

        @wp.func_native(_plain_row(storage))
        def plain_row(
            first: Ints, last: Ints, columns: Ints, values: Mats, ground: Mats, x: Vecs, i: int
        ) -> vec: ...

        return plain_row

    @wp.func_native(_loops(_sliced_row(storage)))
    def sliced_row(
        first: Ints, last: Ints, columns: Ints, values: Reals, ground: Mats, x: Vecs, i: int
    ) -> vec: ...

    return sliced_row


@cache
def gathered_sum(storage: Storage) -> Any:
    """Return the Warp function sum_k w_k x_(m_k) over a list stored like a row."""
    Reals, Vecs = wp.array(dtype=storage.dtype), wp.array(dtype=storage.vec)
    # Warp knows native functions by name and by the types of their arguments: two names for two.
    if storage.sliced:

        @wp.func_native(_loops(_gathered_sum(storage)))
        def sliced_sum(
            first: Ints, last: Ints, members: Ints, weights: Reals, x: Vecs, i: int
        ) -> storage.vec: ...

        return sliced_sum

    @wp.func_native(_loops(_gathered_sum(storage)))
    def plain_sum(
        first: Ints, last: Ints, members: Ints, weights: Reals, x: Vecs, i: int
    ) -> storage.vec: ...

    return plain_sum


@cache
def interpolation(storage: Storage) -> Any:
    """Return the Warp function sum_I W_iI u_I over the 2^d parents of a point."""
    dim, number, corners = storage.dim, storage.number, 2**storage.dim
    sums = " ".join(f"t{c} += w[k] * u[(size_t)p[k] * {dim} + {c}];" for c in range(dim))
    snippet = f"""
        const int* p = parents.data + (size_t)i * {corners};
        const {number}* w = weights.data + (size_t)i * {corners};
        const {number}* u = (const {number}*)coarse.data;
        {number} {", ".join(f"t{c} = 0" for c in range(dim))};
        #pragma unroll
        for (int k = 0; k < {corners}; ++k) {{ {sums} }}
        return wp::vec_t<{dim}, {number}>({", ".join(f"t{c}" for c in range(dim))});
    """

    Vecs, Reals2 = wp.array(dtype=storage.vec), wp.array2d(dtype=storage.dtype)

    @wp.func_native(snippet)
    def interpolated(parents: Ints2, weights: Reals2, coarse: Vecs, i: int) -> storage.vec: ...

    return interpolated


def _plain_row(storage: Storage) -> str:
    """Blocks row after row, four numbers at a time; only for the CPU's compiler."""
    dim, number = storage.dim, storage.number
    if dim == 2:
        entry = "const four p = {v[0], v[1], v[0], v[1]}; s0 += *(const loose*)a * p;"
        answer = "s0[0] + s0[1], s0[2] + s0[3]"
    else:  # the last row is read from one number before, so as not to read beyond the last block
        entry = """
            const four p = {v[0], v[1], v[2], 0}, q = {0, v[0], v[1], v[2]};
            s0 += *(const loose*)a * p;
            s1 += *(const loose*)(a + 3) * p;
            s2 += *(const loose*)(a + 5) * q;
        """
        answer = "s0[0] + s0[1] + s0[2], s1[0] + s1[1] + s1[2], s2[1] + s2[2] + s2[3]"
    size = 16 if number == "float" else 32
    return f"""
        typedef {number} four __attribute__((vector_size({size})));
        typedef {number} loose __attribute__((vector_size({size}), aligned({size // 4})));
        four s0 = {{0, 0, 0, 0}}, s1 = s0, s2 = s0;
        const int end = last.data[i];
        for (int e = first.data[i]; e < end; ++e) {{
            const {number}* a = (const {number}*)(values.data + e);
            const {number}* v = (const {number}*)(x.data + columns.data[e]);
            {entry}
        }}
        return wp::vec_t<{dim}, {number}>({answer});
    """


def _sliced_row(storage: Storage) -> str:
    """Differences from x_i, since rows of a stiffness sum to almost nothing: in float32 the
    products of a smooth x would drown in rounding, while the differences of neighbours are exact.
    """
    dim, step, number = storage.dim, storage.step, storage.number
    square = dim * dim
    load = f"""
        {number} v[BATCH][{dim}], a[BATCH][{square}];
        EACH(u, BATCH) EACH(c, {dim}) v[u][c] = vectors[(size_t)m[u] * {dim} + c];
        EACH(u, BATCH) EACH(q, {square}) a[u][q] = row[((k + u) * {square} + q) * {step}];
    """
    add = f"EACH(r, {dim}) EACH(c, {dim}) t[r] += a[u][r * {dim} + c] * (v[u][c] - xi[c]);"
    return f"""
        const int begin = first.data[i];
        const int count = (last.data[i] - begin) / {step};
        const int* member = columns.data + begin;
        const {number}* row = values.data + (size_t)(begin - i % {step}) * {square} + i % {step};
        const {number}* vectors = (const {number}*)x.data;
        const {number}* g = (const {number}*)(ground.data + i);
        {number} xi[{dim}], t[{dim}];
        EACH(c, {dim}) xi[c] = vectors[(size_t)i * {dim} + c];
        EACH(r, {dim}) {{ t[r] = 0; EACH(c, {dim}) t[r] += g[r * {dim} + c] * xi[c]; }}
        {_batches(step, load, add)}
        return wp::vec_t<{dim}, {number}>({", ".join(f"t[{c}]" for c in range(dim))});
    """


def _gathered_sum(storage: Storage) -> str:
    dim, step, number = storage.dim, storage.step, storage.number
    load = f"""
        {number} v[BATCH][{dim}], w[BATCH];
        EACH(u, BATCH) EACH(c, {dim}) v[u][c] = vectors[(size_t)m[u] * {dim} + c];
        EACH(u, BATCH) w[u] = weight[(k + u) * {step}];
    """
    add = f"EACH(c, {dim}) t[c] += w[u] * v[u][c];"
    return f"""
        const int begin = first.data[i];
        const int count = (last.data[i] - begin) / {step};
        const int* member = members.data + begin;
        const {number}* weight = weights.data + begin;
        const {number}* vectors = (const {number}*)x.data;
        {number} t[{dim}];
        EACH(c, {dim}) t[c] = 0;
        {_batches(step, load, add)}
        return wp::vec_t<{dim}, {number}>({", ".join(f"t[{c}]" for c in range(dim))});
    """


def _loops(code: str) -> str:
    """Write EACH(i, n) as an unrolled loop of C++."""
    return re.sub(
        r"EACH\((\w+), (\w+)\)", r"\n#pragma unroll\nfor (int \1 = 0; \1 < \2; ++\1)", code
    )


def _batches(step: int, load: str, add: str) -> str:
    """C++ for all entries k < count: the loads of a batch are under way before the first is used."""
    loops = "int k = 0;"
    for batch in BATCHES:
        loops += f"""
            while (k + {batch} <= count) {{
                int m[{batch}];
                EACH(u, {batch}) m[u] = member[(k + u) * {step}];
                {load.replace("BATCH", str(batch))}
                EACH(u, {batch}) {{ {add} }}
                k += {batch};
            }}
        """
    return loops
