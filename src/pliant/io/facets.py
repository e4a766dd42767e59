"""The faces of a surface made ready for drawing: triangles, edges, and where it is sharp."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from pliant.mesh import Surface, connected

#: Faces that meet at a smaller angle than this are shaded as one smooth surface [degrees].
CREASE = 35.0


@dataclass(frozen=True)
class Facets:
    """A surface as a renderer draws it.

    A point on a crease belongs to several vertices, one per smooth side, so that each side has its
    own normal there.
    """

    vertices: np.ndarray  # (v,): the point of each vertex
    triangles: np.ndarray  # (t, 3): vertices
    edges: np.ndarray  # (e, 2): points at the ends of every side of a polygon
    creases: np.ndarray  # (c, 2): those of sharp edges and of open ends

    @classmethod
    def of(cls, surface: Surface) -> Facets:
        """Cut a surface open along its creases."""
        # 32-bit numbers: of a fine sheet these arrays would be the largest of a whole film.
        corners, sizes = surface.corners.astype(np.int32), surface.sizes
        face = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        following = surface.following.astype(np.int32)
        pairs = np.sort(np.stack([corners, corners[following]], axis=1), axis=1)
        order = np.lexsort(pairs.T).astype(np.int32)
        same = np.ones(max(len(order) - 1, 0), dtype=bool)
        for end in pairs.T:
            same &= end[order[1:]] == end[order[:-1]]
        one, other = order[:-1][same], order[1:][same]  # the two sides of each inner edge

        turned = corners[one] != corners[other]  # neighbours of one orientation run opposite ways
        near = np.where(turned, following[other], other)
        far = np.where(turned, other, following[other])
        if surface.normals is None:
            normals = face_normals(surface)
            cosine = np.abs((normals[face[one]] * normals[face[other]]).sum(axis=1))
            smooth = cosine > np.cos(np.radians(CREASE))
        else:
            n = _units(surface.normals)  # files round them
            ends = [(n[a] * n[b]).sum(axis=1) for a, b in ((one, near), (following[one], far))]
            smooth = np.minimum(*ends) > 0.999  # the artist's normals say what is smooth
        a = np.concatenate([one[smooth], following[one][smooth]])
        b = np.concatenate([near[smooth], far[smooth]])
        vertex = connected(a, b, len(corners))
        vertices = np.zeros(vertex.max() + 1, dtype=np.int32)
        vertices[vertex] = corners

        inner = np.zeros(len(corners), dtype=bool)
        inner[one] = inner[other] = True
        creases = np.concatenate([pairs[one[~smooth]], pairs[~inner]])
        edges = np.concatenate([pairs[one], pairs[~inner]])
        return cls(vertices, vertex[surface.triangles], _distinct(edges), _distinct(creases))

    @cached_property
    def _around(self) -> csr_array:
        """Sums over the triangles around each vertex, (v, t)."""
        count = len(self.triangles)
        owners = np.repeat(np.arange(count, dtype=np.int32), 3)
        ones, shape = np.ones(3 * count, np.int8), (len(self.vertices), count)
        return csr_array((ones, (self.triangles.ravel(), owners)), shape=shape)

    def normals(self, points: np.ndarray) -> np.ndarray:
        """One unit normal per vertex of a surface at points (m, 3): (v, 3)."""
        x = points[self.vertices]
        a, b, c = (x[corner] for corner in self.triangles.T)
        return _units(self._around @ np.cross(b - a, c - a))


def face_normals(surface: Surface) -> np.ndarray:
    """Unit normals of polygons, also of bent ones, (faces, 3)."""
    starts = np.cumsum(surface.sizes) - surface.sizes
    x = surface.points[surface.corners]
    return _units(np.add.reduceat(np.cross(x, x[surface.following]), starts, axis=0))


def _units(vectors: np.ndarray) -> np.ndarray:
    """Vectors (k, 3) of length one; zero vectors stay zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-300))


def _distinct(pairs: np.ndarray) -> np.ndarray:
    return np.unique(pairs, axis=0) if len(pairs) else pairs.reshape(0, 2)
