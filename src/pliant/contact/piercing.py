"""Where edges go through facets: triangles of space, segments of the plane."""

from __future__ import annotations

import numpy as np

from .orientation import orientations

#: What bounds a facet, by corners of it; of a segment the ends.
RIMS: dict[int, list[tuple[int, ...]]] = {2: [(0,), (1,)], 3: [(0, 1), (1, 2), (2, 0)]}


def crossings(p: np.ndarray, q: np.ndarray, facets: np.ndarray) -> np.ndarray:
    """The share of the way from p to q at which each pair of edge and facet meets; inf: never, (m,).

    p, q (m, d) [m]; facets (m, d, d): the corners. Facets are closed, and whether they are met is told
    by exact signs. Of an edge that lies in the plane of a facet only its beginning p counts: where it
    enters the facet later, it meets another one that has that border.
    """
    dim = p.shape[1]
    start, end = (orientations(np.concatenate([facets, y[:, None]], axis=1)) for y in (p, q))
    sides = []
    for rim in RIMS[dim]:
        corners = np.stack([p, q, *(facets[:, a] for a in rim)], axis=1)
        sides.append(np.sign(orientations(corners)))
    if dim == 2:
        sides[1] = -sides[1]
    through = _alike(np.stack(sides, axis=1)) & (np.sign(start) * np.sign(end) <= 0.0)
    level = (start == 0.0) & (end == 0.0)
    through[level] = _on(p[level], facets[level])
    with np.errstate(invalid="ignore"):
        share = np.where(level, 0.0, np.abs(start) / (np.abs(start) + np.abs(end)))
    out: np.ndarray = np.where(through, share, np.inf)
    return out


def facet_normals(facets: np.ndarray) -> np.ndarray:
    """Unit normals (m, d) of facets (m, d, d), outwards if corners are so ordered; 0 of no area."""
    u = facets[:, 1] - facets[:, 0]
    if facets.shape[1] == 2:
        n = np.stack([u[:, 1], -u[:, 0]], axis=1)
    else:
        n = np.cross(u, facets[:, 2] - facets[:, 0])
    size = np.linalg.norm(n, axis=1, keepdims=True)
    out: np.ndarray = n / np.where(size > 0.0, size, 1.0)
    return out


def _alike(signs: np.ndarray) -> np.ndarray:
    """Whether all signs of a row are the same, or zero."""
    return np.asarray((signs >= 0.0).all(axis=1) | (signs <= 0.0).all(axis=1))


def _on(p: np.ndarray, facets: np.ndarray) -> np.ndarray:
    """Whether points of the planes of facets are on the facets, and these have an area."""
    out = np.asarray(((facets.min(axis=1) <= p) & (p <= facets.max(axis=1))).all(axis=1))
    if p.shape[1] == 2 or not len(p):
        return out
    # Seen along the axis along which the triangle is largest.
    axis = np.abs(facet_normals(facets)).argmax(axis=1)
    kept = np.array([[1, 2], [2, 0], [0, 1]])[axis]
    flat = np.take_along_axis(facets, kept[:, None], axis=2)
    at = np.take_along_axis(p, kept, axis=1)
    parts = []
    for a in range(3):
        corners = flat.copy()
        corners[:, a] = at
        parts.append(orientations(corners))
    return np.asarray(out & (orientations(flat) != 0.0) & _alike(np.sign(np.stack(parts, axis=1))))
