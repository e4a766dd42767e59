"""Which points of a mesh carry some vertices of a surface."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from .arrays import Flags, Indices
from .embedding import embed
from .errors import MeshError
from .scattering import half_a_cell, mean, scatter
from .surface import Surface

if TYPE_CHECKING:
    from .mesh import Mesh

#: A point that has less than this share in every place chosen is left out.
CARRIED_SHARE = 0.05


def carriers(mesh: Mesh, surface: Surface, vertices: Indices) -> Flags:
    """Mask (n,) of the points of a mesh that carry vertices of a surface on its rest shape.

    With the edges and faces between the vertices. All points that carry them, not the nearest: only
    if these stand still do the vertices. Where cells are larger than faces this is up to one cell
    more than was asked.
    """
    count = len(surface.points)
    wrong = vertices[(vertices < 0) | (vertices >= count)]
    if len(wrong):
        raise MeshError(f"got vertex {wrong[0]}; the surface has 0 to {count - 1}")
    chosen = np.zeros(count, dtype=bool)
    chosen[vertices] = True
    corners, weights = scatter(surface.points, _between(surface, chosen), half_a_cell(mesh))
    places = mean(surface.points, corners, weights)[:, : mesh.dim]
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # that some are outside was said when the surface was put on
        nodes, shares = embed(mesh, places)
    mask = np.zeros(len(mesh), dtype=bool)
    mask[nodes[np.abs(shares) > CARRIED_SHARE]] = True
    return mask


def _between(surface: Surface, chosen: Flags) -> Indices:
    """The chosen vertices, edges and whole faces, as triangles with equal corners or not, (t, 3)."""
    starts = np.cumsum(surface.sizes) - surface.sizes
    whole = np.logical_and.reduceat(chosen[surface.corners], starts)
    faces = surface.corners[surface.triangles[np.repeat(whole, surface.sizes - 2)]]
    following = np.arange(len(surface.corners)) + 1
    following[starts + surface.sizes - 1] = starts
    a, b = surface.corners, surface.corners[following]
    ends = np.stack([a, b], axis=1)[chosen[a] & chosen[b] & ~np.repeat(whole, surface.sizes)]
    alone = np.flatnonzero(chosen)
    return np.concatenate([faces, ends[:, [0, 1, 1]], np.stack([alone] * 3, axis=1)])
