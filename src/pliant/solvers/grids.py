"""Nested regular grids laid over a mesh, on which smooth errors are small problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import scipy.sparse as sp

from .blocks import BlockPattern

#: How many nodes the last grid may have.
COARSEST = 150
#: Cells of a lattice per cell of the body up to which a flag for each is faster than sorting.
ROOM_CELLS = 20


@dataclass(frozen=True)
class Grid:
    """One level: the cells of a regular lattice that hold a part of the body, and their corners.

    Corners and cells that the body does not touch have no number. `parents` and `weights` carry
    values at the corners to the next finer level (points, or corners of the finer grid).
    """

    corners: np.ndarray  # (cells, 2^d) int32
    lattice: np.ndarray  # (cells, d) int32, the lattice coordinates of a cell's first corner
    pattern: BlockPattern  # over the corners: the stencil has 3^d blocks, or more by other terms
    slots: np.ndarray  # (cells, 2^d, 2^d) int32, into the pattern
    parents: np.ndarray  # (finer, 2^d) int32
    weights: np.ndarray  # (finer, 2^d)
    children: np.ndarray  # (cells, 2^d) int32, cells of the finer grid or -1; empty on the finest

    @property
    def nodes(self) -> int:
        """The number of corners."""
        return int(self.pattern.points)

    def interpolation(self) -> sp.csr_matrix:
        """The matrix of `parents` and `weights`, (finer, nodes)."""
        finer, corners = self.parents.shape
        rows = np.repeat(np.arange(finer), corners)
        entries = (self.weights.ravel(), (rows, self.parents.ravel()))
        matrix = sp.csr_matrix(entries, shape=(finer, self.nodes))
        matrix.eliminate_zeros()
        return matrix


class Grids:
    """Grids of spacing near 2h, 4h, ... over the material coordinates of a mesh.

        u(X) = sum_I W_I(X) u_I,   W_I multilinear in each cell,   h the mean size of a mesh cell

    A mesh cell belongs to the grid cell of its centroid, and all its nodes take the weights of that
    one cell, extrapolated where they lie outside: so a grid function is one polynomial per mesh
    cell, the stencil stays 3^d, and the levels are exactly nested. Weights of pinned points are
    zero. Not for meshes whose cells differ much in size: the first grid knows one spacing only.

    stencils: the cells of each kind, (cells, nodes); free: mask (n,); also: what other terms couple,
    (terms, k), for which the patterns of the grids have room; coarsest: how many nodes the last grid
    may have.
    """

    def __init__(
        self,
        points: np.ndarray,
        stencils: Sequence[np.ndarray],
        free: np.ndarray,
        *,
        also: Sequence[np.ndarray] = (),
        coarsest: int = COARSEST,
        spacing: float = 2.0,
    ):
        self.dim = points.shape[1]
        self.free = np.asarray(free, dtype=bool)
        low, extent = points.min(axis=0), np.ptp(points, axis=0)
        sizes = np.concatenate([_extents(points, s) for s in stencils])
        # By axis: flat cells get flat grids. A grid about as fine as the mesh would be of no help.
        count = np.maximum(np.rint(extent / (spacing * sizes.mean(axis=0))), 1.0)
        self.coordinates = (points - low) * (count / np.where(extent > 0.0, extent, 1.0))
        self._count = count.astype(np.int64)
        self._offsets = np.array(list(product((0, 1), repeat=self.dim)))  # corners of a cell
        self.levels: list[Grid] = []
        self._first(stencils, also)
        while self.levels[-1].nodes > coarsest and (self._count > 1).any():
            self._next()

    def __len__(self) -> int:
        return len(self.levels)

    @property
    def transfers(self) -> np.ndarray:
        """Weights (child, a, I) of the corners of a cell at corner a of each of its children."""
        at = 0.5 * (self._offsets[:, None, :] + self._offsets[None, :, :])  # (child, a, d)
        return _multilinear(at, self._offsets)

    def _first(self, stencils: Sequence[np.ndarray], also: Sequence[np.ndarray]) -> None:
        top = self._count - 1
        holders = []
        for s in stencils:
            centroid = sum(self.coordinates[nodes] for nodes in s.T) / s.shape[1]
            holders.append(np.clip(np.floor(centroid).astype(np.int64), 0, top))
        keys = [self._key(h) for h in holders]
        cells, lattice, corners = self._occupied(keys)
        #: The grid cell of each mesh cell, one array per kind.
        self.holders = [np.searchsorted(cells, k).astype(np.int32) for k in keys]
        # A point takes the grid cell it lies in; where no mesh cell belongs to that one, the grid
        # cell of a mesh cell that has the point.
        inside = self._key(np.clip(np.floor(self.coordinates).astype(np.int64), 0, top))
        home = np.minimum(np.searchsorted(cells, inside), len(cells) - 1)
        away = cells[home] != inside
        for s, holder in zip(stencils, self.holders, strict=True):
            for a in range(s.shape[1]):
                move = away[s[:, a]]
                home[s[move, a]] = holder[move]
        weights = _multilinear(self.coordinates - lattice[home], self._offsets)
        weights = weights * self.free[:, None]
        # The grid cells that the other terms couple; those of one point are in one.
        self._coupled = [_distinct_rows(home[s]) for s in also if s.shape[1] > 1]
        self._add(corners, lattice, corners[home], weights, np.zeros((0, len(self._offsets))))

    def _next(self) -> None:
        fine = self.levels[-1]
        self._count = (self._count + 1) // 2
        keys = self._key(fine.lattice.astype(np.int64) // 2)
        cells, lattice, corners = self._occupied([keys])
        parent = np.searchsorted(cells, keys)
        place = fine.lattice - 2 * lattice[parent]  # which child of its parent a cell is
        number = (place * 2 ** np.arange(self.dim - 1, -1, -1)).sum(axis=1)
        children = np.full((len(cells), len(self._offsets)), -1)
        children[parent, number] = np.arange(len(keys))
        # A corner shared by several cells gets the same weights from each of their parents.
        parents = np.zeros((fine.nodes, len(self._offsets)), dtype=np.int64)
        weights = np.zeros(parents.shape)
        parents[fine.corners] = corners[parent][:, None, :]
        weights[fine.corners] = self.transfers[number]
        self._coupled = [_distinct_rows(parent[c]) for c in self._coupled]
        self._add(corners, lattice, parents, weights, children)

    def _key(self, lattice: np.ndarray) -> np.ndarray:
        key = lattice[:, 0]
        for axis in range(1, self.dim):
            key = key * (self._count[axis] + 1) + lattice[:, axis]
        return key

    def _occupied(self, keys: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The cells that occur: their keys, lattice coordinates and numbered corners."""
        cells = self._distinct(keys)
        lattice = np.stack(np.unravel_index(cells, self._count + 1), axis=1)
        corner_keys = self._key((lattice[:, None, :] + self._offsets).reshape(-1, self.dim))
        corners = np.searchsorted(self._distinct([corner_keys]), corner_keys)
        return cells, lattice, corners.reshape(len(cells), -1)

    def _distinct(self, keys: Sequence[np.ndarray]) -> np.ndarray:
        """The keys that occur, in order: found by flags where the lattice is not mostly empty."""
        size = int(np.prod(self._count + 1))
        if size > ROOM_CELLS * sum(len(k) for k in keys):
            return np.unique(np.concatenate(keys))
        occurs = np.zeros(size, dtype=bool)
        for k in keys:
            occurs[k] = True
        return np.flatnonzero(occurs)

    def _add(
        self,
        corners: np.ndarray,
        lattice: np.ndarray,
        parents: np.ndarray,
        weights: np.ndarray,
        children: np.ndarray,
    ) -> None:
        corners = corners.astype(np.int32)
        coupled = [corners[c].reshape(len(c), corners[:1].size * c.shape[1]) for c in self._coupled]
        pattern = BlockPattern(int(corners.max()) + 1, [corners, *coupled])
        whole = (lattice, parents, children)
        lattice, parents, children = (np.ascontiguousarray(a, dtype=np.int32) for a in whole)
        slots = pattern.slots(corners)
        self.levels.append(Grid(corners, lattice, pattern, slots, parents, weights, children))


def _extents(points: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """The extent of each cell along each axis, computed node by node for all cells."""
    low = points[cells[:, 0]]
    high = low.copy()
    for nodes in cells.T[1:]:
        x = points[nodes]
        np.minimum(low, x, out=low)
        np.maximum(high, x, out=high)
    return np.asarray(high - low)


def _multilinear(at: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """W_I = prod_k (t_k if corner I is at 1 on axis k, else 1 - t_k), shape (..., 2^d)."""
    t = at[..., None, :]
    return np.asarray(np.prod(np.where(offsets == 1, t, 1.0 - t), axis=-1))


def _distinct_rows(cells: np.ndarray) -> np.ndarray:
    """The sets of cells that occur, (sets, k); those of one cell only are left out."""
    cells = np.sort(cells, axis=1)
    return np.unique(cells[cells[:, 0] != cells[:, -1]], axis=0)
