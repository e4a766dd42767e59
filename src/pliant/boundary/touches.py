"""What a body touches: obstacles of its scene, and its own other parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.contact import PairSource, refuse_contact
from pliant.control import Damping
from pliant.energies import Energy, ObstacleEnergy
from pliant.errors import shown
from pliant.mesh import Mesh

from .obstacle import Obstacle


class Touches:
    """The obstacles and contacts of one body."""

    def __init__(self) -> None:
        self.obstacles: tuple[Obstacle, ...] = ()
        self._contacts: list[PairSource] = []

    def copy(self) -> Touches:
        """The same of another body."""
        found = Touches()
        found.obstacles, found._contacts = self.obstacles, list(self._contacts)
        return found

    @property
    def inner(self) -> bool:
        """Whether parts of the body push each other."""
        return bool(self._contacts)

    def add(self, contact: PairSource, mesh: Mesh) -> None:
        """Let parts of a body of this mesh push each other."""
        if not isinstance(contact, PairSource):
            raise TypeError(
                f"touch: got {shown(contact)}; expected a contact such as PenaltyContact(...)"
            )
        contact.energies(mesh, device="cpu")  # what does not fit is refused now
        self._contacts.append(contact)

    def meet(self, obstacles: Sequence[Obstacle]) -> None:
        """Let these obstacles push the points, and no others."""
        listed = isinstance(obstacles, Sequence) and not isinstance(obstacles, str)
        if not listed or not all(isinstance(o, Obstacle) for o in obstacles):
            raise TypeError(
                f"meet: got {shown(obstacles)}; expected obstacles, as [pl.Sphere(...)]"
            )
        self.obstacles = tuple(obstacles)

    def energies(self, mesh: Mesh, masses: np.ndarray, *, device: str) -> list[Energy]:
        """What pushes the points."""
        found = [e for c in self._contacts for e in c.energies(mesh, device=device)]
        if self.obstacles:
            found.append(ObstacleEnergy(mesh.points, masses, self.obstacles, device=device))
        return found

    def check(self, name: str, damping: Damping) -> None:
        """Refuse dampings that would let a body of this name fall through what it touches."""
        if (self._contacts or self.obstacles) and damping.controlled:
            refuse_contact(name, damping)
