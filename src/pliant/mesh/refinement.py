"""Meshes made finer: every cell cut into equal parts."""

from __future__ import annotations

import itertools

import numpy as np

from pliant.errors import is_whole, shown

from .errors import MeshError
from .kinds import KINDS
from .mesh import Mesh
from .sizes import require_room

Corners = tuple[int, ...]


def refined(mesh: Mesh, times: int = 1) -> Mesh:
    """The same shape with its cells halved, a number of times.

    Lines are cut in 2, triangles and quads in 4, tetrahedra and hexahedra in 8. Points keep their
    numbers; new ones lie in the middle of edges, faces and cells, straight ones: a curved boundary
    stays as it was drawn. A new point is in a group if all points it lies between are.
    """
    call = "pl.meshes.refined(mesh, 1)"
    if not isinstance(mesh, Mesh):
        raise TypeError(f"refined: got {type(mesh).__name__}; expected a mesh, as in {call}")
    if not (is_whole(times) and times >= 0):
        raise ValueError(f"refined: got times={shown(times)}; expected 0 or more, as in {call}")
    for kind, cells in mesh.cells.items():
        # More often than 64 times, a single cell is too many.
        require_room(call, kind, float(len(cells)) * 2.0 ** (min(times, 64) * KINDS[kind].dim))
    for _ in range(int(times)):
        mesh = _once(mesh)
    return mesh


def _once(mesh: Mesh) -> Mesh:
    wrong = [kind for kind in mesh.cells if kind not in _NODES]
    if wrong:
        raise MeshError(f"refined: got {wrong[0]} cells; expected linear ones, {sorted(_NODES)}")
    # A node is the middle of some points: it is known by their numbers, padded with -1.
    width = max(len(c) for kind in mesh.cells for c in _NODES[kind])
    keys = {kind: _keys(cells, _NODES[kind], width) for kind, cells in mesh.cells.items()}
    alone = np.full((len(mesh), width), -1)
    alone[:, -1] = np.arange(len(mesh))
    every = np.concatenate([alone, *(k.reshape(-1, width) for k in keys.values())])
    unique, first, where = np.unique(every, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")  # the old points first, in their order
    place = np.empty(len(order), dtype=int)
    place[order] = np.arange(len(order))
    number, owners = place[where.ravel()], unique[order]
    real = owners >= 0
    points = (mesh.points[owners] * real[..., None]).sum(axis=1) / real.sum(axis=1)[:, None]
    cells, start = {}, len(mesh)
    for kind, key in keys.items():
        count = key.shape[0] * key.shape[1]
        nodes = number[start : start + count].reshape(key.shape[:2])
        start += count
        cells[kind] = nodes[:, np.array(_CHILDREN[kind])].reshape(-1, len(_CHILDREN[kind][0]))
    groups = {}
    for name, members in mesh.groups.items():
        inside = np.zeros(len(mesh), dtype=bool)
        inside[members] = True
        groups[name] = (inside[owners] | ~real).all(axis=1)
    return Mesh(points, cells, groups=groups)


def _keys(cells: np.ndarray, nodes: list[Corners], width: int) -> np.ndarray:
    keys = np.full((len(cells), len(nodes), width), -1)
    for i, corners in enumerate(nodes):
        keys[:, i, width - len(corners) :] = np.sort(cells[:, list(corners)], axis=1)
    return keys


#: Corners of a hexahedron by their coordinates, in VTK order, and of a quad.
_HEX_CORNERS = [
    (0, 0, 0),
    (1, 0, 0),
    (1, 1, 0),
    (0, 1, 0),
    (0, 0, 1),
    (1, 0, 1),
    (1, 1, 1),
    (0, 1, 1),
]
_QUAD_CORNERS = [(0, 0), (1, 0), (1, 1), (0, 1)]


def _lattice(corners: list[Corners]) -> tuple[list[Corners], list[Corners]]:
    """The nodes of half spacing in a square or cube of corners, and the parts between them."""
    dim = len(corners[0])
    places = list(itertools.product(range(3), repeat=dim))

    def between(place: Corners) -> Corners:
        fits = (
            all(p == 1 or c == p // 2 for p, c in zip(place, corner, strict=True))
            for corner in corners
        )
        return tuple(i for i, fit in enumerate(fits) if fit)

    def part(origin: Corners) -> Corners:
        found = (tuple(o + c for o, c in zip(origin, corner, strict=True)) for corner in corners)
        return tuple(places.index(place) for place in found)

    parts = [part(origin) for origin in itertools.product(range(2), repeat=dim)]
    return [between(place) for place in places], parts


_TRI = [(0,), (1,), (2,), (0, 1), (1, 2), (0, 2)]
_TET = [(0,), (1,), (2,), (3,), (0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3)]
_QUAD_NODES, _QUAD_PARTS = _lattice(_QUAD_CORNERS)  # type: ignore[arg-type]
_HEX_NODES, _HEX_PARTS = _lattice(_HEX_CORNERS)  # type: ignore[arg-type]
_NODES: dict[str, list[Corners]] = {
    "line2": [(0,), (1,), (0, 1)],
    "tri3": _TRI,
    "quad4": _QUAD_NODES,
    "tet4": _TET,
    "hex8": _HEX_NODES,
}
_CHILDREN: dict[str, list[Corners]] = {
    "line2": [(0, 2), (2, 1)],
    "tri3": [(0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5)],
    "quad4": _QUAD_PARTS,
    # Four corners, and the octahedron between them along its diagonal from (0, 2) to (1, 3).
    "tet4": [
        (0, 4, 6, 7),
        (4, 1, 5, 8),
        (6, 5, 2, 9),
        (7, 8, 9, 3),
        (4, 5, 6, 8),
        (4, 6, 7, 8),
        (6, 9, 7, 8),
        (6, 5, 9, 8),
    ],
    "hex8": _HEX_PARTS,
}
