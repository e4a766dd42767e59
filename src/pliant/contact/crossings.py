"""Which bodies go through each other: what contact must not begin with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import warp as wp

from .barrier import BarrierContact
from .box_kernels import box_kernels
from .crossing_kernels import crossing_kernel
from .features import Features, FeatureSet
from .pairs import Pairs, sides_of
from .surface import ContactSurface


def crossing_bodies(contact: BarrierContact, x: Any) -> list[tuple[int, int]]:
    """Pairs i <= j of bodies that are not apart at x; planes come behind bodies.

    Edges of one go through triangles of the other, in the plane through its edges, or something is as
    near as both are thick. A body that is inside another without touching its surface is not told.
    """
    surface, features = contact.surface, contact.features
    y, found = contact.placed(x), set[tuple[int, int]]()
    counts = _crossings(features, y)
    found.update((min(i, j), max(i, j)) for i, j in np.argwhere(counts > 0).tolist())
    for pairs in contact.near(x):
        found.update(_too_near(surface, pairs, y))
    return sorted(found)


def _crossings(features: Features, x: Any) -> np.ndarray:
    """How many edges of each body go through triangles, or edges, of each other."""
    surface, dim, on = features.surface, features.dim, features.device
    edges = FeatureSet(surface.edges, np.zeros(len(surface.edges)), surface, on)
    others = edges
    if dim == 3:
        others = FeatureSet(surface.triangles, np.zeros(len(surface.triangles)), surface, on)
    bodies = len(surface.bodies)
    counts: Any = wp.zeros((bodies, bodies), dtype=wp.int32, device=on)
    if edges.count and others.count:
        still: Any = wp.zeros(bodies, dtype=x.dtype, device=on)
        for each in {id(f): f for f in (edges, others)}.values():
            given = [x, x, still, still, features.struct, wp.float64(0.0), each.struct]
            wp.launch(box_kernels(dim).boxes, each.count, inputs=given, device=on)
        given = [x, features.struct, edges.struct, others.struct, others.tree(), counts]
        wp.launch(crossing_kernel(dim), edges.count, inputs=given, device=on)
    out: np.ndarray = counts.numpy()
    return out


def _too_near(surface: ContactSurface, pairs: Pairs, x: Any) -> Sequence[tuple[int, int]]:
    """The bodies of pairs whose distance is not more than their thickness."""
    if not len(pairs):
        return []
    touch, stencils, kinds = pairs.touch(x), pairs.stencils.numpy(), pairs.kinds.numpy()
    near = touch.distances <= pairs.laws.numpy()[:, 0]
    sides = sides_of(surface, stencils[near], kinds[near])
    ends = np.sort(np.stack(sides, axis=1), axis=1)
    return [(int(i), int(j)) for i, j in np.unique(ends, axis=0)]
