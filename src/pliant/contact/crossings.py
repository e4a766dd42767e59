"""Which bodies go through each other: what contact must not begin with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import warp as wp

from pliant.mesh import connected

from .barrier import BarrierContact
from .box_kernels import box_kernels
from .crossing_kernels import crossing_kernel
from .features import Features, FeatureSet
from .pairs import Pairs, sides_of
from .surface import ContactBody, ContactSurface
from .surfaces import edges_of
from .winding import goes_around

#: What is nearer than this share of the size of all bodies touches.
TOUCHES = 1e-14


def crossing_bodies(contact: BarrierContact, x: Any) -> list[tuple[int, int]]:
    """Pairs i <= j of bodies that are not apart at x; planes come behind bodies.

    Edges of one go through triangles of the other, in the plane through its edges, or something is as
    near as both are thick, or one is inside of the other. Obstacles may be around bodies.
    """
    surface, features = contact.surface, contact.features
    y, found = contact.placed(x), set[tuple[int, int]]()
    counts = _crossings(features, y)
    found.update((min(i, j), max(i, j)) for i, j in np.argwhere(counts > 0).tolist())
    for pairs in contact.near(x):
        found.update(_too_near(surface, pairs, y))
    found.update(pair for pair in _inside(surface, y.numpy()) if pair not in found)
    return sorted(found)


def _inside(surface: ContactSurface, x: np.ndarray) -> Sequence[tuple[int, int]]:
    """Bodies of which one is around a part of the other, if their surfaces do not meet."""
    found, first = [], np.cumsum([0, *(len(body.points) for body in surface.bodies)])
    used = [p - first[k] for k, p in _points_of(surface)]
    at = [x[first[k] : first[k + 1]] for k in range(len(surface.bodies))]
    for j, body in enumerate(surface.bodies):
        facets = body.triangles if surface.dim == 3 else body.edges
        if body.given or not len(facets):
            continue
        low, high = at[j][used[j]].min(axis=0), at[j][used[j]].max(axis=0)
        for i, other in enumerate(surface.bodies):
            if i == j or not surface.allowed[i, j] or not len(used[i]):
                continue
            one = at[i][_one_of_each(other, used[i])]
            one = one[((one > low) & (one < high)).all(axis=1)]
            if len(one) and goes_around(one, at[j][facets]).any():
                found.append((min(i, j), max(i, j)))
    return found


def _points_of(surface: ContactSurface) -> list[tuple[int, np.ndarray]]:
    """The points that touch of each body."""
    body = surface.body[surface.points]
    return [(k, surface.points[body == k]) for k in range(len(surface.bodies))]


def _one_of_each(body: ContactBody, used: np.ndarray) -> np.ndarray:
    """One point that touches of each part of a body that is joined."""
    sides = edges_of(body.triangles) if len(body.triangles) else np.zeros((0, 2), dtype=np.int64)
    pairs = np.concatenate([sides, body.edges])
    label = connected(pairs[:, 0], pairs[:, 1], len(body.points))
    _, at = np.unique(label[used], return_index=True)
    return np.asarray(used[at])


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
    rounding = TOUCHES * float(np.ptp(x.numpy(), axis=0).max())
    near = touch.distances <= pairs.laws.numpy()[:, 0] + rounding
    sides = sides_of(surface, stencils[near], kinds[near])
    ends = np.sort(np.stack(sides, axis=1), axis=1)
    return [(int(i), int(j)) for i, j in np.unique(ends, axis=0)]
