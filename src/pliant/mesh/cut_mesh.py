"""Meshes of simplices cut along a surface."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

import numpy as np
from scipy.sparse import coo_array, csr_array

from .arrays import Flags, Floats, Indices
from .change import MeshChange, mesh_after
from .errors import MeshError
from .measures import measure
from .mesh import Mesh
from .parting import SharedFacets, parted
from .quality import shape_quality
from .splitting import bisected

#: A cut nearer to a point than this share of an edge goes through the point.
SNAP = 0.1
#: Pieces have this shape quality at least, or that of the cell that they are pieces of.
QUALITY = 0.1
#: A blade takes away at most this share of what is between a cut and the next point.
AWAY = 0.05
#: What is nearer to the surface than this share of the size of the body is on it.
ON = 1e-9


class CutSurface(Protocol):
    """What cuts: a plane, a sphere, a sheet of triangles."""

    def heights(self, x: Floats) -> tuple[Floats, Floats]:
        """Of places (n, d): signed distances [m], and how far beyond the rim they are, 0 if not."""


@dataclass
class _Level:
    """The cells and where their points are: `true` heights, and those that count, 0 on the cut.

    Where a cut comes near a point it goes through it: the point's height counts as 0.
    """

    kind: str
    cells: Indices
    rest: Floats
    x: Floats
    surface: CutSurface
    true: Floats
    heights: Floats
    edges: Indices

    def crossed(self) -> tuple[Indices, Floats]:
        """The edges that are cut, and where, as a share of their length from the first end.

        These are the edges of cells that the surface crosses wholly: it may end within others.
        """
        a, b = self.heights[self.edges].T
        crossing = np.flatnonzero(a * b < 0.0)
        ends, share = self.edges[crossing], a[crossing] / (a[crossing] - b[crossing])
        places = self.x[ends[:, 0]] + share[:, None] * (self.x[ends[:, 1]] - self.x[ends[:, 0]])
        reached = self.surface.heights(places)[1] <= ON
        if reached.all():
            return ends, share
        pairs = np.array(list(combinations(range(self.cells.shape[1]), 2)))
        number = np.full(len(self.edges), -1)
        number[crossing] = np.arange(len(crossing))
        keys = self.edges[:, 0] * len(self.x) + self.edges[:, 1]
        own = np.sort(self.cells[:, pairs], axis=2)
        own = number[np.searchsorted(keys, own[..., 0] * len(self.x) + own[..., 1])]
        whole = ((own < 0) | np.append(reached, False)[own]).all(axis=1)
        cut = np.zeros(len(crossing) + 1, dtype=bool)
        cut[own[whole]] = True
        return ends[cut[:-1]], share[cut[:-1]]

    def split(self, ends: Indices, share: Floats) -> tuple[csr_array, Indices, Indices]:
        """New points over old ones, the pieces of cells, and the cell of each piece.

        Long edges come first, which makes better pieces.
        """
        long = np.linalg.norm(self.rest[ends[:, 1]] - self.rest[ends[:, 0]], axis=1)
        order = np.lexsort((ends[:, 1], ends[:, 0], -long))
        ends, share = ends[order], share[order]
        n, e = len(self.x), len(ends)
        rows = np.concatenate([np.arange(n), np.repeat(np.arange(n, n + e), 2)])
        weights = np.stack([1.0 - share, share], axis=1).ravel()
        entries = (np.concatenate([np.ones(n), weights]), (rows, np.r_[0:n, ends.ravel()]))
        cells, parents = bisected(self.cells, ends, n)
        return csr_array(coo_array(entries, shape=(n + e, n))), cells, parents


def cut_mesh(
    mesh: Mesh,
    surface: CutSurface,
    *,
    at: Floats | None = None,
    width: float = 0.0,
    snap: float = SNAP,
    spared: Flags | None = None,
) -> MeshChange:
    """Cut the cells of a mesh along a surface, and part what is on both sides of it.

    Cells are split, none is lost, and a piece has a shape quality of `QUALITY` or that of its cell:
    where the surface passes too near to a point, the cut goes through the point. The surface may end
    inside the mesh; cells that it crosses wholly are cut then. at: where the points are when they are
    cut (n, d) [m], the mesh itself by default. width [m]: what the blade takes away. snap: how near a
    point is through which the cut then goes, over the length of an edge; with 0.5 no cell is split.
    spared: a mask over the points; parts of them are passed by.
    Points keep their numbers, and new ones come behind them.
    """
    level = _level(mesh, surface, mesh.points if at is None else at, spared)
    ends, share = _snapped(level, snap)
    over, cells, parents = level.split(ends, share)
    heights = np.concatenate([level.heights, np.zeros(len(ends))])
    shared = SharedFacets.of(cells)
    opened = _opened(level, over, cells, heights, shared)
    if not opened.any():
        low, high = level.true.min(), level.true.max()
        raise MeshError(
            f"the cut parts nothing: the points of {mesh!r} are {low:.3g} to {high:.3g} m from its "
            "surface; expected a surface that goes through one of its cells, or between two"
        )
    cells, origin = parted(cells, len(heights), shared, opened)
    points = csr_array(over[origin])
    if width > 0.0:
        copied = np.bincount(origin)[origin] > 1
        points = _widened(level, points, cells, heights[origin], copied, width)
    return MeshChange(mesh_after(mesh, points, {level.kind: cells}), points, parents)


def require_simplices(mesh: Mesh) -> None:
    """Refuse meshes that cannot be cut."""
    kinds = [kind for kind in mesh.cells if kind not in ("line2", "tri3", "tet4")]
    if kinds or len(mesh.cells) > 1:
        raise MeshError(
            f"cut: got {mesh!r}; expected lines, triangles or tetrahedra, of one kind: "
            'pl.meshes.box(..., kind="tet") or pl.meshes.rectangle(..., kind="tri") makes such'
        )


def _level(mesh: Mesh, surface: CutSurface, x: Floats, spared: Flags | None) -> _Level:
    require_simplices(mesh)
    ((kind, cells),) = mesh.cells.items()
    true = surface.heights(x)[0]
    size = float(np.linalg.norm(np.ptp(x, axis=0)))
    if spared is not None:
        true = np.where(spared, size, true)  # all on one side
    heights = np.where(np.abs(true) <= ON * size, 0.0, true)
    return _Level(kind, cells, mesh.points, x, surface, true, heights, mesh.edges)


def _snapped(level: _Level, snap: float) -> tuple[Indices, Floats]:
    """The edges that are cut, and where, after the cut was moved into points that are near.

    Each round moves it into at least one point, so the rounds come to an end.
    """
    before = shape_quality(level.rest, level.kind, level.cells)
    while True:
        ends, share = level.crossed()
        nearest = ends[np.arange(len(ends)), (share > 0.5).astype(np.int64)]
        way = np.minimum(share, 1.0 - share)
        near = (way < snap) | (snap >= 0.5)
        if near.any():
            level.heights[nearest[near]] = 0.0
            continue
        over, cells, parents = level.split(ends, share)
        found = shape_quality(over @ level.rest, level.kind, cells)
        bad = np.unique(parents[found < np.minimum(QUALITY, before[parents]) * (1.0 - 1e-9)])
        if not len(bad):
            return ends, share
        level.heights[_nearest_of(level, bad, ends, way, nearest)] = 0.0


def _nearest_of(
    level: _Level, bad: Indices, ends: Indices, way: Floats, nearest: Indices
) -> Indices:
    """For some cells the points that the cut comes nearest to."""
    n = len(level.x)
    pairs = np.array(list(combinations(range(level.cells.shape[1]), 2)))
    own = np.sort(level.cells[bad][:, pairs], axis=2)
    keys = ends[:, 0] * n + ends[:, 1]
    order = np.argsort(keys)
    wanted = own[..., 0] * n + own[..., 1]
    at = order[np.searchsorted(keys, wanted, sorter=order).clip(max=len(keys) - 1)]
    far = np.where(keys[at] == wanted, way[at], np.inf)
    return np.asarray(nearest[at[np.arange(len(bad)), far.argmin(axis=1)]])


def _opened(
    level: _Level, over: csr_array, cells: Indices, heights: Floats, shared: SharedFacets
) -> Flags:
    """Which shared facets are on the cut, between cells of both sides, and not beyond its rim."""
    on = np.flatnonzero((heights[shared.nodes] == 0.0).all(axis=1))
    y = over @ level.x
    sides = np.sign(heights[shared.apexes[on]])
    flat = sides == 0.0  # all points of the cell are on the cut
    middles = y[cells[shared.cells[on][flat]]].mean(axis=1)
    sides[flat] = np.where(level.surface.heights(middles)[0] < 0.0, -1.0, 1.0)
    beyond = level.surface.heights(y[shared.nodes[on]].mean(axis=1))[1]
    opened = np.zeros(len(shared.nodes), dtype=bool)
    opened[on] = (sides[:, 0] * sides[:, 1] < 0.0) & (beyond <= ON)
    return opened


def _widened(
    level: _Level,
    points: csr_array,
    cells: Indices,
    heights: Floats,
    copied: Flags,
    width: float,
) -> csr_array:
    """The copies on either side drawn back by half of a width, but never far.

    A point on an edge goes along it, so that no cell is strained. One that was there before goes
    towards the middle of the cells around it.
    """
    inwards = _inwards(cells, heights, points)
    target = csr_array(inwards @ points)
    deep = np.abs((target - points) @ level.true)
    share = np.where(copied, AWAY, 0.0)
    share = np.minimum(share, 0.5 * width / np.maximum(deep, 1e-300))
    size = measure(points @ level.rest, level.kind, cells)
    while True:
        found = csr_array(points + (target - points).multiply(share[:, None]))
        found.eliminate_zeros()
        left = measure(found @ level.rest, level.kind, cells) / size
        bad = left < 0.5
        if not bad.any():
            return found
        share[cells[bad].ravel()] *= 0.5


def _inwards(cells: Indices, heights: Floats, points: csr_array) -> csr_array:
    """What each point is drawn towards: the end of its edge on its own side, or what is around it."""
    k = cells.shape[1]
    own = np.repeat(cells, k, axis=1).ravel()
    other = np.tile(cells, (1, k)).ravel()
    off = heights[other] != 0.0
    n = len(heights)
    on_edge = np.diff(points.indptr) == 2
    # Of the points around one on an edge only an end of that edge counts.
    if on_edge.any():
        rows = points.indices[np.minimum(points.indptr[:-1, None] + [0, 1], points.nnz - 1)]
        ends = (other[:, None] == rows[own]).any(axis=1)
        off &= ~on_edge[own] | ends
    around = coo_array((np.ones(int(off.sum())), (own[off], other[off])), shape=(n, n)).tocsr()
    around.data[:] = 1.0
    total = np.asarray(around.sum(axis=1)).ravel()
    still = coo_array(((total == 0.0).astype(float), (np.arange(n), np.arange(n))), shape=(n, n))
    return csr_array(around.multiply((1.0 / np.maximum(total, 1.0))[:, None]) + still)
