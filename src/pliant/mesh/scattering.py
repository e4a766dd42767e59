"""Places all over a surface, dense enough for the cells under it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .arrays import Floats, Indices
from .cutting import cut

if TYPE_CHECKING:
    from .mesh import Mesh


def scatter(points: Floats, triangles: Indices, spacing: float) -> tuple[Indices, Floats]:
    """Corners and weights (s, 3) of places on triangles (t, 3), `spacing` [m] apart at most.

    Each place is the weighted mean of three points. Corners are places too; a triangle two of whose
    corners are one point is an edge, and one with a single point is that point.
    """
    sides = points[triangles] - points[np.roll(triangles, 1, axis=1)]
    longest = np.linalg.norm(sides, axis=2).max(axis=1)
    parts = np.maximum(1, np.ceil(longest / spacing).astype(int))
    corners, weights = [], []
    for n in np.unique(parts):
        i, j = np.divmod(np.arange((n + 1) ** 2), n + 1)
        i, j = i[i + j <= n], j[i + j <= n]
        chosen = triangles[parts == n]
        corners.append(np.repeat(chosen, len(i), axis=0))
        weights.append(np.tile(np.stack([i, j, n - i - j], axis=1) / n, (len(chosen), 1)))
    return np.concatenate(corners), np.concatenate(weights)


def mean(values: Floats, corners: Indices, weights: Floats) -> Floats:
    """Values per point of the surface, (m, d), at such places (s, d)."""
    return np.asarray(np.einsum("sc,scd->sd", weights, values[corners]))


def half_a_cell(mesh: Mesh) -> float:
    """Half the mean edge [m] of the cells: a spacing that leaves no cell of the boundary out."""
    corners = cut(mesh).corners
    edges = corners[:, 1:] - corners[:, :1]
    return 0.5 * float(np.linalg.norm(edges, axis=2).mean())
