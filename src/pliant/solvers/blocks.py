"""Block-sparse matrices with a fixed pattern: built once per topology, refilled every iteration."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
import warp as wp
from scipy.sparse.csgraph import connected_components, reverse_cuthill_mckee

from pliant.backend import to_device


class BlockPattern:
    """The non-zero (point, point) blocks that a set of stencils can touch.

    Rows are sorted by column, as in block CSR. `slots(stencils)` tells each term where its k x k
    blocks live, so that assembly is a plain scatter and nothing is sorted inside the loop.
    """

    def __init__(self, points: int, stencils: Sequence[np.ndarray]):
        # Points are in the same block where terms touch both: the pattern of E^T E, for the matrix
        # E of terms and their points. Its product is linear in the terms; sorting all pairs is not.
        touching = _incidence(points, stencils)
        self._take(sp.csr_matrix(touching.T.tocsr() @ touching))

    @classmethod
    def of(cls, graph: sp.csr_matrix) -> BlockPattern:
        """The pattern of a square matrix with one entry per block."""
        pattern = cls.__new__(cls)
        pattern._take(graph)
        return pattern

    def _take(self, found: sp.csr_matrix) -> None:
        found.sort_indices()
        self.points = found.shape[0]
        self.columns = found.indices.astype(np.int32, copy=False)
        self.starts = found.indptr.astype(np.int32, copy=False)
        self.rows = np.repeat(np.arange(self.points, dtype=np.int32), np.diff(self.starts))

        self._indices: dict[str, list[Any]] = {}

    def __len__(self) -> int:
        return len(self.columns)

    def index(self, device: Any) -> list[Any]:
        """`starts` and `columns` as arrays of a device."""
        name = str(device)
        if name not in self._indices:
            self._indices[name] = [
                wp.array(i, dtype=wp.int32, device=device) for i in (self.starts, self.columns)
            ]
        return self._indices[name]

    def slots(self, stencils: np.ndarray) -> np.ndarray:
        """Index of block (a, b) of every term, shape (terms, k, k), int32; -1 if there is none."""
        s = stencils.astype(np.int32, copy=False)
        shape = (*s.shape, s.shape[1])
        if not len(s):
            return np.zeros(shape, dtype=np.int32)
        rows, columns = (np.broadcast_to(i, shape).ravel() for i in (s[:, :, None], s[:, None, :]))
        # A matrix of numbers from 1 on finds its entries row by row; those it has not are 0.
        numbers = np.arange(1, len(self) + 1, dtype=np.int32)
        matrix = sp.csr_matrix((numbers, self.columns, self.starts), (self.points, self.points))
        matrix.has_canonical_format = True
        return np.asarray(np.asarray(matrix[rows, columns]).reshape(shape) - np.int32(1))

    @cached_property
    def diagonal(self) -> np.ndarray:
        """Index of the diagonal block of every point."""
        return np.flatnonzero(self.rows == self.columns)

    @cached_property
    def bandwidth(self) -> int:
        """The bandwidth of the blocks after reordering the points (Cuthill and McKee)."""
        ones = np.ones(len(self), dtype=np.int8)
        graph = sp.csr_matrix((ones, self.columns, self.starts), (self.points, self.points))
        place = np.empty(self.points, dtype=np.int64)
        place[reverse_cuthill_mckee(graph, symmetric_mode=True)] = np.arange(self.points)
        return int(np.abs(place[self.rows] - place[self.columns]).max(initial=0))

    @cached_property
    def parts(self) -> list[np.ndarray]:
        """The points that blocks connect with each other, part by part."""
        ones = np.ones(len(self.columns), dtype=bool)
        graph = sp.csr_matrix((ones, self.columns, self.starts), shape=(self.points, self.points))
        count, label = connected_components(graph, directed=False)
        return [np.flatnonzero(label == k) for k in range(count)]

    def weighed(self, blocks: np.ndarray, shares: np.ndarray) -> np.ndarray:
        """Blocks with every point's share of them: between two points the mean of theirs.

        What the blocks of a row add up to is that point's share of it. What does not resist
        that all points move by the same does not resist it then either.
        """
        between = 0.5 * (shares[self.rows] + shares[self.columns])[:, None, None]
        out = between * blocks
        change = (shares[self.rows][:, None, None] - between) * blocks
        out[self.diagonal] += np.add.reduceat(change, self.starts[:-1])
        return np.asarray(out)

    def matrix(self, blocks: np.ndarray) -> sp.bsr_matrix:
        """The scipy matrix over all points of block values, shape (len(self), d, d)."""
        d = blocks.shape[1]
        shape = (self.points * d, self.points * d)
        return sp.bsr_matrix((blocks, self.columns, self.starts), shape=shape)

    def to_device(self, blocks: Any, dim: int, *, device: Any) -> Any:
        """Blocks as an array of the device; such an array is returned as it is."""
        return shaped(blocks, len(self), wp.types.matrix((dim, dim), wp.float64), device)

    def zeros(self, dim: int, *, dtype: type = wp.float64, device: str = "cpu") -> wp.array[Any]:
        """A fresh zero block array on the device."""
        return wp.zeros(len(self), dtype=wp.types.matrix((dim, dim), dtype), device=device)


def shaped(array: Any, count: int, dtype: Any, device: Any) -> Any:
    """The array on the device, (count,) of a type. Refuses an array of another size."""
    found = to_device(array, dtype, device)
    if found.shape != (count,):
        raise ValueError(f"an array of shape {found.shape}; expected {(count,)}")
    return found


class Restriction:
    """Cuts the rows and columns of pinned points out of a patterned matrix, without searching.

    scipy's fancy indexing of a 1 M-entry matrix costs as much as its assembly; the positions of the
    kept entries never change, so they are found once.
    """

    def __init__(self, pattern: BlockPattern, dim: int, free: np.ndarray):
        self._pattern, self._mask = pattern, free
        self.free = np.flatnonzero(free)
        self.size = len(self.free) * dim

    @cached_property
    def _entries(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The numbers of the kept blocks, their columns, and the starts of their rows."""
        pattern, free = self._pattern, self._mask
        kept = np.flatnonzero(free[pattern.rows] & free[pattern.columns])
        number = np.cumsum(free, dtype=np.int32) - np.int32(1)
        rows = number[pattern.rows[kept]]
        starts = np.searchsorted(rows, np.arange(len(self.free) + 1)).astype(np.int32)
        return kept, number[pattern.columns[kept]], starts

    def matrix(self, blocks: np.ndarray) -> sp.bsr_matrix:
        """The matrix over the free points only."""
        kept, columns, starts = self._entries
        # `take` copies whole blocks: four times faster than indexing.
        data = blocks if len(kept) == len(self._pattern) else np.take(blocks, kept, axis=0)
        return sp.bsr_matrix((data, columns, starts), shape=(self.size, self.size))

    def rows(self, array: np.ndarray) -> np.ndarray:
        """The rows of the free points, of an array with one row per unknown of all points."""
        return np.asarray(array[np.repeat(self._mask, len(array) // len(self._mask))])


def _incidence(points: int, stencils: Sequence[np.ndarray]) -> sp.csr_matrix:
    """The matrix of terms and the points they touch; every point is a term too."""
    terms = [*stencils, np.arange(points, dtype=np.int32)[:, None]]
    lengths = np.concatenate([np.full(len(s), s.shape[1]) for s in terms])
    starts = np.concatenate([[0], np.cumsum(lengths)])
    members = np.concatenate([s.ravel() for s in terms])
    return sp.csr_matrix(
        (np.ones(len(members), dtype=bool), members, starts), (len(lengths), points)
    )
