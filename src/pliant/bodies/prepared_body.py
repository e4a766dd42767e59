"""A body as steppers use it: prepared for steps, on a device or on the host."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from pliant.backend import check_device, computing, parallel
from pliant.boundary import Obstacle, Touches
from pliant.contact import ContactBody, PairSource
from pliant.energies import Energy, NaturalShape
from pliant.errors import Advice, OldName, shown
from pliant.mesh import Mesh
from pliant.problem import System

from .damped_body import DampedBody
from .loaded_body import LoadedBody
from .pinned_body import PinnedBody


class PreparedBody(PinnedBody, LoadedBody, DampedBody):
    """A body that is prepared for steps, with all that touches it."""

    def __init__(self, mesh: Mesh, masses: np.ndarray, *, name: str):
        self._touches = Touches()
        self._system: tuple[Any, System] | None = None
        self._natural: tuple[np.ndarray, ...] | None = (
            None  # measures of energies, if not the mesh's
        )
        super().__init__(mesh, masses, name=name)

    @property
    def contact_radius(self) -> float:
        """Half the thickness [m] that contact leaves around its points, edges and triangles."""
        return 0.0

    @property
    def touches_itself(self) -> bool:
        """Whether it touches itself by default: not if its own energies see to that."""
        return not self._touches.inner

    @property
    def contact_surface(self) -> ContactBody:
        """What of it touches other bodies."""
        return ContactBody.of(self.mesh, radius=self.contact_radius)

    @property
    def contact_young(self) -> float | None:
        """Young's modulus where it is touched [Pa]; None: that of its cells, or its mean stiffness."""
        return None

    @property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """Those that push its points; none if contact sees to the obstacles of its scene."""
        return self._touches.obstacles

    def meet(self, obstacles: Sequence[Obstacle]) -> None:
        """Let obstacles push its points, and no others, where a run has no contact."""
        self._touches.meet(obstacles)
        self._changed()

    def touch(self, contact: PairSource) -> None:
        """Let separate parts of the body push each other, e.g. by `contact.PenaltyContact`."""
        self._touches.add(contact, self.mesh)
        self._system = None
        self._changed()

    @computing
    def system(self, *, device: str = "cpu") -> System:
        """The body prepared for stepping; made once and kept while pins, masses and matter stay."""
        check_device(device)
        if parallel(device) and self.in_modes:
            said = f"{self.name}: got device={shown(device)}; pl.{type(self).__name__} moves on the host"
            raise ValueError(Advice(f"{said}: expected ", 'device="cpu"', 'device = "cpu"'))
        pinned = self.pinned
        swing = self.damping.swing
        key = (device, pinned.tobytes(), self._masses.tobytes(), self.obstacles, swing)
        key += self._prepared_of()
        if self._system is None or self._system[0] != key:
            if pinned.all():
                raise ValueError(
                    f"{self.name}: all points are fixed; release some with body.release"
                )
            own = list(self.energies(device=device))
            if self._natural is not None:
                natural = (e for e in own if isinstance(e, NaturalShape))
                for energy, values in zip(natural, self._natural, strict=True):
                    energy.set_natural(values)
            pushed = self._touches.energies(self.mesh, self._masses, device=device)
            system = self._made_system(
                [*own, *pushed],
                masses=self._masses,
                pinned=pinned,
                components=self.components,
                x=self.mesh.points,
                cells=list(self.mesh.cells.values()),
                swing=swing,
                device=device,
            )
            self._system = (key, system)
        if self._system[1].rank:
            self._touches.check(self.name, self.damping)
        self._met_system(self._system[1])
        self._system[1].take_history(self._state.history)
        return self._system[1]

    @property
    def prepared(self) -> System | None:
        """The last result of `system`; None if matter has changed since."""
        return None if self._system is None else self._system[1]

    def to_host(self, system: System) -> None:
        """Bring its arrays back from a device."""
        self._state = self._state.to_host(system)

    def prepare(self, time: float) -> Any:
        """Set matter that changes with time to its value at a time [s]. Most bodies return None."""
        if self.prepared is not None:
            self.prepared.take_history(self._state.history)
        return None

    @property
    def time_dependent(self) -> bool:
        """Whether `prepare` changes its energies."""
        return False

    timed = OldName("body", "time_dependent")

    @abstractmethod
    def energies(self, *, device: str) -> Sequence[Energy]:
        """What it is made of, as energies of its points' positions."""

    def _prepared_of(self) -> tuple[Any, ...]:
        """What else the prepared form depends on."""
        return ()

    def _met_system(self, system: System) -> None:
        """Called with the prepared form before each use, for bodies whose state depends on it."""

    def _made_system(self, energies: Sequence[Energy], **given: Any) -> System:
        """The prepared form of energies."""
        return System(energies, **given)
