"""Forces from outside: on points, on surfaces, on the whole volume."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

Value = Callable[[float], np.ndarray]


class Load(Protocol):
    """A force on the points of a body, held fixed during a step."""

    def forces(self, x: np.ndarray, time: float) -> np.ndarray:
        """The nodal forces [N] at positions x and a time [s], shape (n, d)."""
        ...


@dataclass(frozen=True, eq=False)
class NodalLoad:
    """Nodal weights times a vector: point forces, dead tractions and volume forces alike.

    `weights` (n,): 1 on pushed points [-], the area [m^2] of a surface or the volume [m^3] around
    each point; `value`: force [N], traction [Pa] or force density [N/m^3] as a function of time,
    one vector or one per point.
    """

    weights: np.ndarray
    value: Value

    def forces(self, x: np.ndarray, time: float) -> np.ndarray:
        """weights * value(time)."""
        return self.weights[:, None] * np.broadcast_to(self.value(time), x.shape)


@dataclass(frozen=True, eq=False)
class Pressure:
    """A pressure [Pa] on facets, positive inward, that stays normal to the surface.

        f_a = -p A n / k     on each of the k corners of a facet

    Its direction is that of the surface at the start of the step. Facets: (m, 2) edges in 2D (times
    the thickness), (m, 3) triangles and (m, 4) quads in 3D, outward oriented.
    """

    facets: Sequence[np.ndarray]
    value: Value
    thickness: float = 1.0

    def forces(self, x: np.ndarray, time: float) -> np.ndarray:
        """Nodal forces of the pressure on the surface at x."""
        f = np.zeros_like(x)
        pressure = float(self.value(time))
        for facets in self.facets:
            corners = facets.shape[1]
            share = -pressure / corners * facet_normals(x, facets, self.thickness)
            for corner in facets.T:
                np.add.at(f, corner, share)
        return f


def facet_normals(x: np.ndarray, facets: np.ndarray, thickness: float = 1.0) -> np.ndarray:
    """Outward normals times area [m^2] of facets, shape (m, d)."""
    p = x[facets]
    if x.shape[1] == 2:
        along = p[:, 1] - p[:, 0]
        return thickness * np.stack([along[:, 1], -along[:, 0]], axis=1)
    if (
        facets.shape[1] == 4
    ):  # the area vector of a quadrilateral is half the cross of its diagonals
        return 0.5 * np.cross(p[:, 2] - p[:, 0], p[:, 3] - p[:, 1])
    return 0.5 * np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])


def lumped_areas(x: np.ndarray, facets: Sequence[np.ndarray], thickness: float = 1.0) -> np.ndarray:
    """The area [m^2] of facets, of several kinds, shared among their points, shape (n,)."""
    out = np.zeros(len(x))
    for each in facets:
        corners = each.shape[1]
        area = np.linalg.norm(facet_normals(x, each, thickness), axis=1) / corners
        out += np.bincount(each.ravel(), np.repeat(area, corners), minlength=len(x))
    return out
