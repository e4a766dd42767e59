"""The compliance of the surface of a body of finite elements."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.mesh import Surface
from pliant.reduced import RestStiffness

from .base import Compliance

Array = np.ndarray


class CondensedCompliance(Compliance):
    """K^-1 of a body of finite elements, seen from its surface.

        C = S K^-1 S^T,     S: picks the points of the surface

    stiffness: K about positions x [m], (m, 3), over the points that are `free`, (m,). surface: faces
    between points at x, numbered as in `points`, (n,), of the body. K is factored once; columns are
    solved for when they are asked for. Its error is rounding, and it is symmetric.
    """

    def __init__(
        self, stiffness: RestStiffness, x: Array, free: Array, points: Array, surface: Surface
    ):
        held = ~free[points]
        super().__init__(x[points], point_normals(surface), held, surface)
        self.points, self._x, self._free = points, x, free
        self._inverse = stiffness.solver()
        row = np.cumsum(free) - 1
        self._rows = np.where(free, row, -1)  # of the unknowns of each point

    def solve(self, nodes: Sequence[int]) -> Array:
        """K^-1 for unit forces on some points, at the surface."""
        pushed = self.points[list(nodes)]
        f = np.zeros((int(self._free.sum()), 3, len(pushed), 3))
        for k, row in enumerate(self._rows[pushed]):
            f[row, :, k] = np.eye(3)
        u = self._inverse.shifted(f.reshape(f.shape[0] * 3, -1))
        out: Array = np.zeros((len(self.points), 3, len(pushed), 3))
        u = u.reshape(-1, 3, len(pushed), 3)
        out[~self.held] = u[self._rows[self.points[~self.held]]]
        return out

    def whole(self, nodes: Array, forces: Array) -> Array:
        """Where all points of the body are [m], (m, 3)."""
        f = np.zeros((int(self._free.sum()), 3))
        f[self._rows[self.points[nodes]]] = forces
        x: Array = self._x.copy()
        x[self._free] += self._inverse.shifted(f.ravel()).reshape(-1, 3)
        return x


def point_normals(surface: Surface) -> Array:
    """The outward normal of every point, of length one: the mean of its faces by area, (m, 3)."""
    corners = surface.corners[surface.triangles]
    a, b, c = (surface.points[k] for k in corners.T)
    area = np.cross(b - a, c - a)
    normals = np.zeros_like(surface.points)
    for k in corners.T:
        np.add.at(normals, k, area)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.asarray(normals / np.where(length > 0.0, length, 1.0))
