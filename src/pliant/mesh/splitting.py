"""Simplices of which some edges are cut in two."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from .arrays import Indices


def bisected(cells: Indices, edges: Indices, count: int) -> tuple[Indices, Indices]:
    """Cells with some of their edges cut in two, and which cell each is a piece of.

    cells (m, k): lines, triangles or tetrahedra. edges (e, 2), lower point first, in the order in
    which they are cut; the new point of edge i is count + i. Each cell is halved at its first edge, its
    halves at the next one, and so on. The order is the same for all cells, so they divide the facets
    between them alike. Pieces are sorted by their cells, and oriented as these.
    """
    ends = np.array(list(combinations(range(cells.shape[1]), 2)))
    total = count + len(edges)
    keys = edges[:, 0] * total + edges[:, 1]
    order = np.argsort(keys)
    parents, done = np.arange(len(cells)), []
    while len(cells):
        pairs = np.sort(cells[:, ends], axis=2)
        wanted = pairs[..., 0] * total + pairs[..., 1]
        at = np.searchsorted(keys, wanted, sorter=order).clip(max=max(len(keys) - 1, 0))
        rank = np.full(wanted.shape, len(edges))
        if len(edges):
            rank = np.where(keys[order[at]] == wanted, order[at], len(edges))
        first = rank.min(axis=1)
        whole = first == len(edges)
        done.append((cells[whole], parents[whole]))
        cells, parents, first, rank = (v[~whole] for v in (cells, parents, first, rank))
        a, b = ends[rank.argmin(axis=1)].T
        rows, near, far = np.arange(len(cells)), cells.copy(), cells.copy()
        near[rows, b] = far[rows, a] = count + first
        cells, parents = np.concatenate([near, far]), np.concatenate([parents, parents])
    cells, parents = (np.concatenate(parts) for parts in zip(*done, strict=True))
    order = np.argsort(parents, kind="stable")
    return cells[order], parents[order]
