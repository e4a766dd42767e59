"""Penalties between points and the solid parts that they come near to or are inside of."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.energies import Lagged

from .closest_pairs import ClosestPairs
from .depth import PenetrationDepth
from .inside import Boxes, cell_weights
from .neighbours import Neighbours
from .penalty import Penalty, Searched
from .piercing import facet_normals
from .touching import point_triangle


class SolidPenalty(Penalty, Lagged):
    """Points are pushed away from solid parts, and out of them.

        g = the distance to the nearest place of the surface, outside;     g = -d, inside

    with the depth d and the direction out of `PenetrationDepth`. The surface takes up the push where
    it is nearest; inside, the cell around the point does, by its barycentric weights. So momentum and
    angular momentum are kept to rounding.

    Outside the force is the gradient of W. Inside it is not quite: d depends on how edges lie, too. So
    normals, depths and weights are held while a step is solved (`Lagged`); then W has this gradient
    and is convex.

    cells: pairs of points and cells around them; facets: pairs of points and facets that are near, with
    corners ordered outwards; part: of each point; thickness [m]; stiffness [N/m].
    """

    def __init__(
        self,
        points: np.ndarray,
        part: np.ndarray,
        edges: np.ndarray,
        cells: Neighbours,
        facets: Neighbours,
        *,
        thickness: float,
        stiffness: float,
        device: Any = "cpu",
    ):
        super().__init__(points, device=device)
        self._part, self._parts = part, int(part.max()) + 1
        self._cells, self._facets = cells, facets
        self._thickness, self._stiffness = thickness, stiffness
        corners = facets.second[:, : self._dim]
        self._depths = PenetrationDepth(edges, corners, part[corners[:, 0]], self._parts)
        # Pairs as they were found, and what was made of them.
        self._around: tuple[Any, Any] = (None, None)
        self._beside: tuple[Any, Any, Any] = (None, None, None)
        self._held: tuple[Any] | None = None
        self._last: tuple[np.ndarray, Any] | None = None  # positions, and the contacts there

    def hold(self, x: Any) -> None:
        """Hold the contacts at x from now on; None: let them follow again."""
        # As far as facets are listed: what comes near in this step is pushed in it.
        self._held = None if x is None else (self._found(x, 2.0 * self._facets.margin),)

    def contacts(self, x: Any) -> Any:
        """The contacts that are held, or those at x."""
        if self._held is not None:
            return self._held[0]
        if self._last is None or not np.array_equal(self._last[0], x.numpy()):
            self._last = (x.numpy().copy(), self._found(x, 0.0))
        return self._last[1]

    def memory(self) -> Searched:
        """The positions at which facets and cells were searched last."""
        return Searched(self._facets.where, self._cells.where)

    def remember(self, memory: Searched) -> None:
        """Set the pairs that were found at these positions."""
        self._facets.remember(memory.pairs)
        self._cells.remember(memory.insides)

    def _found(self, places: Any, further: float) -> Any:
        """All points that push at these places, or are so much further away [m]."""
        x = places.numpy()
        if not np.isfinite(x).all():
            return None  # what has blown up is told by the step
        keys, *inside = self._inside(places)
        outside = self._outside(places, keys, self._thickness + further)
        count = len(inside[0]) + len(outside[0])
        if not count:
            return None
        found = [np.concatenate(a) for a in zip(inside, outside, strict=True)]
        laws = [np.full(count, number) for number in (self._thickness, self._stiffness)]
        return self._made(*found, *laws)

    def _inside(self, places: Any) -> tuple[np.ndarray, ...]:
        """Keys of contacts inside; of those with a depth stencils, weights, normals and offsets."""
        x = places.numpy()
        self._cells.update(x)
        if self._around[0] is not self._cells.pairs:
            self._around = (self._cells.pairs, Boxes(self._cells.stencils(), self._device))
        near = self._around[1].around(places)
        p, cells = near[:, 0], near[:, 1:]
        within, weights = cell_weights(x[p], x[cells])
        p, cells, weights = p[within], cells[within], weights[within]
        # Of several cells that share the face on which a point is, the first takes up the push.
        keys, first = np.unique(p * self._parts + self._part[cells[:, 0]], return_index=True)
        depths = self._depths(x, keys)
        use = first[depths.found]
        stencils = np.concatenate([p[use, None], cells[use]], axis=1)
        weights = np.concatenate([np.ones((len(use), 1)), -weights[use]], axis=1)
        return keys, stencils, weights, depths.direction[depths.found], -depths.depth[depths.found]

    def _outside(self, places: Any, inside: np.ndarray, reach: float) -> tuple[np.ndarray, ...]:
        """The same of points outside, which the nearest place of each part pushes."""
        x = places.numpy()
        self._facets.update(x)
        if self._beside[0] is not self._facets.pairs:
            s = self._facets.stencils()
            closest = ClosestPairs(point_triangle, s, self._dim, device=self._device)
            keys = s[:, 0] * self._parts + self._part[s[:, 1]]
            self._beside = (self._facets.pairs, closest, keys)
        _, found, keys = self._beside
        found.find(places)
        distances = found.distances.numpy()
        near = np.flatnonzero((distances < reach) & ~np.isin(keys, inside))
        order = near[np.lexsort((distances[near], keys[near]))]
        best = order[np.unique(keys[order], return_index=True)[1]]
        stencils, weights, normals = (
            a.numpy()[best] for a in (found.stencils, found.weights, found.normals)
        )
        # So near that rounding chooses the direction.
        level = distances[best] < 1e-9 * self._thickness
        if level.any():
            normals[level] = facet_normals(x[stencils[level, 1 : self._dim + 1]])
        more = self._dim - 2  # in space a cell has one corner more than a facet
        stencils = np.concatenate([stencils, stencils[:, :1].repeat(more, axis=1)], axis=1)
        weights = np.concatenate([weights, np.zeros((len(best), more))], axis=1)
        return stencils, weights, normals, np.zeros(len(best))
