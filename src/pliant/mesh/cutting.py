"""Cells cut into simplices, so that what lies in them can be found and carried along.

Quads and hexes are cut around their middle and the middles of their faces, which both neighbours of
a face agree on, so that what is interpolated is continuous. Quadratic cells are cut at their nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .arrays import Floats, Indices
from .kinds import KINDS, Kind
from .topology import row_labels

if TYPE_CHECKING:
    from .mesh import Mesh

_TRI6 = ((0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5))
_TET10 = (
    *((0, 4, 6, 7), (1, 4, 5, 8), (2, 5, 6, 9), (3, 7, 8, 9)),
    *((4, 9, 5, 6), (4, 9, 6, 7), (4, 9, 7, 8), (4, 9, 8, 5)),
)


@dataclass(frozen=True)
class Simplices:
    """Simplices of a mesh; each corner of one is a weighted mean of the nodes of its cell."""

    corners: Floats  # (s, d + 1, d) [m]
    names: Indices  # (s, d + 1): equal for equal corners
    cells: Indices  # (s,): rows of `nodes`
    parts: Indices  # (s,): rows of `means`
    nodes: Indices  # (e, c): points of the mesh
    means: Floats  # (q, d + 1, c): corners as means of nodes

    def nodes_of(self, chosen: Indices) -> Indices:
        """Points of the mesh that the corners of some simplices are means of, (k, c)."""
        return np.asarray(self.nodes[self.cells[chosen]])

    def means_of(self, chosen: Indices) -> Floats:
        """Corners of some simplices as means of those points, (k, d + 1, c)."""
        return np.asarray(self.means[self.parts[chosen]])


def cut(mesh: Mesh) -> Simplices:
    """Cut the highest cells of a mesh."""
    blocks = [(KINDS[k], n) for k, n in mesh.cells.items() if KINDS[k].dim == mesh.cell_dim]
    width = max(kind.nodes for kind, _ in blocks)
    corners, keys, owners, parts, nodes, means = [], [], [], [], [], []
    first_cell = first_part = 0
    for kind, cells in blocks:
        mean, table = _plan(kind)
        place = np.einsum("vn,end->evd", mean, mesh.points[cells])
        corners.append(place[:, table].reshape(-1, *table.shape[1:], place.shape[2]))
        keys.append((_keys(mean, cells), table))
        # A row is filled up with its first node, at weight zero.
        nodes.append(
            np.concatenate([cells, np.repeat(cells[:, :1], width - kind.nodes, 1)], axis=1)
        )
        wide = np.zeros((*table.shape, width))
        wide[..., : kind.nodes] = mean[table]
        means.append(wide)
        owners.append(np.repeat(np.arange(first_cell, first_cell + len(cells)), len(table)))
        parts.append(np.tile(np.arange(first_part, first_part + len(table)), len(cells)))
        first_cell, first_part = first_cell + len(cells), first_part + len(table)
    names = _names(keys, by_node=all(kind.shape in ("tri", "tet") for kind, _ in blocks))
    place = np.concatenate(corners)
    edges = place[:, 1:] - place[:, :1]
    largest = np.linalg.norm(edges, axis=2).max(axis=1)
    real = np.abs(np.linalg.det(edges)) > 1e-13 * largest**mesh.dim  # curved cells can pinch some
    return Simplices(
        place[real],
        names[real],
        np.concatenate(owners)[real],
        np.concatenate(parts)[real],
        np.concatenate(nodes),
        np.concatenate(means),
    )


def _names(keys: list[tuple[Indices, Indices]], *, by_node: bool) -> Indices:
    """Numbers of the corners of all simplices, of the keys (e, v, 12) and tables of each block."""
    if by_node:  # corners are nodes
        numbers = [key[..., -1] for key, _ in keys]
    else:
        labels = row_labels(np.concatenate([key.reshape(-1, 12) for key, _ in keys]))
        ends = np.cumsum([key.shape[0] * key.shape[1] for key, _ in keys])[:-1]
        numbers = [
            part.reshape(key.shape[:2])
            for part, (key, _) in zip(np.split(labels, ends), keys, strict=True)
        ]
    return np.concatenate(
        [
            number[:, table].reshape(-1, table.shape[1])
            for number, (_, table) in zip(numbers, keys, strict=True)
        ]
    )


def _keys(mean: Floats, cells: Indices) -> Indices:
    """For each corner of the cut the nodes it is the mean of, sorted and filled up: (e, v, 12)."""
    keys = np.full((len(cells), len(mean), 12), -1, dtype=np.int64)
    for v, row in enumerate(mean):
        own = np.flatnonzero(row)
        keys[:, v, : len(own)] = cells[:, own]
    return np.sort(keys, axis=2)


def _plan(kind: Kind) -> tuple[Floats, Indices]:
    """Corners as means of nodes (v, nodes), and the simplices between them (q, d + 1)."""
    one = np.eye(kind.nodes)
    if kind.shape in ("tri", "tet"):
        whole = [range(kind.corners)]
        return one, np.array({"tri6": _TRI6, "tet10": _TET10}.get(kind.name, whole))
    # Means of the nodes between corners where there are some: those lie on the curved shape.
    inner = kind.corners if kind.nodes > kind.corners else 0
    if kind.shape == "quad":
        middle = one[8] if kind.name == "quad9" else one[inner:].mean(axis=0)
        sides = [f for facet in kind.facets for f in _halves(facet, 2)]
        return np.vstack([one, middle]), np.array([(kind.nodes, *side) for side in sides])
    faces = [one[list(facet[4:] or facet)].mean(axis=0) for facet in kind.facets]
    centre = kind.nodes + len(faces)
    table = [
        (centre, kind.nodes + i, *side)
        for i, facet in enumerate(kind.facets)
        for side in _halves(facet, 4)
    ]
    return np.vstack([one, *faces, one[inner:].mean(axis=0)]), np.array(table)


def _halves(facet: tuple[int, ...], corners: int) -> list[tuple[int, int]]:
    """Edges around a facet, or of an edge itself, cut at the nodes between their ends."""
    ring, middles = facet[:corners], facet[corners:]
    edges = (
        [(ring[0], ring[1])] if corners == 2 else list(zip(ring, ring[1:] + ring[:1], strict=True))
    )
    if not middles:
        return edges
    return [h for (a, b), m in zip(edges, middles, strict=True) for h in ((a, m), (m, b))]
