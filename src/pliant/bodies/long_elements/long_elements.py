"""A body full of liquid, made of long elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from pliant.compliance import Compliance
from pliant.control import Damping
from pliant.declared import Quantity, accept
from pliant.energies import Energy, Load
from pliant.errors import prefixed
from pliant.given import gravity_of, select
from pliant.mesh import Mesh, MeshError, Surface, Voxels
from pliant.problem import System
from pliant.reduced import Lines, LongElementsSystem, ReducedShape
from pliant.resources import require_memory

from ..closed_surface import require_closed, surface_of
from ..condensing import rest_for_touch
from ..deformable import Deformable
from ..matter import Density, length
from ..no_wind import refuse_wind
from .touched import SkinCompliance
from .weight import LiquidWeight

#: Boxes along the longest side by default.
BOXES = 20
#: Bytes that tying the skin to each box takes.
PER_BOX = 9500


class LongElements(Deformable):
    """A skin full of liquid that cannot be compressed: a water balloon, an organ, a cushion.

        E dl/l + tension sum (dl - dl_neighbour)/A - dP = density g h - P_probe,     sum A dl = 0

    surface: closed, a `pl.Surface` or a `pl.Mesh`; its inside is filled with boxes of about `spacing`
    [m], by default a twentieth of its longest side.
    The prisms around the lines of their points, along x, y and z, are the long elements: each becomes
    longer by dl, which moves its points by their share of it. young E [Pa] resists that, tension [N/m]
    what makes neighbours differ, and the pressure dP, one in all elements, keeps the volume: by
    one more row of a linear system whose factor is kept. So a press anywhere takes a fraction of a
    millisecond, and the rest bulges.

        balloon = pl.LongElements(pl.meshes.sphere(0.1), spacing=0.02)
        balloon.fix(balloon.mesh.points[:, 1] < -0.08)      # it stands on its base
        balloon.damping = pl.Settle(rest_in=0.5, bounces=2)

    It does not fall: an element grows from an end that is held, or about its middle where none is. The
    weight of the liquid is its pressure on the skin, so that it bulges below. The model is static:
    `pl.Settle` gives it time, exactly at any dt, and without damping it is at rest in every frame. The
    surface that is given is drawn.

    Not for large deformation: elements do not bend, and the volume is kept to first order in dl/l. Not
    for contact, ties, obstacles, wind and pins that move apart, which are refused; `pl.Probe` presses
    it.
    Source: [deformablesurvey] (LEM), [costa2001]; `docs/reduced.md`.
    """

    word, in_space, of_faces, own_mesh = "long_elements", True, True, True
    cells = frozenset({"tri3", "quad4", "tet4", "hex8"})
    in_modes, static = True, True

    def __init__(
        self,
        surface: Surface | Mesh,
        spacing: Annotated[
            float | None, length("about the side of the boxes that fill it", 0.1)
        ] = None,
        young: Annotated[
            float, Quantity("stress over strain of an element", "Pa", above=0.0, example=2e4)
        ] = 2e4,
        tension: Annotated[
            float,
            Quantity("force per difference of neighbours", "N/m", at_least=0.0, example=5.0),
        ] = 5.0,
        density: Density = 1000.0,
        *,
        damping: Damping | None = None,
        name: str = "long_elements",
    ):
        who = type(self).__name__
        spacing, young, tension, density = accept(
            self, spacing=spacing, young=young, tension=tension, density=density
        )
        shell = surface_of(who, surface)
        require_closed(who, shell.welded())
        try:
            self._spacing = _default_spacing(shell) if spacing is None else spacing
            self._voxels = _filled(shell, self._spacing)
        except (MeshError, ValueError) as error:
            raise type(error)(prefixed(f"{who}: ", error)) from None
        self._young, self._tension, self._density = young, tension, density
        mesh = self._voxels.mesh
        self._weight = LiquidWeight(mesh, density)
        share = density * float(self._voxels.sides.prod()) / 8.0
        corners = np.bincount(mesh.cells["hex8"].ravel(), minlength=len(mesh))
        super().__init__(mesh, share * corners, damping=damping, name=name)
        self.wear(shell)

    def __repr__(self) -> str:
        what = f"{len(self)} points, young={self._young:g}, tension={self._tension:g}"
        return f"<{type(self).__name__} {self.name!r}: {what}, {self.damping!r}>"

    @property
    def components(self) -> np.ndarray:
        """All -1: its elements do not move rigidly."""
        return np.full(len(self), -1)

    @property
    def spacing(self) -> float:
        """About the side of its boxes [m]. Fixed."""
        return float(self._spacing)

    @property
    def young(self) -> float:
        """Stress over strain of an element [Pa]. Fixed."""
        return float(self._young)

    @property
    def tension(self) -> float:
        """Force per difference of neighbours [N/m]. Fixed."""
        return float(self._tension)

    @property
    def density(self) -> float:
        """[kg/m^3]. Fixed."""
        return float(self._density)

    @property
    def elements(self) -> Lines:
        """Its long elements: their lengths, sections and points."""
        return self._prepared().liquid.lines

    @property
    def lengthenings(self) -> np.ndarray:
        """How much longer each element is now than in the mesh [m], (elements,)."""
        self._prepared()
        shape = self._state.x
        assert isinstance(shape, ReducedShape)
        return np.array(shape.q)

    @property
    def volume_change(self) -> float:
        """How much larger it is now than its boxes are, as a share of them, to first order."""
        return float(self.elements.sections @ self.lengthenings) / self.mesh.volume

    def pressure(self, gravity: Any = None) -> float:
        """dP at rest under the loads at time 0 [Pa]: of the liquid at its top, over that of the air."""
        system, load = self._prepared(), self._load_at_rest(gravity)
        return system.liquid.answer(system.basis.project(load)).pressure

    def pressures(self, gravity: Any = None) -> np.ndarray:
        """The pressure each element is in balance with at rest [Pa], (elements,): one, by Pascal."""
        system, load = self._prepared(), self._load_at_rest(gravity)
        force = system.basis.project(load)
        return system.liquid.pressures(system.liquid.answer(force).lengthening, force)

    def responses(self, nodes: Any) -> np.ndarray:
        """How all points move per newton on some of them along each axis [m/N], (n, 3, nodes, 3).

        nodes: a mask of points, or their numbers. Columns are static answers, without weight and loads,
        along the axes of the mesh.
        """
        chosen = np.arange(len(self))[select(nodes, len(self), "responses(nodes)")]
        system = self._prepared()
        columns = system.basis.columns
        rows = (3 * chosen[:, None] + np.arange(3)).ravel()
        found = columns @ system.liquid.answers(columns[rows].T.toarray())
        out: np.ndarray = np.reshape(found, (len(self), 3, len(chosen), 3))
        return out

    def compliance(self, gravity: Any = None) -> Compliance:
        """How its skin answers to forces about its rest shape under gravity [m/s^2] and its loads."""
        return SkinCompliance(self._prepared(), self.skin, rest_for_touch(self, gravity))

    def loads_at(self, x: np.ndarray, time: float, gravity: np.ndarray) -> np.ndarray:
        """All forces [N] on the body, (n, 3); its weight is the pressure of the liquid."""
        turn = self._prepared().shape_at(x).frame.rotation
        f: np.ndarray = self.constant_load(time, 0.0 * gravity)
        f = f + self._weight(turn.T @ gravity) @ turn.T
        for force in self.following_loads(x, time):
            f += force
        return f

    def energies(self, *, device: str) -> Sequence[Energy]:
        """None of points: its energy is that of its elements."""
        return []

    def facts(self) -> dict[str, Any]:
        """What it is made of."""
        return {
            "spacing": self._spacing,
            "young": self._young,
            "tension": self._tension,
            "density": self._density,
            "mass": float(self._masses.sum()),
        }

    def _load_at_rest(self, gravity: Any) -> np.ndarray:
        return self.loads_at(self.mesh.points, 0.0, gravity_of(gravity, 3))

    def _prepared(self) -> LongElementsSystem:
        system = self.system()
        assert isinstance(system, LongElementsSystem)
        return system

    def _load_of(self, given: dict[str, Any], on: Any) -> Load:
        load, instead = super()._load_of(given, on), "force=, traction=, pressure= or volume="
        return refuse_wind(self.name, load, self.mesh.points, instead=f"{instead} on long elements")

    def _made_system(self, energies: Sequence[Energy], **given: Any) -> System:
        lines = Lines.through(self._voxels, given["pinned"])
        if not len(lines):
            raise ValueError(f"{self.name}: no element can become longer; hold fewer points")
        return LongElementsSystem(
            lines=lines, young=self._young, tension=self._tension, weight=self._weight, **given
        )

    def _met_system(self, system: System) -> None:
        assert isinstance(system, LongElementsSystem)
        try:
            self._state = system.taken_up(self._state)
        except ValueError as error:
            raise ValueError(prefixed(f"{self.name}: ", error)) from None


def _filled(shell: Surface, spacing: float) -> Voxels:
    voxels = Voxels.inside(shell, spacing)
    count = int(voxels.full.sum())
    wanted = f"spacing={2.0 * spacing:g} or more"
    require_memory(f"a skin on {count} boxes", PER_BOX * float(count), wanted)
    return voxels


def _default_spacing(shell: Surface) -> float:
    corners = shell.points[shell.corners]
    return float((corners.max(axis=0) - corners.min(axis=0)).max()) / BOXES
