"""Which simplex a point is in, and which facet is nearest to it; exact, for many points at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

_AT_ONCE = 400_000  # pairs of points and candidates, to bound memory


class Neighbourhood:
    """Pieces by where their centres are, in classes of like size.

    A piece whose centre is farther from a point than a distance plus its own radius is farther than
    that distance. Within a class radii differ by two at most, so few candidates prove this.
    """

    def __init__(self, corners: Floats):
        centres = corners.mean(axis=1)
        radii = np.linalg.norm(corners - centres[:, None], axis=2).max(axis=1)
        level = np.floor(np.log2(np.maximum(radii / radii.max(), 1e-12))).astype(int)
        self.classes: list[tuple[cKDTree, Indices, float]] = []
        for chosen in np.unique(level)[::-1]:
            members = np.flatnonzero(level == chosen)
            self.classes.append((cKDTree(centres[members]), members, float(radii[members].max())))

    def rounds(
        self, points: Floats, within: Callable[[Indices, float], Floats]
    ) -> Iterator[tuple[Indices, Indices]]:
        """Yield points and their candidates, (p,) and (p, k), until all those `within` were shown.

        within(p, radius): how far centres of pieces of that radius may be from points p, judged anew
        in every round; below zero for points that need no more candidates. A missing one is -1.
        """
        for tree, members, radius in self.classes:
            todo, count = np.arange(len(points)), 8
            while len(todo):
                reach = within(todo, radius)
                todo, reach = todo[reach >= 0], reach[reach >= 0]
                count = min(count, len(members))
                left = []
                for start in range(0, len(todo), max(_AT_ONCE // count, 1)):
                    part = slice(start, start + max(_AT_ONCE // count, 1))
                    limit = reach[part].max() * (1 + 1e-12)
                    distance, index = tree.query(
                        points[todo[part]], k=count, distance_upper_bound=limit
                    )
                    distance, index = distance.reshape(-1, count), index.reshape(-1, count)
                    near = distance <= reach[part, None]
                    # Beyond the limit the tree answers with an index past its end.
                    yield todo[part], np.where(near, members[np.where(near, index, 0)], -1)
                    left.append(todo[part][near[:, -1]])
                todo = np.concatenate(left) if left and count < len(members) else todo[:0]
                count *= 4


class Barycentric:
    """Coordinates of points in simplices (s, d + 1, d)."""

    def __init__(self, corners: Floats):
        self.origin = corners[:, 0]
        edges = np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2)
        self.inverse = np.linalg.inv(edges)

    def __call__(self, simplices: Indices, points: Floats) -> Floats:
        """Coordinates (p, d + 1) of each point in its simplex."""
        rest = np.einsum("pij,pj->pi", self.inverse[simplices], points - self.origin[simplices])
        return np.concatenate([1.0 - rest.sum(axis=1, keepdims=True), rest], axis=1)


def containing(corners: Floats, points: Floats) -> Indices:
    """The simplex that each point is in, or -1."""
    coordinates = Barycentric(corners)
    found = np.full(len(points), -1)

    def within(chosen: Indices, radius: float) -> Floats:
        return np.where(found[chosen] < 0, radius * (1 + 1e-9), -1.0)

    for chosen, candidates in Neighbourhood(corners).rounds(points, within):
        row, column = np.nonzero(candidates >= 0)
        pieces = candidates[row, column]
        lowest = np.full(candidates.shape, -np.inf)
        lowest[row, column] = coordinates(pieces, points[chosen[row]]).min(axis=1)
        best = lowest.argmax(axis=1)
        every = np.arange(len(chosen))
        inside = lowest[every, best] >= -1e-10  # a point on a facet is in one of its cells
        found[chosen[inside]] = candidates[every, best][inside]
    return found


def nearest(facets: Floats, points: Floats) -> tuple[Indices, Floats]:
    """The facet (f, d, d) nearest to each point, and how far it is."""
    found = np.full(len(points), -1)
    least = np.full(len(points), np.inf)
    box = np.linalg.norm(np.ptp(np.concatenate([facets.reshape(-1, points.shape[1]), points]), 0))

    def within(chosen: Indices, radius: float) -> Floats:
        return np.minimum(least[chosen], box) + radius * (1 + 1e-9)

    for chosen, candidates in Neighbourhood(facets).rounds(points, within):
        row, column = np.nonzero(candidates >= 0)
        distance = np.full(candidates.shape, np.inf)
        distance[row, column] = _distances(facets[candidates[row, column]], points[chosen[row]])
        best = distance.argmin(axis=1)
        every = np.arange(len(chosen))
        better = distance[every, best] < least[chosen]
        least[chosen[better]] = distance[every, best][better]
        found[chosen[better]] = candidates[every, best][better]
    return found, least


def _distances(facets: Floats, points: Floats) -> Floats:
    """From points (p, d) to segments (p, 2, 2) or triangles (p, 3, 3)."""
    if facets.shape[1] == 2:
        return _to_segments(facets[:, 0], facets[:, 1], points)
    a, b, c = facets[:, 0], facets[:, 1], facets[:, 2]
    normal = np.cross(b - a, c - a)
    square = np.einsum("pi,pi->p", normal, normal)
    square = np.where(square > 0, square, 1.0)
    inside = np.ones(len(points), dtype=bool)
    for start, end in ((a, b), (b, c), (c, a)):
        side = np.einsum("pi,pi->p", np.cross(end - start, points - start), normal)
        inside &= side >= 0
    distance = np.abs(np.einsum("pi,pi->p", points - a, normal)) / np.sqrt(square)
    out = np.flatnonzero(~inside)
    ends = [(a[out], b[out]), (b[out], c[out]), (c[out], a[out])]
    distance[out] = np.min([_to_segments(s, e, points[out]) for s, e in ends], axis=0)
    return distance


def _to_segments(start: Floats, end: Floats, points: Floats) -> Floats:
    along = end - start
    square = np.einsum("pi,pi->p", along, along)
    share = np.einsum("pi,pi->p", points - start, along) / np.where(square > 0, square, 1.0)
    return np.linalg.norm(start + np.clip(share, 0, 1)[:, None] * along - points, axis=1)
