"""The weight of a liquid, as its pressure on the surface that holds it."""

from __future__ import annotations

import numpy as np

from pliant.mesh import Mesh

Array = np.ndarray
#: So many gravities are remembered: the run's, none, and one that a body asks about.
KEPT = 4


class LiquidWeight:
    """Forces on the points of a mesh by the weight of liquid in it: density (g . depth) on its surface.

    depth is counted from the highest point, so that the pressure is zero there. The forces add up to
    the weight. density [kg/m^3].
    """

    def __init__(self, mesh: Mesh, density: float):
        self._points, self._density = mesh.points, density
        self._areas = np.zeros_like(mesh.points)  # outward, shared by the corners of facets [m^2]
        for facets in mesh.boundary.values():
            corner = mesh.points[facets]
            normal = 0.5 * np.cross(corner[:, 2] - corner[:, 0], corner[:, 3] - corner[:, 1])
            for k in range(facets.shape[1]):
                np.add.at(self._areas, facets[:, k], normal / facets.shape[1])
        self._kept: dict[bytes, Array] = {}

    def __call__(self, gravity: Array) -> Array:
        """The forces [N], (n, 3), under a gravity [m/s^2]; the same array for the same gravity."""
        key = gravity.tobytes()
        if key not in self._kept:
            if len(self._kept) >= KEPT:
                self._kept.pop(next(iter(self._kept)))
            down = self._points @ gravity
            self._kept[key] = (self._density * (down - down.min()))[:, None] * self._areas
        return self._kept[key]
