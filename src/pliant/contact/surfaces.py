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


def outer_facets(mesh: Mesh) -> np.ndarray:
    """The surface of what fills space, as facets of its simplices that face outwards, (m, 3).

    Hexahedra beside each other may be cut along different diagonals, so that facets between them
    are not shared. Those are on no face of the boundary.
    """
    cells, dim = filled_cells(mesh), mesh.dim
    facets = cells[:, FACETS[dim]].reshape(-1, 3)
    faces = [np.zeros((0, dim), dtype=np.int64)]
    for kind, nodes in mesh.boundary.items():
        faces += [nodes[:, c] for c in combinations(range(KINDS[kind].corners), dim)]
    # Each facet and, behind them, each that a face of the boundary may be cut into.
    alike = np.sort(np.concatenate([facets[:, :dim], *faces]), axis=1)
    number = np.unique(alike, axis=0, return_inverse=True)[1].ravel()
    own, outside = number[: len(facets)], number[len(facets) :]
    once = np.bincount(own, minlength=1)[own] == 1
    out: np.ndarray = facets[once & np.isin(own, outside)]
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
