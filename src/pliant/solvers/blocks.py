"""Block-sparse matrices with a fixed pattern: built once per topology, refilled every iteration."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import scipy.sparse as sp
import warp as wp


class BlockPattern:
    """The non-zero (point, point) blocks that a set of stencils can touch.

    Rows are sorted by column, as in block CSR. `slots(stencils)` tells each term where its k x k
    blocks live, so that assembly is a plain scatter and nothing is sorted inside the loop.
    """

    def __init__(self, points: int, stencils: Sequence[np.ndarray]):
        self.points = points
        pairs = [np.arange(points, dtype=np.int64) * (points + 1)]  # the diagonal is always there
        for stencil in stencils:
            s = stencil.astype(np.int64)
            pairs.append((s[:, :, None] * points + s[:, None, :]).ravel())
        self._keys = np.unique(np.concatenate([np.unique(p) for p in pairs]))
        self.rows = (self._keys // points).astype(np.int32)
        self.columns = (self._keys % points).astype(np.int32)
        self.starts = np.searchsorted(self.rows, np.arange(points + 1)).astype(np.int32)

    def __len__(self) -> int:
        return len(self._keys)

    def slots(self, stencils: np.ndarray) -> np.ndarray:
        """Index of block (a, b) of every term, shape (terms, k, k), int32."""
        s = stencils.astype(np.int64)
        keys = s[:, :, None] * self.points + s[:, None, :]
        return np.searchsorted(self._keys, keys).astype(np.int32)

    @cached_property
    def diagonal(self) -> np.ndarray:
        """Index of the diagonal block of every point."""
        n = np.arange(self.points, dtype=np.int64)
        return np.searchsorted(self._keys, n * (self.points + 1))

    def matrix(self, blocks: np.ndarray) -> sp.bsr_matrix:
        """The scipy matrix over all points of block values, shape (len(self), d, d)."""
        d = blocks.shape[1]
        shape = (self.points * d, self.points * d)
        return sp.bsr_matrix((blocks, self.columns, self.starts), shape=shape)

    def zeros(self, dim: int, *, dtype: type = wp.float64, device: str = "cpu") -> wp.array:
        """A fresh zero block array on the device."""
        return wp.zeros(len(self), dtype=wp.types.matrix((dim, dim), dtype), device=device)


class Restriction:
    """Cuts the rows and columns of pinned points out of a patterned matrix, without searching.

    scipy's fancy indexing of a 1 M-entry matrix costs as much as its assembly; the positions of the
    kept entries never change, so they are found once.
    """

    def __init__(self, pattern: BlockPattern, dim: int, free: np.ndarray):
        self.free = np.flatnonzero(free)
        keep = free[pattern.rows] & free[pattern.columns]
        number = np.cumsum(free) - 1
        self._kept = np.flatnonzero(keep)
        self._columns = number[pattern.columns[keep]].astype(np.int32)
        rows = number[pattern.rows[keep]]
        self._starts = np.searchsorted(rows, np.arange(len(self.free) + 1)).astype(np.int32)
        self._whole = len(self._kept) == len(pattern)
        self.size = len(self.free) * dim

    def matrix(self, blocks: np.ndarray) -> sp.bsr_matrix:
        """The matrix over the free points only."""
        # `take` copies whole blocks: four times faster than indexing.
        data = blocks if self._whole else np.take(blocks, self._kept, axis=0)
        return sp.bsr_matrix((data, self._columns, self._starts), shape=(self.size, self.size))
