"""Points outside a mesh, tied to its boundary so that neighbours stay neighbours.

With q the point of the boundary nearest to p, on a facet whose corners have shares b_j in it,

    x(p) = x(q) + sum_j b_j F_j (p - q),

F_j being the deformation gradient of one well-shaped simplex at corner j. All of it is linear in the
nodes, exact for affine motion, and continuous from facet to facet; the gradient of the cell under
each facet instead would tear the surface where two facets meet.
"""

from __future__ import annotations

import numpy as np

from .arrays import Floats, Indices
from .cutting import Simplices
from .locating import Barycentric, closest, nearest
from .topology import row_labels


def tie_outside(simplices: Simplices, points: Floats) -> tuple[Indices, Floats, Floats, Floats]:
    """Nodes and weights (p, c) of points (p, d); distances to the mesh and sizes of facets there."""
    facets, owner, side = _outer_facets(simplices)
    facet, distance = nearest(facets, points)
    owner, side = owner[facet], side[facet]
    shares = closest(facets[facet], points)
    offset = points - np.einsum("pv,pvd->pd", shares, facets[facet])
    on_facet = simplices.means[simplices.parts[owner, None], side]
    nodes = [simplices.nodes_of(owner)]
    weights = [np.einsum("pv,pvc->pc", shares, on_facet)]
    slopes = Barycentric(simplices.corners)
    best = _best_at_corner(simplices)
    for j, share in enumerate(shares.T):
        simplex = best[simplices.names[owner, side[:, j]]]
        along = share[:, None] * slopes.slopes(simplex, offset)
        nodes.append(simplices.nodes_of(simplex))
        weights.append(np.einsum("pv,pvc->pc", along, simplices.means_of(simplex)))
    size = np.linalg.norm(facets - np.roll(facets, 1, axis=1), axis=2).max(axis=1)[facet]
    return *_summed(np.concatenate(nodes, 1), np.concatenate(weights, 1)), distance, size


def _outer_facets(simplices: Simplices) -> tuple[Floats, Indices, Indices]:
    """Facets that only one simplex has, that simplex, and which of its corners they are."""
    corners, d = simplices.corners.shape[1:]
    sides = np.array([[i for i in range(corners) if i != left] for left in range(corners)])
    labels = row_labels(np.sort(simplices.names[:, sides].reshape(-1, d), axis=1))
    once = np.flatnonzero(np.bincount(labels)[labels] == 1)
    owner, side = once // corners, sides[once % corners]
    return simplices.corners[owner[:, None], side], owner, side


def _best_at_corner(simplices: Simplices) -> Indices:
    """The best-shaped simplex at each corner: the one with the most volume for its edges.

    Where that is flat still, which would magnify its motion, one of a neighbouring corner.
    """
    place = simplices.corners
    count, corners = simplices.names.shape
    volume = np.abs(np.linalg.det(place[:, 1:] - place[:, :1]))
    edges = [np.linalg.norm(place - np.roll(place, k, axis=1), axis=2) for k in range(1, corners)]
    shape = volume / np.max(edges, axis=(0, 2)) ** place.shape[2]
    own = np.arange(count)
    best = _best_by_name(simplices.names, own, shape)
    around = best[simplices.names]  # (s, d + 1)
    near = around[own, shape[around].argmax(axis=1)]
    flat = shape[best] < 0.05  # 0.71 for the regular tetrahedron, 0.19 for those of a cut cube
    best[flat] = _best_by_name(simplices.names, near, shape)[flat]
    return best


def _best_by_name(names: Indices, offered: Indices, shape: Floats) -> Indices:
    """For each name the best shaped of what the simplices (s,) that have it offer."""
    flat, offer = names.ravel(), np.repeat(offered, names.shape[1])
    order = np.lexsort([-shape[offer], flat])
    known, first = np.unique(flat[order], return_index=True)
    best = np.zeros(int(known.max()) + 1, dtype=np.int64)
    best[known] = offer[order[first]]
    return best


def _summed(nodes: Indices, weights: Floats) -> tuple[Indices, Floats]:
    """Rows with each node once; shorter ones filled up with their first node at weight zero."""
    order = np.argsort(nodes, axis=1, kind="stable")
    nodes = np.take_along_axis(nodes, order, axis=1)
    weights = np.take_along_axis(weights, order, axis=1)
    group = np.zeros_like(nodes)
    group[:, 1:] = np.cumsum(nodes[:, 1:] != nodes[:, :-1], axis=1)
    width = int(group.max()) + 1
    row = np.arange(len(nodes))[:, None]
    flat = (row * width + group).ravel()
    total = np.zeros(len(nodes) * width)
    np.add.at(total, flat, weights.ravel())
    once = np.repeat(nodes[:, :1], width, axis=1)
    once[row, group] = nodes
    return once, total.reshape(-1, width)
