"""Blocks of a matrix for pairs of points that come and go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
import warp as wp


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
    number = np.cumsum(free) - 1
    i, j = (
        np.concatenate([np.zeros(0, dtype=np.int32), *(getattr(p, side).numpy() for p in pairs)])
        for side in ("rows", "columns")
    )
    blocks = np.concatenate([np.zeros((0, dim, dim)), *(p.above.numpy() for p in pairs)])
    used = (i != j) & free[i] & free[j]
    i, j, blocks = number[i[used]], number[j[used]], blocks[used]
    rows, columns = np.concatenate([i, j]), np.concatenate([j, i])
    both = np.concatenate([blocks, np.swapaxes(blocks, 1, 2)])
    points = int(free.sum())
    key = rows.astype(np.int64) * points + columns
    order = np.argsort(key, kind="stable")
    key, first = np.unique(key[order], return_index=True)
    data = np.add.reduceat(both[order], first) if len(first) else both
    starts = np.searchsorted(key, np.arange(points + 1, dtype=np.int64) * points)
    return sp.bsr_matrix((data, key % max(points, 1), starts), shape=(points * dim, points * dim))
