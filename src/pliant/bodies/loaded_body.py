"""What pushes a body: forces, pressure, wind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pliant.boundary import BodyLoads, make_load
from pliant.energies import Load, Resisting
from pliant.errors import OldName
from pliant.mesh import Mesh

from .mass_points import MassPoints


class LoadedBody(MassPoints):
    """A body that can be pushed."""

    def __init__(self, mesh: Mesh, masses: np.ndarray, *, name: str):
        self._loads = BodyLoads()
        super().__init__(mesh, masses, name=name)

    def push(
        self,
        *,
        force: Any = None,
        traction: Any = None,
        pressure: Any = None,
        volume: Any = None,
        wind: Any = None,
        on: Any = None,
    ) -> Load:
        """Push the body; returns a load that `unpush` takes away again.

        Give one of: `force` [N] on each of the points `on`, one for all or one for each; `traction`
        [Pa], a vector of fixed direction on the boundary facets whose points are all in `on` (all facets
        by default); `pressure` [Pa] on the same, inward and always normal; `volume` [N/m^3] on the whole
        volume; `wind` [m/s] on the facets, or a `pl.Wind` with its density and coefficients. The facets
        of a sheet are its cells, and pressure acts against the side that normals point to. Rods have no
        facets, and elastons take forces only. Each is constant, a function of time, or (times, values).
        """
        given = {"force": force, "traction": traction, "pressure": pressure, "volume": volume}
        load = self._load_of(given | {"wind": wind}, on)
        self._loads.add(load)
        self._changed()
        return load

    def unpush(self, load: Load | None = None) -> None:
        """Take a load away, or all of them."""
        self._loads.remove(load)
        self._changed()

    @property
    def loads(self) -> tuple[Load, ...]:
        """What pushes it: all that `push` returned and `unpush` did not take away."""
        return self._loads.every

    def loads_at(self, x: np.ndarray, time: float, gravity: np.ndarray) -> np.ndarray:
        """All forces [N] on the body at x that do not depend on velocities, (n, d)."""
        return self._loads.at(x, time, self._masses, gravity)

    @property
    def resisting(self) -> Sequence[Resisting]:
        """Forces that depend on its velocity: of air."""
        return self._loads.resisting

    @property
    def loads_constant(self) -> bool:
        """Whether its loads depend on time only, not on where it is."""
        return self._loads.all_constant

    @property
    def loads_resident(self) -> bool:
        """Whether a device can compute the loads on it that follow its surface or its velocity."""
        return self._loads.resident and all(r.resident for r in self.resisting)

    def constant_load(self, time: float, gravity: np.ndarray) -> np.ndarray:
        """The forces [N] that depend on time only, (n, d); the same array while they do not change."""
        return self._loads.constant(self.mesh.points, time, self._masses, gravity)

    def following_loads(self, x: Any, time: float) -> Sequence[Any]:
        """The forces [N] that depend on positions, on the body at x. Arrays live where x does."""
        return self._loads.following(x, time)

    def load_values(self, time: float) -> Sequence[Any]:
        """What time can change of its loads: a force, a pressure or a wind each."""
        return self._loads.values(self.mesh.points, time)

    dead = OldName("body", "loads_constant")

    def _load_of(self, given: dict[str, Any], on: Any) -> Load:
        """The load that `push` was asked for: one of `given` is not None."""
        return make_load(self.mesh, self.thickness, given, on)

    def _changed(self) -> None:
        super()._changed()
        self._loads.forget()
