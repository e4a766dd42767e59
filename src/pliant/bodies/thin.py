"""What shells and rods have in common: matter around a surface or a curve."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from pliant.control import Damping
from pliant.energies import Load, VolumeLoad
from pliant.given import over_time
from pliant.mesh import Mesh

from .cuttable import Cuttable


class Thin(Cuttable):
    """A body whose volume is not that of the cells of its mesh.

    volumes: of the matter around each point [m^3], (n,); density [kg/m^3].
    """

    has_surface: ClassVar[bool] = True
    """Whether its cells are where pressure, traction and wind act."""

    def __init__(
        self, mesh: Mesh, volumes: np.ndarray, *, density: float, damping: Damping | None, name: str
    ):
        self._volumes, self._density = volumes, float(density)
        super().__init__(mesh, self._density * volumes, damping=damping, name=name)

    def _mesh_masses(self) -> np.ndarray:
        return self._density * self._volumes

    def _load_of(self, given: dict[str, Any], on: Any) -> Load:
        chosen = {what for what, value in given.items() if value is not None}
        if not self.has_surface and chosen & {"traction", "pressure", "wind"}:
            raise ValueError(
                f"push: got a traction, pressure or wind on a {type(self).__name__}, which has no "
                "surface; expected force= on its points, or volume=q / area for q [N/m] along it"
            )
        if chosen != {"volume"} or on is not None:
            return super()._load_of(given, on)
        return VolumeLoad(self._volumes, over_time(given["volume"], (3,), what="volume"))
