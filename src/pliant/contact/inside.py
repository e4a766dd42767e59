"""Which points are inside which cells: triangles of the plane, tetrahedra of space."""

from __future__ import annotations

import numpy as np

from .hashing import overlapping
from .orientation import orientations


def points_in_cells(
    x: np.ndarray, points: np.ndarray, cells: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs (i, j): point points[i] is inside cell cells[j], or on it; those of its own left out.

    What is on a face that cells share is in all of them, whatever rounding does. Cells of no volume
    have nothing inside.

    x (n, d) [m]; cells (m, d + 1). By a spatial hash of boxes, then exact signs of volumes.
    Source: [teschner2003].
    """
    corners = x[cells]
    i, j = overlapping((x[points],) * 2, (corners.min(axis=1), corners.max(axis=1)))
    other = (cells[j] != points[i][:, None]).all(axis=1)
    i, j = i[other], j[other]
    within = cell_weights(x[points[i]], corners[j])[0]
    return i[within], j[within]


def cell_weights(p: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which points p (m, d) are in the cells of these corners (m, d + 1, d), and where.

    Returns a mask (m,), and weights (m, d + 1) of the corners that sum to p, for points of the mask.
    """
    m, count, _ = corners.shape
    within = ((corners.min(axis=1) <= p) & (p <= corners.max(axis=1))).all(axis=1)
    near = np.flatnonzero(within)
    whole = orientations(corners[near])
    weights = np.zeros((m, count))
    for a in range(count):
        part = corners[near]
        part[:, a] = p[near]
        weights[near, a] = orientations(part) * np.sign(whole)
    within[near] = (whole != 0.0) & (weights[near] >= 0.0).all(axis=1)
    weights[within] /= weights[within].sum(axis=1, keepdims=True)
    return within, weights
