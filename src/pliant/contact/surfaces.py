"""The surfaces that touch, in triangles, and what they enclose, in tetrahedra.

In the plane a facet is an edge, written as a triangle that has closed; what edges enclose is
triangles.
"""

from __future__ import annotations

import numpy as np

from pliant.mesh import KINDS, Mesh

#: Simplices that fill a cell, by its corners.
FILLING: dict[str, list[tuple[int, ...]]] = {
    "tri": [(0, 1, 2)],
    "quad": [(0, 1, 2), (0, 2, 3)],
    "tet": [(0, 1, 2, 3)],
    "hex": [(0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6)],
}


def facets_of(mesh: Mesh) -> np.ndarray:
    """The boundary of what fills space and all of the sheets in it, (m, 3)."""
    solid = mesh.cell_dim == mesh.dim
    found = list(mesh.boundary.items()) if solid else []
    if mesh.dim == 3:
        found += [(k, nodes) for k, nodes in mesh.cells.items() if KINDS[k].dim == 2]
    facets = [np.zeros((0, 3), dtype=np.int64)]
    for kind, nodes in found:
        shape = KINDS[kind].shape
        corners = [(0, 1, 1)] if shape == "line" else FILLING[shape]
        facets += [nodes[:, list(c)] for c in corners]
    return np.concatenate(facets)


def filled_cells(mesh: Mesh) -> np.ndarray:
    """The cells that fill space, in simplices, (t, d + 1)."""
    cells = [np.zeros((0, mesh.dim + 1), dtype=np.int64)]
    for kind, nodes in mesh.cells.items():
        if KINDS[kind].dim == mesh.dim:
            cells += [nodes[:, list(c)] for c in FILLING[KINDS[kind].shape]]
    return np.concatenate(cells)


def edges_of(facets: np.ndarray) -> np.ndarray:
    """Each edge of the facets once, (m, 2)."""
    pairs = np.sort(facets[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    return np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)
