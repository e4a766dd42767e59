"""The faces of a surface made ready for drawing: triangles, edges, and where it is sharp."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.mesh import Surface

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
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        corners, sizes = surface.corners, surface.sizes
        starts = np.cumsum(sizes) - sizes
        face = np.repeat(np.arange(len(sizes)), sizes)
        following = np.arange(len(corners)) + 1
        following[starts + sizes - 1] = starts
        pairs = np.sort(np.stack([corners, corners[following]], axis=1), axis=1)
        order = np.lexsort(pairs.T)
        same = (pairs[order][1:] == pairs[order][:-1]).all(axis=1)
        one, other = order[:-1][same], order[1:][same]  # the two sides of each inner edge

        turned = corners[one] != corners[other]  # neighbours of one orientation run opposite ways
        near = np.where(turned, following[other], other)
        far = np.where(turned, other, following[other])
        if surface.normals is None:
            normals = face_normals(surface)
            cosine = np.abs((normals[face[one]] * normals[face[other]]).sum(axis=1))
            smooth = cosine > np.cos(np.radians(CREASE))
        else:
            n = surface.normals
            ends = [(n[a] * n[b]).sum(axis=1) for a, b in ((one, near), (following[one], far))]
            smooth = np.minimum(*ends) > 0.999  # the artist's normals say what is smooth
        a = np.concatenate([one[smooth], following[one][smooth]])
        b = np.concatenate([near[smooth], far[smooth]])
        joined = coo_array((np.ones(len(a)), (a, b)), shape=(len(corners), len(corners)))
        count, vertex = connected_components(joined, directed=False)
        vertices = np.zeros(count, dtype=np.int64)
        vertices[vertex] = corners

        inner = np.zeros(len(corners), dtype=bool)
        inner[one] = inner[other] = True
        creases = np.concatenate([pairs[one[~smooth]], pairs[~inner]])
        edges = np.concatenate([pairs[one], pairs[~inner]])
        return cls(vertices, vertex[surface.triangles], _distinct(edges), _distinct(creases))

    def normals(self, points: np.ndarray) -> np.ndarray:
        """One unit normal per vertex of a surface at points (m, 3): (v, 3)."""
        corners = points[self.vertices[self.triangles]]
        area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        total = np.stack(
            [
                np.bincount(
                    self.triangles.ravel(), np.repeat(area[:, k], 3), minlength=len(self.vertices)
                )
                for k in range(3)
            ],
            axis=1,
        )
        return np.asarray(total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-300))


def face_normals(surface: Surface) -> np.ndarray:
    """Unit normals of polygons, also of bent ones, (faces, 3)."""
    starts = np.cumsum(surface.sizes) - surface.sizes
    following = np.arange(len(surface.corners)) + 1
    following[starts + surface.sizes - 1] = starts
    x = surface.points[surface.corners]
    total = np.add.reduceat(np.cross(x, x[following]), starts, axis=0)
    return np.asarray(total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-300))


def _distinct(pairs: np.ndarray) -> np.ndarray:
    return np.unique(pairs, axis=0) if len(pairs) else pairs.reshape(0, 2)
