"""What shells and rods have in common: matter around a surface or a curve."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from pliant.control import Damping
from pliant.energies import Load, NodalLoad
from pliant.given import over_time
from pliant.mesh import Mesh

from .deformable import Deformable


class Thin(Deformable):
    """A body whose volume is not that of the cells of its mesh.

    volumes: of the matter around each point [m^3], (n,); density [kg/m^3].
    """

    has_surface: ClassVar[bool] = True
    """Whether its cells are where pressure, traction and wind act."""

    def __init__(
        self,
        mesh: Mesh,
        volumes: np.ndarray,
        *,
        density: float,
        damping: Damping | None,
        name: str,
    ):
        self._volumes, self._density = volumes, float(density)
        super().__init__(mesh, self._density * volumes, damping=damping, name=name)

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

        As `Body.push`: `force` [N] on each of the points `on`, `volume` [N/m^3] on all of it; on shells
        also `traction` and `pressure` [Pa], against the side that normals point to, and `wind` [m/s].
        """
        given = {"force": force, "traction": traction, "pressure": pressure, "volume": volume}
        chosen = {what for what, value in (given | {"wind": wind}).items() if value is not None}
        if not self.has_surface and chosen & {"traction", "pressure", "wind"}:
            raise ValueError(
                f"push: got a traction, pressure or wind on a {type(self).__name__}, which has no "
                "surface; expected force= on its points, or volume=q / area for q [N/m] along it"
            )
        if chosen != {"volume"} or on is not None:
            return super().push(**given, wind=wind, on=on)
        load = NodalLoad(self._volumes, over_time(volume, (3,), what="volume"))
        self._loads.add(load)
        self._changed()
        return load
