"""How deep points of one part are inside another, and which way out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .hashing import overlapping, ranges
from .piercing import crossings, facet_normals

#: Points nearer to the surface than this share of an edge count as so near.
NEAREST = 1e-8
#: A mean of unit vectors that is shorter than this is rounding.
OPPOSITE = 1e-12


@dataclass(frozen=True, eq=False)
class Depths:
    """Depth [m], (m,), and direction, unit vectors (m, d), of points that collide."""

    depth: np.ndarray
    direction: np.ndarray
    found: np.ndarray  # (m,), False where no way leads out: both are zero there


class PenetrationDepth:
    """Depths of the points that collide with a part, from where edges go through its surface.

    A point is a border point if an edge leads from it to a point outside. Each such edge meets the
    surface first at x_i, where the normal is n_i:

        w_i = 1/|x_i - p|^2,   d(p) = sum w_i (x_i - p).n_i / sum w_i,           r(p) ~ sum w_i n_i

    From there depths go inwards, level by level, to points of which neighbours p_j are known:

        w_j = 1/|p_j - p|^2,   d(p) = sum w_j ((p_j - p).r_j + d_j) / sum w_j,   r(p) ~ sum w_j r_j

    So neighbours are pushed the same way, where the nearest surface would push them to different
    sides. Source: [heidelberger2004].

    edges (e, 2): of all parts; facets (f, 3), or in the plane (f, 2), with corners ordered outwards,
    and the part that each is of, (f,); parts: their number. What is wholly inside has no border, and
    no depth is found.
    """

    def __init__(self, edges: np.ndarray, facets: np.ndarray, part: np.ndarray, parts: int):
        both = np.concatenate([edges, edges[:, ::-1]])
        both = both[np.lexsort((both[:, 1], both[:, 0]))]
        self._others, self._facets, self._part, self._parts = both[:, 1], facets, part, parts
        self._start = np.searchsorted(both[:, 0], np.arange(edges.max(initial=-1) + 2))

    def __call__(self, x: np.ndarray, keys: np.ndarray) -> Depths:
        """The depths of contacts at positions x; keys = point * parts + part, sorted."""
        if not len(keys):
            return Depths(np.zeros(0), np.zeros((0, x.shape[1])), np.zeros(0, dtype=bool))
        points, part = keys // self._parts, keys % self._parts
        begin = self._start[points]
        counts = self._start[points + 1] - begin
        owner = np.repeat(np.arange(len(keys)), counts)
        other = self._others[ranges(begin, counts)]
        wanted = other * self._parts + part[owner]
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        inside = keys[at] == wanted
        i, q = owner[~inside], other[~inside]
        edge, way, normals = self._leave(x, points[i], q, part[i])
        size = np.linalg.norm(x[q[edge]] - x[points[i[edge]]], axis=1)
        known = _averaged(len(keys), i[edge], way, normals, np.zeros(len(edge)), NEAREST * size)
        return _inwards(known, x[points], owner[inside], at[inside])

    def _leave(
        self, x: np.ndarray, p: np.ndarray, q: np.ndarray, part: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Where edges from p to q first meet the surface: their numbers, x_i - p, and normals."""
        a, b, corners = x[p], x[q], x[self._facets]
        edges = np.minimum(a, b), np.maximum(a, b)
        low, high = corners.min(axis=1), corners.max(axis=1)
        # Most facets are nowhere near.
        floor, top = edges[0].min(axis=0, initial=np.inf), edges[1].max(axis=0, initial=-np.inf)
        near = np.flatnonzero(((low <= top) & (floor <= high)).all(axis=1))
        i, j = overlapping(edges, (low[near], high[near]))
        j = near[j]
        same = part[i] == self._part[j]
        i, j = i[same], j[same]
        normals, share = facet_normals(corners[j]), crossings(a[i], b[i], corners[j])
        met = np.isfinite(share) & normals.any(axis=1)
        i, normals, share = i[met], normals[met], share[met]
        order = np.lexsort((share, i))
        edge, first = np.unique(i[order], return_index=True)
        best = order[first]
        return edge, share[best, None] * (b - a)[edge], normals[best]


def _averaged(
    count: int,
    owner: np.ndarray,
    way: np.ndarray,
    directions: np.ndarray,
    depth: np.ndarray,
    least: np.ndarray,
) -> Depths:
    """The weighted means of  way . direction + depth  and of directions, for each owner."""
    weight = 1.0 / np.maximum(np.einsum("ij,ij->i", way, way), np.maximum(least**2, 1e-300))
    found = np.bincount(owner, minlength=count) > 0
    total = np.where(found, np.bincount(owner, weight, count), 1.0)
    each = np.einsum("ij,ij->i", way, directions) + depth
    mean = np.bincount(owner, weight * each, count) / total
    sums = [np.bincount(owner, weight * n, count) / total for n in directions.T]
    r = np.stack(sums, axis=1)
    size = np.linalg.norm(r, axis=1, keepdims=True)
    # Opposite directions leave none, but for rounding.
    return Depths(mean, np.where(size > OPPOSITE, r / np.maximum(size, OPPOSITE), 0.0), found)


def _inwards(known: Depths, x: np.ndarray, points: np.ndarray, others: np.ndarray) -> Depths:
    """Depths of all that is joined to the border; links lead from points to others, both of x."""
    while True:
        use = known.found[others] & ~known.found[points]
        if not use.any():
            return known
        i, j = points[use], others[use]
        none = np.zeros(len(i))
        new = _averaged(len(x), i, x[j] - x[i], known.direction[j], known.depth[j], none)
        known = Depths(
            known.depth + new.depth, known.direction + new.direction, known.found | new.found
        )
