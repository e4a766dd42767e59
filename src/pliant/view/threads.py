"""Lines as thin prisms: viser draws no triangle that has closed."""

from __future__ import annotations

import numpy as np

from pliant.mesh import in_space

#: The sides of a prism of six points, three at either end.
SIDES = np.array([(0, 3, 1), (1, 3, 4), (1, 4, 2), (2, 4, 5), (2, 5, 0), (0, 5, 3)])
CORNER_ANGLES = 2.0 * np.pi * np.arange(3) / 3.0


class Threads:
    """Lines (m, 2) between points, each drawn with a radius [m]."""

    def __init__(self, lines: np.ndarray, radius: float):
        self._lines, self._radius = np.asarray(lines), radius
        self.faces = (6 * np.arange(len(lines))[:, None, None] + SIDES).reshape(-1, 3)

    def vertices(self, x: np.ndarray) -> np.ndarray:
        """The corners of the prisms [m], (6 m, 3), when the points are at x (n, d)."""
        ends = in_space(x)[self._lines]
        along = ends[:, 1] - ends[:, 0]
        along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-300)
        least = np.eye(3)[np.abs(along).argmin(axis=1)]
        u = np.cross(along, least)
        u /= np.maximum(np.linalg.norm(u, axis=1, keepdims=True), 1e-300)
        v = np.cross(along, u)
        rim = self._radius * (
            np.cos(CORNER_ANGLES)[:, None] * u[:, None]
            + np.sin(CORNER_ANGLES)[:, None] * v[:, None]
        )
        return np.asarray((ends[:, :, None] + rim[:, None]).reshape(-1, 3))
