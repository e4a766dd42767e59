"""What touches what: boundary facets, edges and connected parts of a set of cells."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .arrays import Flags, Indices
from .kinds import KINDS

Cells = Mapping[str, Indices]


def row_labels(rows: Indices) -> Indices:
    """Number the distinct rows in lexicographic order; equal rows get the same number.

    One lexsort; `np.unique(axis=0)` compares rows as opaque bytes and is several times slower.
    """
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    fresh = np.ones(len(rows), dtype=bool)
    fresh[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    labels = np.empty(len(rows), dtype=np.int64)
    labels[order] = np.cumsum(fresh) - 1
    return labels


def highest_dim(cells: Cells) -> int:
    """Topological dimension of the highest cells: 3 for tets and hexes."""
    return max(KINDS[kind].dim for kind in cells)


def boundary(cells: Cells) -> dict[str, Indices]:
    """Facets of the highest-dimensional cells that only one cell has, oriented outward.

    Facets match by their corners, so a quadratic cell may border a linear one.
    """
    top = highest_dim(cells)
    blocks: list[tuple[str, Indices]] = []
    keys = []
    for kind, nodes in cells.items():
        if KINDS[kind].dim < top:
            continue
        facet = KINDS[KINDS[kind].facet]
        facets = nodes[:, np.array(KINDS[kind].facets)].reshape(-1, facet.nodes)
        key = np.full((len(facets), 4), -1, dtype=np.int64)  # a face has at most four corners
        key[:, : facet.corners] = np.sort(facets[:, : facet.corners], axis=1)
        blocks.append((facet.name, facets))
        keys.append(key)
    labels = row_labels(np.concatenate(keys))
    once = np.bincount(labels)[labels] == 1
    found: dict[str, list[Indices]] = {}
    start = 0
    for name, facets in blocks:
        alone = facets[once[start : start + len(facets)]]
        start += len(facets)
        if len(alone):
            found.setdefault(name, []).append(alone)
    return {name: np.concatenate(parts) for name, parts in found.items()}


def edges(cells: Cells) -> Indices:
    """Each edge between corners once, (m, 2), lower point first, in lexicographic order."""
    pairs = [nodes[:, np.array(KINDS[kind].edges)].reshape(-1, 2) for kind, nodes in cells.items()]
    pair = np.sort(np.concatenate(pairs), axis=1)
    # One integer per edge sorts faster than two columns; safe below three thousand million points.
    count = int(pair.max()) + 1
    key = np.unique(pair[:, 0] * count + pair[:, 1])
    return np.stack([key // count, key % count], axis=1)


def components(cells: Cells, count: int) -> Indices:
    """Label of the connected part of each of `count` points; cells that share a point connect."""
    stars = [(np.repeat(n[:, 0], n.shape[1] - 1), n[:, 1:].ravel()) for n in cells.values()]
    first = np.concatenate([a for a, _ in stars])
    other = np.concatenate([b for _, b in stars])
    return connected(first, other, count)


def pieces(kind: str, nodes: Indices) -> Indices:
    """Label of the piece that each cell of one kind is in; cells that share a facet connect.

    Pieces of one component touch in points or edges only, and swing there as on hinges.
    """
    corners = KINDS[KINDS[kind].facet].corners
    facets = nodes[:, np.array(KINDS[kind].facets)][..., :corners]
    labels = row_labels(np.sort(facets.reshape(-1, corners), axis=1))
    order = np.argsort(labels, kind="stable")
    cell = np.repeat(np.arange(len(nodes)), facets.shape[1])[order]
    shared = labels[order][1:] == labels[order][:-1]
    return connected(cell[:-1][shared], cell[1:][shared], len(nodes))


def connected(first: Indices, other: Indices, count: int) -> Indices:
    """Label the connected parts of a graph given as pairs of nodes."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    graph = coo_matrix((np.ones(len(first), dtype=bool), (first, other)), shape=(count, count))
    return np.asarray(connected_components(graph, directed=False)[1].astype(np.int64))


def referenced(cells: Cells, count: int) -> Flags:
    """Mask of the points that some cell uses."""
    used = np.zeros(count, dtype=bool)
    for nodes in cells.values():
        used[nodes.ravel()] = True
    return used
