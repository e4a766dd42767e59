"""What is seen of a body of elastons: a tube, a slab or the boundary of a volume."""

from __future__ import annotations

import numpy as np

from pliant.mesh import KINDS, Mesh, MeshError, Skin, Surface

from .kinds import ElastonKind
from .nodes import ElastonNodes


def skin_of(mesh: Mesh, nodes: ElastonNodes, thickness: np.ndarray, up: np.ndarray) -> Skin:
    """A surface whose points go with the nodes they are at."""
    node, offset, faces = _DRAWN[mesh.cell_dim](mesh, thickness, up)
    own = 4 * node[:, None] + np.arange(4)
    surface = Surface.of(nodes.X[node] + offset, faces)
    return Skin(surface, own, nodes.carried(node, offset))


def worn(surface: Surface, kind: ElastonKind, nodes: ElastonNodes) -> Skin:
    """A surface that is carried by the map between the nodes."""
    indices, weights = kind.values(surface.points)
    lost = np.flatnonzero(np.isnan(weights).any(axis=(1, 2)))
    if len(lost):
        raise MeshError(
            f"wear: point {lost[0]} of the surface, at {surface.points[lost[0]].round(6).tolist()} m, "
            "is beyond the reach of the nodes; expected a surface that lies over the body"
        )
    weights = np.einsum("mkd,mkda->mka", weights, nodes.of_points()[indices])
    own = 4 * indices[..., None] + np.arange(4)
    return Skin(surface, own.reshape(len(own), -1), weights.reshape(len(own), -1))


Drawn = tuple[np.ndarray, np.ndarray, list[np.ndarray]]


def _tube(mesh: Mesh, thickness: np.ndarray, up: np.ndarray) -> Drawn:
    """A rectangle at each node, joined along the cells."""
    cells, n = mesh.cells["line2"], len(mesh)
    along = mesh.points[cells[:, 1]] - mesh.points[cells[:, 0]]
    first = np.zeros((n, 3))
    first[cells[::-1].ravel()] = np.repeat(along[::-1], 2, axis=0)  # that of a node's first cell
    same = np.where(np.einsum("cai,ci->ca", first[cells], along) < 0.0, -1.0, 1.0)
    tangent = np.zeros((n, 3))
    np.add.at(tangent, cells, same[..., None] * along[:, None])
    # Where branches meet the sum may vanish, or run along `up`, which no cell does.
    lost = np.linalg.norm(np.cross(tangent, up), axis=1) < 0.01 * np.linalg.norm(first, axis=1)
    tangent[lost] = first[lost]
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    third = up - (tangent @ up)[:, None] * tangent
    third /= np.linalg.norm(third, axis=1, keepdims=True)
    second = np.cross(third, tangent)
    corners = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)]) * 0.5 * thickness
    offset = np.einsum("cs,snd->ncd", corners, [second, third]).reshape(-1, 3)
    # Seen along the cell the corners of either end go round the same way.
    straight, mirrored = np.arange(4), np.array([1, 0, 3, 2])
    ends = 4 * cells[..., None] + np.where(same[..., None] < 0.0, mirrored, straight)
    a, b = ends[:, 0], ends[:, 1]
    after = np.roll(straight, -1)
    faces = list(np.stack([a, a[:, after], b[:, after], b], axis=2).reshape(-1, 4))
    touching = np.bincount(cells.ravel(), minlength=n)
    faces += [a[c, ::-1] for c in np.flatnonzero(touching[cells[:, 0]] == 1)]
    faces += [b[c] for c in np.flatnonzero(touching[cells[:, 1]] == 1)]
    return np.repeat(np.arange(n), 4), offset, faces


def _slab(mesh: Mesh, thickness: np.ndarray, up: np.ndarray) -> Drawn:
    """Two sides, and a rim between them."""
    n, kinds = len(mesh), [cells for kind, cells in mesh.cells.items() if KINDS[kind].dim == 2]
    normal = np.zeros((n, 3))
    faces: list[np.ndarray] = []
    for cells in kinds:
        X = mesh.points[cells]
        area = np.cross(X[:, 1] - X[:, 0], X[:, -1] - X[:, 0])
        np.add.at(normal, cells, area[:, None])
        faces += [*cells, *(n + cells[:, ::-1])]
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    sides = np.concatenate(
        [np.stack([cells, np.roll(cells, -1, axis=1)], axis=2).reshape(-1, 2) for cells in kinds]
    )
    codes = sides[:, 0] * n + sides[:, 1]
    rim = sides[~np.isin(codes, sides[:, 1] * n + sides[:, 0])]
    faces += list(np.stack([rim[:, 1], rim[:, 0], n + rim[:, 0], n + rim[:, 1]], axis=1))
    half = 0.5 * float(thickness[0]) * normal
    return np.tile(np.arange(n), 2), np.concatenate([half, -half]), faces


def _volume(mesh: Mesh, thickness: np.ndarray, up: np.ndarray) -> Drawn:
    faces = [facet for some in mesh.boundary.values() for facet in some]
    return np.arange(len(mesh)), np.zeros((len(mesh), 3)), faces


_DRAWN = {1: _tube, 2: _slab, 3: _volume}
