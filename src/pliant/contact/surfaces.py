"""The surfaces that touch, in triangles, and what they enclose, in tetrahedra.

In the plane a facet is an edge, written as a triangle that has closed; what edges enclose is
triangles.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from pliant.mesh import KINDS, Mesh

#: Simplices that fill a cell, by its corners.
FILLING: dict[str, list[tuple[int, ...]]] = {
    "tri": [(0, 1, 2)],
    "quad": [(0, 1, 2), (0, 2, 3)],
    "tet": [(0, 1, 2, 3)],
    "hex": [(0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6)],
}


#: The facets of a simplex of positive volume, by corners, ordered so that they face outwards.
FACETS = {2: [(0, 1, 1), (1, 2, 2), (2, 0, 0)], 3: [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]}


def outer_facets(points: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """The facets that only one of these simplices (t, d + 1) has, ordered to face outwards, (m, 3)."""
    corners = points[cells]
    turned = np.linalg.det(corners[:, 1:] - corners[:, :1]) < 0.0
    cells = np.where(turned[:, None], cells[:, [1, 0, *range(2, cells.shape[1])]], cells)
    facets = cells[:, FACETS[points.shape[1]]].reshape(-1, 3)
    alike = np.sort(facets[:, : points.shape[1]], axis=1)
    _, first, counts = np.unique(alike, axis=0, return_index=True, return_counts=True)
    out: np.ndarray = facets[np.sort(first[counts == 1])]
    return out


def sheet_facets(mesh: Mesh) -> np.ndarray:
    """The sheets in space, (m, 3)."""
    facets = [np.zeros((0, 3), dtype=np.int64)]
    for kind, nodes in mesh.cells.items():
        if KINDS[kind].dim == 2 < mesh.dim:
            facets += [nodes[:, list(c)] for c in FILLING[KINDS[kind].shape]]
    return np.concatenate(facets)


def filled_cells(mesh: Mesh) -> np.ndarray:
    """The cells that fill space, in simplices, (t, d + 1)."""
    cells = [np.zeros((0, mesh.dim + 1), dtype=np.int64)]
    for kind, nodes in mesh.cells.items():
        if KINDS[kind].dim == mesh.dim:
            cells += [nodes[:, list(c)] for c in FILLING[KINDS[kind].shape]]
    return np.concatenate(cells)


def edges_of(simplices: np.ndarray) -> np.ndarray:
    """Each edge between corners of facets or cells once, (m, 2)."""
    ends = list(combinations(range(simplices.shape[1]), 2))
    pairs = np.sort(simplices[:, ends].reshape(-1, 2), axis=1)
    return np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)
