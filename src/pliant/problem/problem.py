"""What a step is about: the bodies as they stay from step to step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pliant.energies import Solid

from .damping import Damping
from .system import System

if TYPE_CHECKING:
    from .island import Island
    from .stepper import Stepper


@dataclass(frozen=True)
class BodyProblem:
    """One body, prepared: what does not change while its topology, pins and matter stay."""

    name: str
    system: System
    damping: Damping
    obstacles: Sequence[Solid] = ()


@dataclass(frozen=True)
class Problem:
    """All bodies of a scene, and the stepper that moves them.

    islands: bodies that are tied together or may touch, which make one minimisation per step. Every
    other body is an island by itself.
    """

    bodies: tuple[BodyProblem, ...]
    stepper: Stepper
    islands: tuple[Island, ...] = ()

    @property
    def systems(self) -> list[System]:
        """Their prepared forms."""
        return [body.system for body in self.bodies]

    @property
    def solved(self) -> list[System]:
        """The prepared form that each is solved in: its own, or that of all it is tied to."""
        found = self.systems
        for island in self.islands:
            for i in island.numbers:
                found[i] = island.system
        return found
