"""Points tied to a mesh: each a weighted mean of the nodes of the cell it is in."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .cutting import Simplices, cut
from .errors import MeshError
from .locating import Barycentric, containing, nearest
from .topology import row_labels

if TYPE_CHECKING:
    from .mesh import Mesh


def embed(mesh: Mesh, points: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Nodes (m, c) and weights (m, c) of points (m, d) [m] in the rest shape of a mesh.

    Rows sum to one and the mean of the nodes is the point, so whatever affine motion the mesh makes,
    the points make exactly. Inside, weights are in [0, 1]. A point outside continues the linear
    motion of the nearest cell; cells that are flat under their outer facet are passed over, because
    they would magnify their motion by distance / height.
    """
    if mesh.cell_dim != mesh.dim:
        raise MeshError(
            f"got cells {', '.join(mesh.cells)} in {mesh.dim}D; a surface can be carried by triangles "
            "or quads in 2D, by tetrahedra or hexahedra in 3D"
        )
    simplices = cut(mesh)
    simplex = containing(simplices.corners, points)
    outside = np.flatnonzero(simplex < 0)
    if len(outside):
        facets, owner = _outer_facets(simplices)
        facet, distance = nearest(facets, points[outside])
        simplex[outside] = owner[facet]
        _judge(mesh, points, distance, _diameters(facets)[facet])
    share = Barycentric(simplices.corners)(simplex, points)
    weights = np.einsum("pv,pvc->pc", share, simplices.means[simplex])
    return simplices.nodes[simplex], weights


def _outer_facets(simplices: Simplices) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Facets that one simplex has, and which; without those over a flat one, where others remain."""
    corners, d = simplices.corners.shape[1:]
    sides = np.array([[i for i in range(corners) if i != left] for left in range(corners)])
    names = np.sort(simplices.names[:, sides].reshape(-1, d), axis=1)
    labels = row_labels(names)
    once = np.flatnonzero(np.bincount(labels)[labels] == 1)
    owner = once // corners
    facets = simplices.corners[owner[:, None], sides[once % corners]]
    edges = simplices.corners[:, 1:] - simplices.corners[:, :1]
    volume = np.abs(np.linalg.det(edges))[owner]
    if d == 3:
        area = np.linalg.norm(
            np.cross(facets[:, 1] - facets[:, 0], facets[:, 2] - facets[:, 0]), axis=1
        )
    else:
        area = np.linalg.norm(facets[:, 1] - facets[:, 0], axis=1)
    height = volume / np.maximum(area, np.finfo(float).tiny) / _diameters(facets)
    # 0.82 for the regular tetrahedron. A plate of flat cells only has no better ones.
    tall = height >= min(0.25, float(np.median(height)))
    return facets[tall], owner[tall]


def _diameters(facets: NDArray[np.float64]) -> NDArray[np.float64]:
    around = np.roll(facets, 1, axis=1)
    return np.linalg.norm(facets - around, axis=2).max(axis=1)


def _judge(
    mesh: Mesh,
    points: NDArray[np.float64],
    distance: NDArray[np.float64],
    size: NDArray[np.float64],
) -> None:
    """Refuse a surface that lies elsewhere, warn of points that only follow from afar."""
    far = distance > size
    if not far.any():
        return
    boxes = f"the surface is in {_box(points)}, the mesh in {_box(mesh.points)}"
    if far.sum() > len(points) / 2:
        raise MeshError(
            f"{far.sum()} of {len(points)} points of the surface are outside the mesh by more than a "
            f"cell: {boxes} [m]; expected both in the same place and unit, as in "
            "pl.Surface.of(0.001 * points, faces) for a surface in millimetres"
        )
    warnings.warn(
        f"{far.sum()} of {len(points)} points of the surface are outside the mesh by more than a cell, "
        f"up to {distance.max():.3g} m; they continue the motion of the nearest cell",
        stacklevel=4,
    )


def compare_sizes(mesh: Mesh, points: NDArray[np.float64]) -> None:
    """Warn of a surface so much smaller than the mesh that it may be in another unit."""
    small, large = (np.linalg.norm(np.ptp(p, axis=0)) for p in (points, mesh.points))
    if small < 0.02 * large:
        warnings.warn(
            f"the surface is {large / max(small, 1e-300):.3g} times smaller than the mesh: it is in "
            f"{_box(points)}, the mesh in {_box(mesh.points)} [m]; are both in metres?",
            stacklevel=3,
        )


def _box(points: NDArray[np.float64]) -> str:
    low, high = (
        ", ".join(f"{v:.4g}" for v in end) for end in (points.min(axis=0), points.max(axis=0))
    )
    return f"({low}) to ({high})"
