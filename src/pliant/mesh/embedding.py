"""Points tied to a mesh: each a weighted mean of the nodes of the cell it is in."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from pliant.errors import Advice

from .arrays import Floats, Indices
from .cutting import cut
from .errors import MeshError
from .locating import Barycentric, containing
from .outside import tie_outside

if TYPE_CHECKING:
    from .mesh import Mesh


def embed(mesh: Mesh, points: Floats) -> tuple[Indices, Floats]:
    """Nodes (m, c) and weights (m, c) of points (m, d) [m] in the rest shape of a mesh.

    Rows sum to one and the mean of the nodes is the point, so whatever affine motion the mesh makes,
    the points make exactly. Inside, weights are in [0, 1]; outside they grow with the distance in
    cells. Rows that need fewer nodes are filled up with one of them at weight zero.
    """
    if mesh.cell_dim != mesh.dim:
        raise MeshError(
            f"got cells {', '.join(mesh.cells)} in {mesh.dim}D; a surface can be carried by triangles "
            "or quads in 2D, by tetrahedra or hexahedra in 3D"
        )
    simplices = cut(mesh)
    simplex = containing(simplices.corners, points)
    inside, outside = np.flatnonzero(simplex >= 0), np.flatnonzero(simplex < 0)
    share = Barycentric(simplices.corners)(simplex[inside], points[inside])
    weights = np.einsum("pv,pvc->pc", share, simplices.means_of(simplex[inside]))
    found = [(inside, simplices.nodes_of(simplex[inside]), weights)]
    if len(outside):
        nodes, weights, distance, size = tie_outside(simplices, points[outside])
        _judge(mesh, points, distance, size)
        found.append((outside, nodes, weights))
    width = max(nodes.shape[1] for _, nodes, _ in found)
    every = np.zeros((len(points), width), dtype=np.int64), np.zeros((len(points), width))
    for chosen, nodes, weights in found:
        every[0][chosen] = np.repeat(nodes[:, :1], width, axis=1)
        every[0][chosen, : nodes.shape[1]] = nodes
        every[1][chosen, : nodes.shape[1]] = weights
    return every


def _judge(mesh: Mesh, points: Floats, distance: Floats, size: Floats) -> None:
    """Refuse a surface that lies elsewhere, warn of points that only follow from afar."""
    far = distance > size
    if not far.any():
        return
    boxes = f"the surface is in {_box(points)}, the mesh in {_box(mesh.points)}"
    # A thick coat on fine cells is odd, but no mistake; half of it a tenth of the body away is one.
    away = distance > 0.1 * mesh.size
    if (far & away).sum() > len(points) / 2:
        raise MeshError(
            Advice(
                f"{(far & away).sum()} of {len(points)} points of the surface are far outside the "
                f"mesh: {boxes} [m]; expected both in the same place and unit",
                ", as in pl.Surface.of(0.001 * points, faces) for a surface in millimetres",
                ": scale = 0.001 in mesh is for millimetres, of both files",
            )
        )
    warnings.warn(
        f"{far.sum()} of {len(points)} points of the surface are outside the mesh by more than a cell, "
        f"up to {distance.max():.3g} m; they continue the motion of the nearest cells",
        stacklevel=4,
    )


def compare_sizes(mesh: Mesh, points: Floats) -> None:
    """Warn of a surface so much smaller than the mesh that it may be in another unit."""
    small, large = (np.linalg.norm(np.ptp(p, axis=0)) for p in (points, mesh.points))
    if small < 0.02 * large:
        warnings.warn(
            f"the surface is {large / max(small, 1e-300):.3g} times smaller than the mesh: it is in "
            f"{_box(points)}, the mesh in {_box(mesh.points)} [m]; are both in metres?",
            stacklevel=3,
        )


def _box(points: Floats) -> str:
    low, high = (
        ", ".join(f"{v:.4g}" for v in end) for end in (points.min(axis=0), points.max(axis=0))
    )
    return f"({low}) to ({high})"
