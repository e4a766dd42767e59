"""Where a surface turns away from the eye: the outline of a shape, whatever edges its mesh has."""

from __future__ import annotations

import numpy as np

from .facets import Facets


class Silhouette:
    """Finds the outline of a surface on whose smooth sides n . (eye - x) = 0, and along its creases.

    On a smooth side n, interpolated from the vertices, gives a straight piece in each triangle that the
    outline crosses. A crease is part of it if it is an open end, or if one of its sides is turned away.
    """

    def __init__(self, facets: Facets, creases: np.ndarray | None = None):
        self._facets = facets
        self._creases = facets.creases if creases is None else creases  # (c, 2): points
        points = facets.vertices[facets.triangles]  # (t, 3)
        ends = np.sort(np.stack([points, np.roll(points, -1, axis=1)], axis=2), axis=2).reshape(
            -1, 2
        )
        size = int(max(points.max(initial=0), self._creases.max(initial=0))) + 1
        keys = ends[:, 0].astype(np.int64) * size + ends[:, 1]
        wanted = np.sort(self._creases, axis=1).astype(np.int64) @ [size, 1]
        order = np.argsort(keys, kind="stable")
        first, last = (np.searchsorted(keys[order], wanted, side=s) for s in ("left", "right"))
        self._between = np.flatnonzero(last - first == 2)  # creases with a triangle on both sides
        self._sides = order[first[self._between, None] + [0, 1]] // 3  # (b, 2): triangles

    def lines(self, x: np.ndarray, eye: np.ndarray, *, afar: bool = False) -> np.ndarray:
        """The outline of the surface at points x (m, 3), as pieces (k, 2, 3).

        eye: a place (3,); or, if `afar`, the direction to it.
        """
        at, normals = x[self._facets.vertices], self._facets.normals(x)
        ray = np.broadcast_to(eye, at.shape) if afar else eye - at
        smooth = _level_lines(at, self._facets.triangles, (normals * ray).sum(axis=1))
        a, b, c = (at[corner] for corner in self._facets.triangles.T)
        faced = (np.cross(b - a, c - a) * (ray[self._facets.triangles[:, 0]])).sum(axis=1) > 0.0
        shown = np.ones(len(self._creases), dtype=bool)
        shown[self._between] = faced[self._sides[:, 0]] != faced[self._sides[:, 1]]
        return np.concatenate([smooth, x[self._creases[shown]]])


def _level_lines(at: np.ndarray, triangles: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Where values at vertices (v,) are zero, interpolated in triangles: (k, 2, 3)."""
    value = np.where(np.abs(value) > 1e-9 * np.abs(value).max(initial=0.0), value, 0.0)
    above = value[triangles] > 0.0
    mixed = triangles[above.any(axis=1) & ~above.all(axis=1)]
    signs = value[mixed] > 0.0
    # The corner that is alone on its side comes first; the line crosses the two edges that meet there.
    alone = np.argmax(signs == (signs.sum(axis=1, keepdims=True) == 1), axis=1)
    i, j, k = (mixed[np.arange(len(mixed)), (alone + turn) % 3] for turn in range(3))
    pieces = []
    for other in (j, k):
        share = value[i] / (value[i] - value[other])
        pieces.append(at[i] + share[:, None] * (at[other] - at[i]))
    return np.stack(pieces, axis=1).reshape(-1, 2, 3)
