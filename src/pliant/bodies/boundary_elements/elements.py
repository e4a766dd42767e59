"""Triangles of a closed surface, with constant or linear fields on them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class OwnTriangles:
    """Each node with each triangle that it lies in: N(x) of the triangle's corners, (k, 3)."""

    node: Array
    triangle: Array
    shares: Array


@dataclass(frozen=True, eq=False)
class SurfaceElements:
    """Flat triangles, outward, on which displacement and traction are constant or linear.

    points [m], (m, 3); triangles, (t, 3); order: 0, with a node in the middle of each triangle, or 1,
    with one at each point.
    """

    points: Array
    triangles: Array
    order: int

    @cached_property
    def corners(self) -> Array:
        """[m], (t, 3, 3)."""
        out: Array = self.points[self.triangles]
        return out

    @cached_property
    def _crossed(self) -> Array:
        a, b, c = np.moveaxis(self.corners, 1, 0)
        return np.cross(b - a, c - a)

    @cached_property
    def areas(self) -> Array:
        """Of triangles [m^2], (t,)."""
        return np.asarray(0.5 * np.linalg.norm(self._crossed, axis=1))

    @cached_property
    def normals(self) -> Array:
        """Of triangles, (t, 3)."""
        return np.asarray(self._crossed / (2.0 * self.areas[:, None]))

    @cached_property
    def centres(self) -> Array:
        """Of triangles [m], (t, 3)."""
        return np.asarray(self.corners.mean(axis=1))

    @property
    def nodes(self) -> Array:
        """[m], (n, 3)."""
        return self.points if self.order else self.centres

    @cached_property
    def spread(self) -> sp.csr_matrix:
        """Which node each corner of each triangle takes its value from, (3 t, n)."""
        t = len(self.triangles)
        of = self.triangles.ravel() if self.order else np.repeat(np.arange(t), 3)
        return sp.csr_matrix((np.ones(3 * t), (np.arange(3 * t), of)), (3 * t, len(self.nodes)))

    @cached_property
    def by_face(self) -> sp.csr_matrix:
        """Which triangle each corner belongs to, (3 t, t)."""
        t = len(self.triangles)
        return sp.csr_matrix((np.ones(3 * t), (np.arange(3 * t), np.repeat(np.arange(t), 3))))

    @cached_property
    def shown(self) -> sp.csr_matrix:
        """Points from nodes, (m, n): means by area of the triangles around a point."""
        m, t = len(self.points), len(self.triangles)
        if self.order:
            return sp.identity(m, format="csr")
        rows, columns = self.triangles.ravel(), np.repeat(np.arange(t), 3)
        weights = sp.csr_matrix((np.repeat(self.areas, 3), (rows, columns)), (m, t))
        return sp.csr_matrix(sp.diags(1.0 / np.asarray(weights.sum(axis=1)).ravel()) @ weights)

    def node_areas(self, triangles: Array) -> Array:
        """The integral of the shape function of each node over some triangles [m^2], (n,)."""
        share = np.repeat(np.where(triangles, self.areas, 0.0) / 3.0, 3)
        return np.asarray(self.spread.T @ share)

    def node_normals(self) -> Array:
        """Outward, of length one, (n, 3)."""
        if not self.order:
            return self.normals
        sums = self.spread.T @ np.repeat(self.normals * self.areas[:, None], 3, axis=0)
        return np.asarray(sums / np.linalg.norm(sums, axis=1, keepdims=True))

    def own(self) -> OwnTriangles:
        """Nodes with the triangles that they lie in."""
        t = len(self.triangles)
        if not self.order:
            each = np.arange(t)
            return OwnTriangles(each, each, np.full((t, 3), 1.0 / 3.0))
        triangle = np.repeat(np.arange(t), 3)
        return OwnTriangles(self.triangles.ravel(), triangle, np.tile(np.eye(3), (t, 1)))
