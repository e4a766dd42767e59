"""What a step is about: the bodies as they stay from step to step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from pliant.energies import Solid

from .damping import Damping
from .system import System

if TYPE_CHECKING:
    from .island import Island
    from .stepper import Stepper


@dataclass(frozen=True)
class BodyProblem:
    """One body, prepared: what does not change while its topology, pins and matter stay.

    obstacles: those of a run without contact.
    """

    name: str
    system: System
    damping: Damping
    obstacles: Sequence[Solid] = ()


class Meeting(Protocol):
    """Which bodies come near each other or anything else, and the islands of those that do.

    lands: whether there is anything that a body in flight may touch.
    """

    lands: bool
    names: tuple[str, ...]

    @property
    def island(self) -> Island:
        """All bodies, with what keeps them apart; made when it is first asked for."""

    def island_of(self, numbers: tuple[int, ...]) -> Island:
        """Some bodies, with what keeps them apart; likewise."""

    @property
    def islands(self) -> Sequence[Island]:
        """Those that were made, and may be asked for again."""

    def near(
        self,
        begin: Sequence[np.ndarray],
        time: float,
        end: Sequence[np.ndarray] | None = None,
        *,
        own: bool = True,
    ) -> bool:
        """Whether anything may touch at some positions, or on the way from there to others.

        time [s]: at the end. own: whether bodies and themselves count.
        """

    def pairs(
        self, begin: Sequence[np.ndarray], time: float, end: Sequence[np.ndarray] | None = None
    ) -> np.ndarray:
        """The numbers of what may touch there, (k, 2); obstacles are numbered behind bodies.

        Bodies that touch others need not be named as touching themselves.
        """


@dataclass(frozen=True)
class Problem:
    """All bodies of a scene, and the stepper that moves them.

    islands: bodies that are tied together, which make one minimisation per step. Every other body is an
    island by itself. meeting: in scenes with contact; bodies that come near each other in a step are one
    island then.
    """

    bodies: tuple[BodyProblem, ...]
    stepper: Stepper
    islands: tuple[Island, ...] = ()
    meeting: Meeting | None = None

    @property
    def systems(self) -> list[System]:
        """Their prepared forms."""
        return [body.system for body in self.bodies]

    @property
    def solved(self) -> list[System]:
        """The prepared form that each is solved in by itself: its own, or that of all it is tied to."""
        found = self.systems
        for island in self.islands:
            for i in island.numbers:
                found[i] = island.system
        return found
