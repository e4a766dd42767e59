"""Which places of one surface are which of another, from a few markers."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.interpolate import RBFInterpolator
from scipy.sparse.linalg import splu
from scipy.spatial import cKDTree

from pliant.errors import described
from pliant.given import array_of
from pliant.mesh import closest, nearest

from .triangles import Array, Triangles

#: How much nearness counts beside smoothness, round by round.
ROUNDS = (1e-5, 1e-4, 1e-3, 1e-2, 1e-1)
#: Markers hold so firmly, and with it what is far away so that nothing is left undetermined.
MARKED, LOOSE = 1e3, 1e-10
#: A place is drawn to one of the other surface if the cosine between both normals is above this.
FACING = 0.3
#: So many centres are looked at for a triangle that faces the same way.
NEAR = 24


def accept_markers(markers: Any, source: Triangles, target: Triangles) -> Array:
    """Pairs of places (k, 2), from pairs of points of both surfaces."""
    try:
        listed = list(markers)
        pairs = array_of(listed) if listed else np.zeros((0, 2), dtype=np.int64)
    except (TypeError, ValueError):
        pairs = np.zeros(0)
    if pairs.ndim != 2 or pairs.shape[1:] != (2,) or pairs.dtype.kind not in "iu":
        raise ValueError(
            f"transfer: got markers {described(markers)}; expected pairs of points, the first of the "
            "source and the second of the target, as in markers=[(12, 40), (7, 93)]"
        )
    for column, one in enumerate((source, target)):
        count = len(one.number)
        off = np.flatnonzero((pairs[:, column] < 0) | (pairs[:, column] >= count))
        if len(off):
            raise ValueError(
                f"transfer: marker {off[0]} is point {pairs[off[0], column]} of the {one.who}, which "
                f"has points 0 to {count - 1}; expected points of both, source first"
            )
        loose = np.flatnonzero(one.number[pairs[:, column]] < 0)
        if len(loose):
            raise ValueError(
                f"transfer: marker {loose[0]} is point {pairs[loose[0], column]} of the {one.who}, "
                "which no face has, so that it is off the mesh; expected corners of faces"
            )
    places = np.stack([source.number[pairs[:, 0]], target.number[pairs[:, 1]]], axis=1)
    for column, one in enumerate((source, target)):
        if len(np.unique(places[:, column])) < len(places):
            raise ValueError(
                f"transfer: markers name a point of the {one.who} twice; expected each once"
            )
    return places


def similarity(here: Array, there: Array, sizes: tuple[float, float]) -> tuple[float, Array, Array]:
    """Factor, rotation and shift that bring places (k, 3) nearest to others: s R x + t.

    Of fewer than three places only the shift is told, and the factor is that of the sizes.
    """
    if len(here) < 3:
        factor = sizes[1] / sizes[0]
        shift = (there.mean(axis=0) - factor * here.mean(axis=0)) if len(here) else np.zeros(3)
        return factor, np.eye(3), shift
    a, b = here - here.mean(axis=0), there - there.mean(axis=0)
    u, stretch, vt = np.linalg.svd(b.T @ a)
    sign = np.array([1.0, 1.0, np.sign(np.linalg.det(u @ vt))])
    rotation = (u * sign) @ vt
    factor = float((stretch * sign).sum() / (a**2).sum())
    return factor, rotation, there.mean(axis=0) - factor * rotation @ here.mean(axis=0)


def deformed(source: Triangles, target: Triangles, pairs: Array) -> tuple[Array, float]:
    """Places of the source where the target is, (n, 3), and how many times as large it is there.

    Markers give a similarity and a smooth displacement beyond it; then places are drawn to the nearest
    of the target that face the same way, while u stays smooth:

        |L u|^2 + w sum over places |u - d|^2,     u = d at markers,     L: mean over neighbours

    with w from small to large. Source: [sumner2004] 4, with a smooth displacement in place of maps of
    triangles.
    """
    marked, wanted = source.points[pairs[:, 0]], target.points[pairs[:, 1]]
    middles = np.stack(
        [0.5 * (x.min(axis=0) + x.max(axis=0)) for x in (source.points, target.points)]
    )
    here, there = (marked, wanted) if len(pairs) else (middles[:1], middles[1:])
    factor, rotation, shift = similarity(here, there, (source.size, target.size))
    start = factor * source.points @ rotation.T + shift
    if len(pairs) > 3:
        own = factor * marked @ rotation.T + shift
        start = start + RBFInterpolator(own, wanted - own, kernel="linear", degree=0)(start)
    if np.array_equal(source.points, target.points):
        return source.points, 1.0
    held = np.zeros(len(start))
    held[pairs[:, 0]] = MARKED
    smooth = _smoothness(source)
    facets, x = target.points[target.corners], start
    for nearness in ROUNDS:
        facet, _ = nearest(facets, x)
        place = np.einsum("pv,pvd->pd", closest(facets[facet], x), facets[facet])
        normals = source.means @ _units(source, x)
        facing = np.einsum("pd,pd->p", normals, target.units[facet])
        pull = np.where(facing > FACING * np.linalg.norm(normals, axis=1), nearness, LOOSE)
        place[pairs[:, 0]] = wanted
        pull = np.where(held > 0.0, held, pull)
        matrix = (smooth + sp.diags_array(pull)).tocsc()
        u = splu(matrix).solve(pull[:, None] * (place - start))
        x = start + u
    return x, factor


def corresponding(source: Triangles, target: Triangles, x: Array) -> tuple[Array, Array]:
    """The triangle of the source, placed at x, that each triangle of the target lies on, and where.

    Shares (m, 3) of its corners are those of the place nearest to the centre of the target's.
    """
    centres = target.points[target.corners].mean(axis=1)
    facets = x[source.corners]
    own, _ = nearest(facets, centres)
    units = _units(source, x)
    away = np.flatnonzero(np.einsum("pd,pd->p", units[own], target.units) <= 0.0)
    if len(away):
        count = min(NEAR, len(facets))
        _, candidates = cKDTree(facets.mean(axis=1)).query(centres[away], k=count)
        candidates = candidates.reshape(len(away), count)
        facing = np.einsum("pkd,pd->pk", units[candidates], target.units[away]) > 0.0
        first = facing.argmax(axis=1)
        better = facing.any(axis=1)
        own[away[better]] = candidates[better, first[better]]
    return own, closest(facets[own], centres)


def _units(triangles: Triangles, x: Array) -> Array:
    """Unit normals of triangles whose places are at x, (m, 3)."""
    n = triangles.normals(x)
    return np.asarray(n / np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-300))


def _smoothness(source: Triangles) -> sp.csr_array:
    """L^T L, (n, n), where L u is u less its mean over the neighbours."""
    n = len(source.points)
    a, b = source.corners.ravel(), np.roll(source.corners, -1, axis=1).ravel()
    near = sp.coo_array((np.ones(2 * len(a)), (np.append(a, b), np.append(b, a))), shape=(n, n))
    near = near.tocsr()
    near.data[:] = 1.0
    degree = np.maximum(np.asarray(near.sum(axis=1)).ravel(), 1.0)
    mean = sp.eye_array(n) - sp.diags_array(1.0 / degree) @ near
    return (mean.T @ mean).tocsr()
