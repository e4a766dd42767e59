"""Which points are inside which cells: triangles of the plane, tetrahedra of space."""

from __future__ import annotations

from typing import Any

import numpy as np
import warp as wp

from .hashing import overlapping
from .orientation import orientations
from .penalty_kernels import box_kernel


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
    count, dim = corners.shape[1:]
    # The cell, and the cell with the point in place of each corner.
    each = np.repeat(corners[:, None], count + 1, axis=1)
    for a in range(count):
        each[:, a, a] = p
    volumes = orientations(each.reshape(-1, count, dim)).reshape(-1, count + 1)
    shares = volumes[:, :-1] * np.sign(volumes[:, -1:])
    within = (volumes[:, -1] != 0.0) & (shares >= 0.0).all(axis=1)
    return within, shares / np.maximum(np.abs(shares).sum(axis=1, keepdims=True), 5e-324)


class Boxes:
    """Points and cells, of which few points are in the box around the cell; stencils (m, d + 2)."""

    def __init__(self, stencils: np.ndarray, device: Any):
        self._host = stencils
        self._stencils: Any = wp.array(stencils.astype(np.int32), dtype=wp.int32, device=device)
        self._found: Any = wp.zeros(len(stencils), dtype=wp.bool, device=device)

    def around(self, x: Any) -> np.ndarray:
        """The stencils of which it is at positions x."""
        kernel, given = box_kernel(x.dtype._length_), [x, self._stencils, self._found]
        wp.launch(kernel, dim=len(self._host), inputs=given, device=x.device)
        return np.asarray(self._host[self._found.numpy()])
