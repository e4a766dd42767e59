"""Faces between cells, and a mesh that is opened along some of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from .arrays import Flags, Floats, Indices
from .change import MeshChange
from .errors import MeshError
from .kinds import KINDS
from .topology import connected, row_labels

if TYPE_CHECKING:
    from .mesh import Mesh


@dataclass(frozen=True, eq=False)
class SharedFaces:
    """The faces (edges in sheets and in the plane) between two cells each, by the cells they are of.

    kind: of the cells. cells: the two of each face, (faces, 2). slots: where its corners stand in the
    list of points of each, matched, (faces, 2, corners). Both stay as they are when faces are opened,
    which changes the numbers of points only.
    """

    kind: str
    cells: Indices
    slots: Indices

    @classmethod
    def of(cls, mesh: Mesh) -> SharedFaces:
        """Those of a mesh of one kind of linear cells."""
        kind = single_kind(mesh)
        nodes, local = mesh.cells[kind], np.array(KINDS[kind].facets)
        facets = nodes[:, local].reshape(-1, local.shape[1])
        slots = np.tile(local, (len(nodes), 1))
        by_point = np.argsort(facets, axis=1, kind="stable")
        facets, slots = (np.take_along_axis(a, by_point, axis=1) for a in (facets, slots))
        labels = row_labels(facets)
        order = np.argsort(labels, kind="stable")
        counts = np.bincount(labels)
        if counts.max() > 2:
            worst = int(np.argmax(counts))
            at = np.flatnonzero(labels == worst)
            raise MeshError(
                f"tear: the face of points {facets[at[0]].tolist()} has {counts[worst]} cells; "
                "expected one or two",
                {kind: at // len(local)},
            )
        first = order[:-1][labels[order[:-1]] == labels[order[1:]]]
        second = order[1:][labels[order[:-1]] == labels[order[1:]]]
        pair = np.stack([first, second], axis=1)
        return cls(kind, pair // len(local), slots[pair])

    def __len__(self) -> int:
        return len(self.cells)

    def only(self, which: Flags) -> SharedFaces:
        """Some of them; which: a mask or numbers."""
        return SharedFaces(self.kind, self.cells[which], self.slots[which])

    def points(self, mesh: Mesh) -> Indices:
        """The corners on both sides, in the mesh or in one that was opened, (faces, 2, corners)."""
        nodes = mesh.cells[self.kind]
        return np.asarray(nodes[self.cells[:, :, None], self.slots])


def open_faces(mesh: Mesh, faces: SharedFaces, opened: Flags) -> MeshChange:
    """The mesh without what joins the cells at some faces.

    opened: a mask over the faces, with all that were opened before. A point becomes several where
    the cells around it are no longer joined by faces; its first copy keeps the number, others follow
    behind all points. Where an open face ends inside, both its sides still share the point there.
    """
    nodes = mesh.cells[faces.kind]
    width = nodes.shape[1]
    labels = _corners_joined(mesh, faces, opened)
    # The first copy of a point is that of the lowest corner, in the order of cells.
    _, first = np.unique(labels, return_index=True)
    first = np.sort(first)
    olds = nodes.ravel()[first]
    _, keeps = np.unique(olds, return_index=True)
    copies = np.ones(len(first), dtype=bool)
    copies[keeps] = False
    numbers = np.empty(labels.max() + 1, dtype=np.int64)
    numbers[labels[first[~copies]]] = olds[~copies]
    numbers[labels[first[copies]]] = len(mesh) + np.arange(copies.sum())
    source = np.concatenate([np.arange(len(mesh)), olds[copies]])
    made = numbers[labels].reshape(-1, width)
    groups = {name: np.flatnonzero(np.isin(source, own)) for name, own in mesh.groups.items()}
    rows = (np.ones(len(source)), (np.arange(len(source)), source))
    return MeshChange(
        mesh.with_parts(mesh.points[source], {faces.kind: made}, groups),
        csr_array(rows, shape=(len(source), len(mesh))),
        np.arange(len(nodes)),
    )


def face_areas(points: Floats, corners: Indices) -> Floats:
    """Lengths of edges [m], or areas of triangles and quads [m^2]; corners: (faces, k)."""
    x = points[corners]
    if corners.shape[1] == 2:
        return np.asarray(np.linalg.norm(x[:, 1] - x[:, 0], axis=1))
    # Corners stand in the order of their numbers, not around the face: of quads all three splits
    # into triangles are tried, and the flat one around it is the largest.
    if corners.shape[1] == 3:
        return _triangles(x[:, 0], x[:, 1], x[:, 2])
    around = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))
    splits = [
        0.5 * np.linalg.norm(np.cross(x[:, c] - x[:, a], x[:, d] - x[:, b]), axis=1)
        for a, b, c, d in around
    ]
    return np.asarray(np.max(splits, axis=0))


def _triangles(a: Floats, b: Floats, c: Floats) -> Floats:
    return np.asarray(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1))


def _corners_joined(mesh: Mesh, faces: SharedFaces, opened: Flags) -> Indices:
    """The label of the copy that each corner of each cell has, (cells width,)."""
    nodes = mesh.cells[faces.kind]
    corner = faces.cells[:, :, None] * nodes.shape[1] + faces.slots
    touched = np.zeros(len(mesh), dtype=bool)
    touched[faces.only(opened).points(mesh)] = True
    closed = corner[~opened]
    every = nodes.ravel()
    order = np.argsort(every, kind="stable")
    whole = (every[order[:-1]] == every[order[1:]]) & ~touched[every[order[1:]]]
    one = np.concatenate([closed[:, 0].ravel(), order[:-1][whole]])
    other = np.concatenate([closed[:, 1].ravel(), order[1:][whole]])
    return connected(one, other, nodes.size)


def single_kind(mesh: Mesh) -> str:
    """The kind of cells of a mesh that can tear; others are refused."""
    kinds = list(mesh.cells)
    fit = len(kinds) == 1 and KINDS[kinds[0]].nodes == KINDS[kinds[0]].corners
    if not fit or mesh.cell_dim < 2:
        raise MeshError(
            f"tear: got {mesh!r}; expected linear cells of one kind: triangles, quads, tetrahedra or "
            "hexahedra"
        )
    return kinds[0]
