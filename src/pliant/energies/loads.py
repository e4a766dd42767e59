"""Forces from outside: on points, on surfaces, on the whole volume."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from pliant.backend import device_of
from pliant.elements import facet_element
from pliant.mesh import Mesh, MeshChange

from .loaded_surface import LoadedSurface
from .protocol import Energy

Value = Callable[[float], np.ndarray]


class Load(Protocol):
    """A force on the points of a body, held fixed during a step."""

    resident: bool  # whether `forces` takes arrays of a device, too

    def value_at(self, x: np.ndarray, time: float) -> Any:
        """What time can change of it: a force, a pressure, or the wind at places x [m], (n, d)."""

    def forces(self, x: Any, time: float) -> Any:
        """The nodal forces [N] at positions x and a time [s], shape (n, d)."""

    def patterns(self, x: np.ndarray) -> list[np.ndarray]:
        """Forces on a body at x, (n, d), of which it is a sum at all times."""

    def after(self, change: MeshChange, old: np.ndarray, new: np.ndarray) -> Load:
        """The same load on a mesh that was cut; old, new: the masses of points before and after."""


class Resisting(Protocol):
    """A force that depends on the velocity of a body."""

    resident: bool  # whether `dissipation` takes arrays of a device, too

    def resistance(self, x: np.ndarray, v: np.ndarray, time: float) -> np.ndarray:
        """The force [N] that velocities v cause, shape (n, d)."""

    def slope(self, x: np.ndarray, v: np.ndarray, time: float) -> np.ndarray:
        """-d resistance/dv [N s/m], a block per point, (n, d, d)."""

    def dissipation(
        self, x: Any, before: Any, span: float, time: float, *, device: Any
    ) -> Energy | None:
        """The resistance as an energy of positions y, where velocities are (y - before)/span.

        Returns None if there is no resistance at x.
        """


@dataclass(frozen=True, eq=False)
class NodalLoad:
    """Nodal weights times a vector: point forces, dead tractions and volume forces alike.

    `weights` (n,): 1 on pushed points [-], the area [m^2] of a surface or the volume [m^3] around
    each point; `value`: force [N], traction [Pa] or force density [N/m^3] as a function of time,
    one vector or one per point.
    """

    weights: np.ndarray
    value: Value
    resident = False  # it depends on time only, and is sent when it changes

    def value_at(self, x: np.ndarray, time: float) -> np.ndarray:
        """value(time)."""
        return self.value(time)

    def forces(self, x: np.ndarray, time: float) -> np.ndarray:
        """weights * value(time)."""
        return np.asarray(self.weights[:, None] * np.broadcast_to(self.value(time), x.shape))

    def patterns(self, x: np.ndarray) -> list[np.ndarray]:
        """One for each direction; if every point has a force of its own, that of the time 0."""
        if np.shape(self.value(0.0)) == x.shape:
            return [self.forces(x, 0.0)]
        return [self.weights[:, None] * axis for axis in np.eye(x.shape[1])]

    def after(self, change: MeshChange, old: np.ndarray, new: np.ndarray) -> NodalLoad:
        """The same force in all: that of a point is on its copies, by mass."""
        weights, value = self.weights, self.value
        if np.ndim(value(0.0)) < 2:
            return NodalLoad(change.shared_out(weights, new), value)
        own = np.ones(len(new))
        return NodalLoad(own, lambda t: change.shared_out(weights[:, None] * value(t), new))


class VolumeLoad(NodalLoad):
    """A force density on all of the matter of a body."""

    def after(self, change: MeshChange, old: np.ndarray, new: np.ndarray) -> VolumeLoad:
        """The same force in all, by mass."""
        return VolumeLoad(change.carried(self.weights / old) * new, self.value)


@dataclass(frozen=True, eq=False)
class TractionLoad(NodalLoad):
    """A traction of fixed direction on facets, as of `Pressure`; points: of the rest shape."""

    facets: Sequence[np.ndarray] = ()
    thickness: float = 1.0

    @classmethod
    def on(
        cls, points: np.ndarray, facets: Sequence[np.ndarray], value: Value, thickness: float
    ) -> TractionLoad:
        """The load on facets of a mesh of points [m]."""
        return cls(nodal_areas(points, facets, thickness), value, facets, thickness)

    def after(self, change: MeshChange, old: np.ndarray, new: np.ndarray) -> TractionLoad:
        """The same traction on the pieces of its facets."""
        facets = [change.facets(own) for own in self.facets]
        return TractionLoad.on(change.mesh.points, facets, self.value, self.thickness)


class Pressure:
    """A pressure [Pa] on facets, positive inward, that stays normal to the surface.

        f_a = -p integral N_a n dA     on each node of a facet

    Its direction is that of the surface at the start of the step. Facets: as of `LoadedSurface`.
    """

    resident = True

    def __init__(self, facets: Sequence[np.ndarray], value: Value, thickness: float = 1.0):
        self._facets, self._value, self._thickness = facets, value, thickness
        self._surfaces: dict[str, LoadedSurface] = {}

    def value_at(self, x: np.ndarray, time: float) -> np.ndarray:
        """The pressure [Pa]."""
        return self._value(time)

    def forces(self, x: Any, time: float) -> Any:
        """Nodal forces of the pressure on the surface at x."""
        return self._press(x, float(self._value(time)))

    def patterns(self, x: np.ndarray) -> list[np.ndarray]:
        """Those of a pressure of 1 Pa."""
        return [self._press(x, 1.0)]

    def after(self, change: MeshChange, old: np.ndarray, new: np.ndarray) -> Pressure | NodalLoad:
        """The same pressure on the pieces of its facets; a cut opens none that it presses."""
        facets = [change.facets(f) for f in self._facets]
        if not any(map(len, facets)):
            return no_load(change.mesh)
        return Pressure(facets, self._value, self._thickness)

    def _press(self, x: Any, pressure: float) -> Any:
        key = str(device_of(x))
        if key not in self._surfaces:
            self._surfaces[key] = LoadedSurface(self._facets, x, thickness=self._thickness)
        return self._surfaces[key].press(x, pressure)


def no_load(mesh: Mesh) -> NodalLoad:
    """What is left of a load on a part that has none of its facets."""
    return NodalLoad(np.zeros(len(mesh)), lambda time: np.zeros(mesh.dim))


def nodal_areas(x: np.ndarray, facets: Sequence[np.ndarray], thickness: float = 1.0) -> np.ndarray:
    """Return   integral N_a dA   [m^2] over facets of several kinds, shape (n,).

    What a uniform traction is multiplied by; corners of quadratic faces may get zero or less.
    """
    out = np.zeros(len(x))
    for each in facets:
        normals, N = _normals(x, each, thickness)
        share = np.linalg.norm(normals, axis=2) @ N
        out += np.bincount(each.ravel(), share.ravel(), minlength=len(x))
    return out


def _normals(x: np.ndarray, facets: np.ndarray, thickness: float) -> tuple[np.ndarray, np.ndarray]:
    """n dA [m^2] at the quadrature points of facets, (m, q, d), and the shape functions there."""
    element = facet_element(x.shape[1], facets.shape[1])
    rule = element.rule if element.is_simplex else element.mass_rule
    along = np.einsum("mad,qaj->mqjd", x[facets], element.gradients(rule.points))
    if x.shape[1] == 2:
        t = thickness * along[:, :, 0]
        normals = np.stack([t[..., 1], -t[..., 0]], axis=-1)
    else:
        normals = np.cross(along[:, :, 0], along[:, :, 1])
    return rule.weights[:, None] * normals, element.shape(rule.points)
