"""The motion of one mesh for another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import splu
from scipy.spatial import cKDTree

from pliant.given import one_each
from pliant.mesh import Mesh, Surface
from pliant.solvers import Ordered

from .matching import accept_markers, corresponding, deformed
from .triangles import Array, Triangles


class Transfer:
    """How a surface moves as another one does, though it has other points, faces and proportions.

    The affine map S of each triangle of the source is given to the triangles of the target that lie on
    it, and places v are those whose own maps T are nearest to these:

        minimise over v  sum over triangles  area |T(v) - S|^2

    which is the norm of the difference of both matrices: the difference of their norms would be zero for
    anything that only turns. Each triangle has its normal as a third direction; what it does is free in
    the target, so that only directions within its plane count, and the matrix is that of cotangents. It
    is factored once, and a frame is a product and a solve.

    source, target: surfaces or meshes at rest in the same pose. markers: pairs of points, of the source
    and of the target. Calling it with positions of the source [m] gives those of the target. Where the
    target is as a whole goes as the source does, scaled by their sizes.

        give = pl.shape.Transfer(horse, camel, markers=[(12, 40), (7, 93)])
        give(horse_positions)

    Source: [sumner2004] (7), [botsch2008] 4; `docs/shapes.md`.
    """

    def __init__(
        self,
        source: Surface | Mesh,
        target: Surface | Mesh,
        markers: Sequence[tuple[int, int]] = (),
    ):
        self._source = here = Triangles.of("source", source)
        self._target = there = Triangles.of("target", target)
        for surface in (here, there):
            surface.refuse_inside_out()
        pairs = accept_markers(markers, here, there)
        x, self._factor = deformed(here, there, pairs)
        own, shares = corresponding(here, there, x)
        self.corresponding = own
        weights = there.areas / there.areas.sum()
        self._centre = weights @ there.points[there.corners].mean(axis=1)
        rows = np.repeat(0, 3 * len(own))
        shape = (1, len(here.points))
        self._middle = sp.coo_array(
            ((weights[:, None] * shares).ravel(), (rows, here.corners[own].ravel())), shape=shape
        ).tocsr()
        self._prepare(own)

    @property
    def surface(self) -> Surface:
        """The target."""
        return self._target.surface

    @property
    def factor(self) -> float:
        """How many times as large as the source the target is [-]."""
        return self._factor

    def __call__(self, positions: Any) -> Array:
        """Positions of the points of the target [m], (m, 3), for those of the source (n, 3)."""
        here, there = self._source, self._target
        given = one_each(positions, here.surface.points.shape, what="transfer")
        x = self._placed(given)
        right = self._products @ np.concatenate([x, here.normals(x)])
        right[self._held] = 0.0
        v = np.empty_like(there.points)
        v[self._unknowns] = self._factored.solve(right[self._unknowns])
        way = (self._middle @ (x - here.points))[0]
        corners = there.areas @ v[there.corners].mean(axis=1) / there.areas.sum()
        v += self._centre + self._factor * way - corners
        out: Array = v[np.maximum(there.number, 0)]
        return out

    def _placed(self, given: Array) -> Array:
        """Positions of the places of the source, from those of its points."""
        used = self._source.number >= 0
        x = np.empty_like(self._source.points)
        x[self._source.number[used]] = given[used]
        return x

    def _prepare(self, own: Array) -> None:
        """The factor of the matrix, and the products that make a right hand side of a frame."""
        here, there = self._source, self._target
        dual = np.linalg.inv(here.frames)[own]
        # S g of each corner's gradient g, in edges and normal of the source's triangle.
        c = there.areas[:, None, None] * np.einsum("tkd,tid->tik", dual, there.slopes)
        a = here.corners[own]
        normal = len(here.points) + own
        columns = np.stack([a[:, 0], a[:, 1], a[:, 2], normal], axis=1)
        values = np.stack([-c[..., 0] - c[..., 1], c[..., 0], c[..., 1], c[..., 2]], axis=2)
        rows = np.repeat(there.corners[:, :, None], 4, axis=2)
        every = np.broadcast_to(columns[:, None, :], rows.shape)
        n, width = len(there.points), len(here.points) + len(here.corners)
        products = sp.coo_array((values.ravel(), (rows.ravel(), every.ravel())), shape=(n, width))
        joints = self._joints(own)
        matrix = there.laplacian + joints[0]
        self._products = (products.tocsr() + joints[1]).tocsr()
        loose = np.setdiff1d(np.arange(n), there.corners)
        self._held = np.append(loose, there.corners[0, 0])
        free = np.ones(n)
        free[self._held] = 0.0
        scale = matrix.diagonal().mean()
        matrix = sp.diags_array(free) @ matrix @ sp.diags_array(free)
        matrix = matrix + sp.diags_array(scale * (1.0 - free))
        ordered, self._unknowns = Ordered(there.points)(sp.bsr_matrix(matrix, blocksize=(1, 1)))
        options = {"SymmetricMode": True}
        self._factored = splu(ordered, permc_spec="NATURAL", diag_pivot_thresh=0.0, options=options)

    def _joints(self, own: Array) -> tuple[sp.csr_array, sp.csr_array]:
        """Parts of the target that no face joins follow the nearest part, by a line between both."""
        here, there = self._source, self._target
        n, width = len(there.points), len(here.points) + len(here.corners)
        a, b = there.corners.ravel(), np.roll(there.corners, -1, axis=1).ravel()
        links = sp.coo_array((np.ones(len(a)), (a, b)), shape=(n, n))
        _, label = connected_components(links, directed=False)
        first = there.corners[:, 0]
        parts, sizes = np.unique(label[first], return_counts=True)
        order = parts[np.argsort(-sizes)]
        triangle = np.zeros(n, dtype=np.int64)
        triangle[there.corners] = np.arange(len(there.corners))[:, None]
        joined, used = label == order[0], np.zeros(n, dtype=bool)
        used[there.corners] = True
        K: Any = sp.csr_array((n, n))
        C: Any = sp.csr_array((n, width))
        stiff = float(there.laplacian.diagonal().mean())
        for part in order[1:]:
            mine = np.flatnonzero((label == part) & used)
            known = np.flatnonzero(joined & used)
            distance, index = cKDTree(there.points[known]).query(there.points[mine])
            i = int(mine[distance.argmin()])
            j = int(known[index[distance.argmin()]])
            ends = sp.coo_array(([1.0, -1.0], ([0, 0], [i, j])), shape=(1, n)).tocsr()
            t = own[triangle[j]]
            c = np.linalg.inv(here.frames[t]) @ (there.points[i] - there.points[j])
            line = [*here.corners[t], len(here.points) + t]
            values = [-c[0] - c[1], c[0], c[1], c[2]]
            right = sp.coo_array((values, ([0] * 4, line)), shape=(1, width)).tocsr()
            K, C = K + stiff * (ends.T @ ends), C + stiff * (ends.T @ right)
            joined |= label == part
        return K, C
