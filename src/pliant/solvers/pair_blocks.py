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
    number, points = np.cumsum(free) - 1, int(free.sum())
    keys, kept = [np.zeros(0, dtype=np.int64)], [np.zeros((0, dim, dim))]
    for found in pairs:
        i, j, blocks = found.rows.numpy(), found.columns.numpy(), found.above.numpy()
        used = np.flatnonzero((i != j) & free[i] & free[j])
        i, j, blocks = number[i[used]], number[j[used]], blocks[used]
        down = i > j
        blocks[down] = np.swapaxes(blocks[down], 1, 2)
        keys.append(np.minimum(i, j).astype(np.int64) * points + np.maximum(i, j))
        kept.append(blocks)
    key, data = np.concatenate(keys), np.concatenate(kept)
    order = np.argsort(key, kind="stable")
    key, first = np.unique(key[order], return_index=True)
    data = np.add.reduceat(data[order], first) if len(first) else data
    starts = np.searchsorted(key, np.arange(points + 1, dtype=np.int64) * points)
    shape = (points * dim, points * dim)
    upper = sp.bsr_matrix((data, key % max(points, 1), starts), shape=shape)
    return (upper + upper.T).tobsr((dim, dim))
