"""Which simplex a point is in, and which facet is nearest to it; exact, for many points at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from scipy.spatial import cKDTree

from .arrays import Floats, Indices

_PAIRS_AT_ONCE = 400_000  # pairs of points and candidates, to bound memory


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
                for start in range(0, len(todo), max(_PAIRS_AT_ONCE // count, 1)):
                    part = slice(start, start + max(_PAIRS_AT_ONCE // count, 1))
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
        share = self.slopes(simplices, points - self.origin[simplices])
        share[:, 0] += 1.0
        return share

    def slopes(self, simplices: Indices, along: Floats) -> Floats:
        """How coordinates (p, d + 1) change along vectors (p, d)."""
        rest = np.einsum("pij,pj->pi", self.inverse[simplices], along)
        return np.concatenate([-rest.sum(axis=1, keepdims=True), rest], axis=1)


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
        return np.asarray(np.minimum(least[chosen], box) + radius * (1 + 1e-9))

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


def closest(facets: Floats, points: Floats) -> Floats:
    """Shares of the corners in the point of each facet (p, d, d) that is closest to its point."""
    d = facets.shape[1]
    if d == 2:
        along = _along(facets[:, 0], facets[:, 1], points)
        return np.stack([1.0 - along, along], axis=1)
    a, b, c = facets[:, 0], facets[:, 1], facets[:, 2]
    normal = np.cross(b - a, c - a)
    square = np.maximum(np.einsum("pi,pi->p", normal, normal), np.finfo(float).tiny)
    # The area opposite each corner, as seen from the projection of the point.
    areas = [(b, c), (c, a), (a, b)]
    shares = np.stack(
        [np.einsum("pi,pi->p", np.cross(e - s, points - s), normal) / square for s, e in areas],
        axis=1,
    )
    out = np.flatnonzero((shares < 0).any(axis=1))
    least = np.full(len(out), np.inf)
    for i in range(3):
        start, end = facets[out, i], facets[out, (i + 1) % 3]
        along = _along(start, end, points[out])
        distance = np.linalg.norm(start + along[:, None] * (end - start) - points[out], axis=1)
        better = distance < least
        least[better] = distance[better]
        edge = np.zeros((int(better.sum()), 3))
        edge[:, i], edge[:, (i + 1) % 3] = 1.0 - along[better], along[better]
        shares[out[better]] = edge
    return shares


def _distances(facets: Floats, points: Floats) -> Floats:
    """From points (p, d) to segments (p, 2, 2) or triangles (p, 3, 3)."""
    there = np.einsum("pv,pvd->pd", closest(facets, points), facets)
    return np.asarray(np.linalg.norm(there - points, axis=1))


def _along(start: Floats, end: Floats, points: Floats) -> Floats:
    """How far along each segment its closest point is, 0 to 1."""
    edge = end - start
    square = np.maximum(np.einsum("pi,pi->p", edge, edge), np.finfo(float).tiny)
    return np.asarray(np.clip(np.einsum("pi,pi->p", points - start, edge) / square, 0.0, 1.0))
