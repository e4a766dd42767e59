# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels of a multigrid cycle and of the matrices of its levels."""

from functools import cache
from typing import Any

import warp as wp

from pliant.backend import Ints, Ints2, Ints3

from .inner import gathered_sum, interpolation, row_product
from .rows import Storage, named


@cache
def level_kernels(storage: Storage) -> Any:
    """Return the kernels that make the matrices of the levels, as attributes."""
    module = storage.module("levels")
    dim, dtype, mat = storage.dim, storage.dtype, storage.mat
    double = wp.types.matrix((dim, dim), wp.float64)
    # A corner that moves almost nothing would have no inverse.
    tiny = wp.constant(dtype(1e-9 if dtype is wp.float64 else 1e-6))
    tiniest = wp.constant(dtype(1e-30))
    Mats, Reals, GivenMats = (wp.array(dtype=t) for t in (mat, dtype, double))
    Mats3, Reals2 = wp.array3d(dtype=mat), wp.array2d(dtype=dtype)

    @wp.kernel(module=module)
    def gather_children(
        finer: Mats3, children: Ints2, transfers: wp.array3d(dtype=dtype), cells: Mats3
    ):
        # B_IJ = sum over children, a, b of T_aI B_ab T_bJ; only I <= J is stored.
        c, I, J = wp.tid()
        if J < I:
            return
        corners = children.shape[1]  # not a constant: the loops must not be unrolled
        total = mat()
        for child in range(corners):
            k = children[c, child]
            if k >= 0:
                for a in range(corners):
                    left = transfers[child, a, I]
                    if left != dtype(0.0):
                        for b in range(corners):
                            both = left * transfers[child, b, J]
                            if both != dtype(0.0):
                                if a <= b:
                                    total += both * finer[k, a, b]
                                else:
                                    total += both * wp.transpose(finer[k, b, a])
        cells[c, I, J] = total

    @wp.kernel(module=module)
    def assemble(cells: Mats3, slots: Ints3, blocks: Mats):
        # K_IJ += B_IJ of every cell
        c, I, J = wp.tid()
        if I <= J:
            wp.atomic_add(blocks, slots[c, I, J], cells[c, I, J])
        else:
            wp.atomic_add(blocks, slots[c, I, J], wp.transpose(cells[c, J, I]))

    @wp.func
    def slot_of(starts: Ints, columns: Ints, i: int, j: int):
        e = starts[i]
        while e < starts[i + 1] and columns[e] != j:
            e += 1
        return e

    @wp.func
    def spread(
        B: mat,
        i: int,
        j: int,
        parents: Ints2,
        weights: Reals2,
        starts: Ints,
        columns: Ints,
        out: Mats,
    ):
        # C_IJ += W_iI B_ij W_jJ
        for I in range(parents.shape[1]):
            for J in range(parents.shape[1]):
                both = weights[i, I] * weights[j, J]
                if both != dtype(0.0):
                    at = slot_of(starts, columns, parents[i, I], parents[j, J])
                    wp.atomic_add(out, at, both * B)

    @wp.kernel(module=module)
    def spread_terms(
        factor: wp.float64,
        stencils: Ints2,
        blocks: GivenMats,
        frames: GivenMats,
        parents: Ints2,
        weights: Reals2,
        starts: Ints,
        columns: Ints,
        out: Mats,
    ):
        t, a, b = wp.tid()
        B = blocks[(t * stencils.shape[1] + a) * stencils.shape[1] + b]
        if wp.ddot(B, B) > wp.float64(0.0):
            i, j = stencils[t, a], stencils[t, b]
            B = wp.transpose(frames[i]) @ (factor * B) @ frames[j]
            spread(mat(B), i, j, parents, weights, starts, columns, out)

    @wp.kernel(module=module)
    def spread_blocks(
        blocks: Mats,
        rows: Ints,
        finer_columns: Ints,
        parents: Ints2,
        weights: Reals2,
        starts: Ints,
        columns: Ints,
        out: Mats,
    ):
        e = wp.tid()
        B = blocks[e]
        if wp.ddot(B, B) > dtype(0.0):
            spread(B, rows[e], finer_columns[e], parents, weights, starts, columns, out)

    @wp.kernel(module=module)
    def add(more: Mats, blocks: Mats):
        e = wp.tid()
        blocks[e] = blocks[e] + more[e]

    @wp.kernel(module=module)
    def measure(K: Mats, rows: Ints, columns: Ints, largest_trace: Reals):
        e = wp.tid()
        if rows[e] == columns[e]:
            wp.atomic_max(largest_trace, 0, wp.trace(K[e]))

    @wp.kernel(module=module)
    def compose(
        stiffness: dtype,
        weight: dtype,
        largest_trace: Reals,
        K: Mats,
        M: Reals,
        rows: Ints,
        columns: Ints,
        A: Mats,
        inverse: Mats,
    ):
        # A = stiffness K + weight M, of which no diagonal block is zero
        e = wp.tid()
        block = stiffness * K[e] + weight * M[e] * wp.identity(n=dim, dtype=dtype)
        if rows[e] == columns[e]:
            least = tiny * (stiffness * largest_trace[0]) + tiniest
            if not (wp.trace(block) > least):
                for i in range(dim):
                    block[i, i] += least
            inverse[rows[e]] = wp.inverse(block)
        A[e] = block

    return named(gather_children, assemble, spread_terms, spread_blocks, add, measure, compose)


@cache
def diagonal_kernel(storage: Storage, source_dtype: Any) -> Any:
    """Return the kernel that inverts the diagonal blocks of a matrix."""
    block_type = wp.types.matrix((storage.dim, storage.dim), source_dtype)
    mat = storage.mat

    @wp.kernel(module="unique", module_options={"enable_backward": False})
    def invert_diagonal(
        diagonal: Ints, blocks: wp.array(dtype=block_type), inverse: wp.array(dtype=mat)
    ):
        i = wp.tid()
        inverse[i] = mat(wp.inverse(blocks[diagonal[i]]))

    return invert_diagonal


@cache
def cycle_kernels(storage: Storage) -> Any:
    """Return the kernels of one V-cycle, as attributes.

    `factors` of a level: one, that of its Chebyshev step, 1/theta.
    """
    module = storage.module("cycle")
    dtype, vec, mat = storage.dtype, storage.vec, storage.mat
    tiled, gathered, interpolated = storage.tiled, gathered_sum(storage), interpolation(storage)
    row = row_product(storage)
    Vecs, Mats, Reals = (wp.array(dtype=t) for t in (vec, mat, dtype))
    Values, Reals2 = wp.array(dtype=storage.values), wp.array2d(dtype=dtype)

    @wp.kernel(module=module)
    def power(
        first: Ints,
        last: Ints,
        columns: Ints,
        values: Values,
        ground: Mats,
        inverse: Mats,
        x: Vecs,
        y: Vecs,
    ):
        # y = D^-1 A x
        i = wp.tid()
        y[i] = inverse[i] @ row(first, last, columns, values, ground, x, i)

    @wp.kernel(module=module)
    def begin(b: Vecs, inverse: Mats, factors: Reals, x: Vecs):
        # x = D^-1 b / theta, the first step from zero
        i = wp.tid()
        x[i] = factors[0] * (inverse[i] @ b[i])

    @wp.kernel(module=module)
    def residual(
        first: Ints,
        last: Ints,
        columns: Ints,
        values: Values,
        ground: Mats,
        b: Vecs,
        x: Vecs,
        t: Vecs,
    ):
        # t = b - A x
        i = wp.tid()
        t[i] = b[i] - row(first, last, columns, values, ground, x, i)

    @wp.kernel(module=module)
    def turned_residual(
        first: Ints,
        last: Ints,
        columns: Ints,
        values: Values,
        ground: Mats,
        b: Vecs,
        x: Vecs,
        frames: Mats,
        t: Vecs,
    ):
        # t_i = Q_i^T (b - A x)_i
        i = wp.tid()
        rest = b[i] - row(first, last, columns, values, ground, x, i)
        t[i] = rest @ frames[i]

    @wp.kernel(module=module)
    def restrict(
        first: Ints,
        last: Ints,
        members: Ints,
        weights: Reals,
        t: Vecs,
        inverse: Mats,
        factors: Reals,
        b: Vecs,
        x: Vecs,
    ):
        # b_I = sum_i W_iI t_i, and at once the first step of the level that starts from it
        i = wp.tid()
        total = gathered(first, last, members, weights, t, i)
        b[i] = total
        x[i] = factors[0] * (inverse[i] @ total)

    @wp.kernel(module=module)
    def correct(parents: Ints2, weights: Reals2, coarse: Vecs, x: Vecs):
        # x_i += sum_I W_iI u_I
        i = wp.tid()
        x[i] = x[i] + interpolated(parents, weights, coarse, i)

    @wp.kernel(module=module)
    def turned_correct(parents: Ints2, weights: Reals2, coarse: Vecs, frames: Mats, x: Vecs):
        # x_i += Q_i sum_I W_iI u_I
        i = wp.tid()
        x[i] = x[i] + frames[i] @ interpolated(parents, weights, coarse, i)

    @wp.kernel(module=module)
    def correct_by_lists(
        first: Ints, last: Ints, members: Ints, weights: Reals, coarse: Vecs, x: Vecs
    ):
        # x_i += sum_I P_iI u_I
        i = wp.tid()
        x[i] = x[i] + gathered(first, last, members, weights, coarse, i)

    @wp.kernel(module=module)
    def sweep(
        first: Ints,
        last: Ints,
        columns: Ints,
        values: Values,
        ground: Mats,
        inverse: Mats,
        factors: Reals,
        b: Vecs,
        x: Vecs,
        y: Vecs,
    ):
        # y = x + D^-1 (b - A x) / theta
        i = wp.tid()
        rest = b[i] - row(first, last, columns, values, ground, x, i)
        y[i] = x[i] + factors[0] * (inverse[i] @ rest)

    @wp.kernel(module=module)
    def dense(lanes: int, matrix: wp.array2d(dtype=mat), b: Vecs, x: Vecs):
        # x = A^-1 b with the inverse given; `lanes` threads share a row
        i, lane = wp.tid()
        total = vec()
        for j in range(lane, matrix.shape[1], lanes):
            total += matrix[i, j] @ b[j]
        if wp.static(tiled):
            whole = wp.tile_sum(wp.tile(total, preserve_type=True))
            if lane == 0:
                x[i] = whole[0]
        else:
            x[i] = total

    return named(
        *(power, begin, residual, turned_residual, restrict, correct, turned_correct),
        *(correct_by_lists, sweep, dense),
    )
