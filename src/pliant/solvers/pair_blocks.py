"""Blocks of a matrix for pairs of points that come and go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
import warp as wp

from .native import launch_native
from .pair_block_kernels import Merged, Placed, pair_block_kernels


@dataclass(frozen=True, eq=False)
class PairBlocks:
    """Blocks of a symmetric matrix off its diagonal, as arrays of a device.

    rows and columns: int32, the points of each block; above: mat(dim, dim), the blocks. The block
    (columns, rows) is the transpose and is not listed. A place may be listed more than once, and then
    the blocks add up. Blocks that are not used are zero, and have their row as their column.
    """

    rows: Any
    columns: Any
    above: Any

    def shifted(self, first: int) -> PairBlocks:
        """The same blocks of points that are numbered from `first`, on the host."""
        rows: Any = wp.array(self.rows.numpy() + first, dtype=wp.int32, device="cpu")
        columns: Any = wp.array(self.columns.numpy() + first, dtype=wp.int32, device="cpu")
        return PairBlocks(rows, columns, self.above)


def pair_matrix(pairs: Sequence[PairBlocks], free: np.ndarray, dim: int) -> sp.bsr_matrix:
    """The sum of such blocks, both triangles, over the free points of a mask (n,)."""
    points = int(free.sum())
    nothing = np.zeros((0, dim, dim)), np.zeros(0, dtype=np.int32), np.zeros(points + 1, np.int32)
    empty = sp.bsr_matrix(nothing, shape=(points * dim, points * dim))
    return with_pairs(empty, pairs, free)


def with_pairs(
    matrix: sp.bsr_matrix, pairs: Sequence[PairBlocks], free: np.ndarray
) -> sp.bsr_matrix:
    """A matrix over the free points of a mask (n,), its columns sorted in each row, plus such blocks.

    Blocks that are zero make no entry.
    """
    run, dim = pair_block_kernels(matrix.blocksize[0]), matrix.blocksize[0]
    points = len(matrix.indptr) - 1
    number = _ints(np.where(free, np.cumsum(free) - 1, -1))
    lists = []
    counts = np.zeros(points + 1, dtype=np.int32)
    for pair in pairs:
        one = Placed()
        one.rows, one.columns = _ints(pair.rows.numpy()), _ints(pair.columns.numpy())
        one.above, one.number, one.next = _doubles(pair.above.numpy()), number, _ints(counts)
        launch_native(run.count, one)
        lists.append(one)
    total = int(counts.sum())
    m = Merged()
    m.ends = _ints(np.cumsum(counts))
    m.added, m.terms = _empty(total), _empty(total * dim * dim, wp.float64)
    for one in lists:
        one.next, one.to_columns, one.to_blocks = m.ends, m.added, m.terms
        launch_native(run.place, one)
    most = len(matrix.indices) + total
    starts, columns, blocks = (
        np.empty(points + 1, dtype=np.int32),
        np.empty(most, dtype=np.int32),
        np.empty((most, dim, dim)),
    )
    m.starts, m.columns = _ints(matrix.indptr), _ints(matrix.indices)
    m.blocks, m.order = _doubles(matrix.data), _empty(total)
    m.to_starts, m.to_columns, m.to_blocks = _ints(starts), _ints(columns), _doubles(blocks)
    launch_native(run.merge, m)
    entries = int(starts[-1])
    return sp.bsr_matrix((blocks[:entries], columns[:entries], starts), shape=matrix.shape)


def _doubles(a: np.ndarray) -> Any:
    return wp.array(a.reshape(-1), dtype=wp.float64, device="cpu", copy=False)


def _ints(a: np.ndarray) -> Any:
    return wp.array(a.astype(np.int32, copy=False), dtype=wp.int32, device="cpu", copy=False)


def _empty(count: int, dtype: Any = wp.int32) -> Any:
    return wp.empty(count, dtype=dtype, device="cpu")
