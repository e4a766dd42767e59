"""The features of a contact surface as arrays of a device, with trees of boxes around them."""

from __future__ import annotations

from typing import Any

import numpy as np
import warp as wp

from pliant.backend import parallel, start

from .box_kernels import search_types
from .closest import EDGE_EDGE, POINT_EDGE, POINT_POINT, POINT_TRIANGLE, closest
from .surface import ContactSurface

#: Points of a body of which the mean says where it is.
SAMPLES = 16


class FeatureSet:
    """Features of one kind: points, edges or triangles (m, k), with areas [m^2], (m,)."""

    def __init__(self, nodes: np.ndarray, areas: np.ndarray, surface: ContactSurface, device: Any):
        count, width = nodes.shape
        padded = np.full((count, 3), -1, dtype=np.int32)
        padded[:, :width] = nodes
        body = surface.body[nodes[:, 0]]
        self.count, self._device = count, device
        self._tree: Any = None
        rest = surface.rest[nodes]
        self._at_rest = np.pad(rest, ((0, 0), (0, 0), (0, 3 - rest.shape[2])))
        self.struct: Any = search_types(surface.dim).Features()
        self.struct.nodes = wp.array(padded, dtype=wp.vec3i, device=device)
        self.struct.body = wp.array(body, dtype=wp.int32, device=device)
        self.struct.area = wp.array(areas, dtype=wp.float64, device=device)
        present = np.bincount(body, minlength=len(surface.bodies)) > 0
        self.struct.present = wp.array(present.astype(np.int32), dtype=wp.int32, device=device)
        self.struct.low = wp.zeros(count, dtype=wp.vec3, device=device)
        self.struct.high = wp.zeros(count, dtype=wp.vec3, device=device)

    def tree(self) -> Any:
        """The number of a tree of the boxes as they are now.

        The order in which a refitted tree is searched, and so the last digits of sums over pairs, depend
        on the boxes it was made of. On the CPU these are boxes at rest, the same in every run: to refit
        takes a fiftieth of the time. Bodies have trees of their own, however they lie at rest.
        """
        if parallel(self._device):
            self._tree = self._made()
        elif self._tree is None:
            low, high = self.struct.low, self.struct.high
            now = wp.clone(low), wp.clone(high)
            low.assign(self._at_rest.min(axis=1))
            high.assign(self._at_rest.max(axis=1))
            self._tree = self._made()
            wp.copy(low, now[0])
            wp.copy(high, now[1])
        if not parallel(self._device):
            self._tree.refit()
        return self._tree.id

    def _made(self) -> Any:
        return wp.Bvh(self.struct.low, self.struct.high, groups=self.struct.body)


class Features:
    """All features of a surface on a device, and which kinds of pairs are searched among them."""

    def __init__(self, surface: ContactSurface, *, device: Any):
        start()
        self.surface, self.device, self.dim = surface, device, surface.dim
        points, edges, triangles = surface.areas
        self._points = surface.points, points[surface.points]
        bare = len(surface.edges) - len(surface.bare)
        of = search_types(self.dim)
        self.struct: Any = of.Surface()
        self.struct.rest = wp.array(surface.rest, dtype=closest(self.dim).vec, device=device)
        self.struct.body = wp.array(surface.body, dtype=wp.int32, device=device)
        self.struct.family = wp.array(surface.family, dtype=wp.int32, device=device)
        for name in ("radius", "gap", "young"):
            values = getattr(surface, name)
            setattr(self.struct, name, wp.array(values, dtype=wp.float64, device=device))
        self.struct.area = wp.array(points, dtype=wp.float64, device=device)
        held = surface.held.astype(np.int32)
        self.struct.held = wp.array(held, dtype=wp.int32, device=device)
        allowed = surface.allowed.astype(np.int32)
        self.struct.allowed = wp.array(allowed, dtype=wp.int32, device=device)
        self.used: Any = wp.array(surface.points, dtype=wp.int32, device=device)
        ends = np.searchsorted(surface.body, np.arange(len(surface.bodies) + 1))
        samples = np.linspace(ends[:-1], ends[1:] - 1, SAMPLES, axis=1).astype(int)
        self.samples: Any = wp.array(samples, dtype=wp.int32, device=device)
        self._areas = (edges, edges[bare:], triangles, points[surface.loose])

    def sets(self) -> tuple[list[FeatureSet], list[tuple[int, FeatureSet, FeatureSet]]]:
        """New sets of features, and the kinds of pairs with the first and second set of each."""
        s, (edges, bare, triangles, loose) = self.surface, self._areas

        def made(nodes: np.ndarray, areas: np.ndarray) -> FeatureSet:
            return FeatureSet(nodes, areas, s, self.device)

        at, area = self._points
        points, corners = made(at[:, None], area), made(s.triangles, triangles)
        sides, rods = made(s.edges, edges), made(s.bare, bare)
        alone = made(s.loose[:, None], loose)
        pairs = [
            (POINT_TRIANGLE, points, corners),
            (EDGE_EDGE, sides, sides),
            (POINT_EDGE, points, rods),
            (POINT_POINT, alone, alone),
        ]
        if self.dim == 2:
            pairs = pairs[2:]
        pairs = [(kind, a, b) for kind, a, b in pairs if a.count and b.count]
        used = {id(f): f for _, a, b in pairs for f in (a, b)}
        return list(used.values()), pairs
