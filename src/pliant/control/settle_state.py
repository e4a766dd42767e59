"""What `Settle` knows of a body from one step to the next."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum

from pliant.problem import ControlState

from .law import AT_REST, Release
from .strain_inertia import StrainInertia

#: Steps that may be solved with a plainer inertia before there is no going back.
MOST_RETREATS = 3
#: Steps of bounces that may lead straight home, before all of them do.
MOST_PULLS = 12


class Phase(Enum):
    """Where a body is on its way to rest; `docs/architecture.md` draws the transitions."""

    BEGINS = "begins"  # nothing has been looked at yet
    ON_ITS_WAY = "on its way"  # by the schedule, by strain inertia, or by the law of its first mode
    SWINGS = "swings"  # limply on a hinge: by its own mass, as long as nothing outside changes
    PULLED = "pulled home"  # cells are inside out: straight to the rest shape until they are not
    PULLED_FOR_GOOD = "pulled home for good"  # steps could not be solved in any other way


@dataclass(frozen=True)
class Plan:
    """Of every part: its distance to the rest shape before a step, and the one it should reach.

    weights [1/s^2]: with which each is held.
    """

    distances: tuple[float, ...]
    targets: tuple[float, ...]
    weights: tuple[float, ...] = ()

    @property
    def distance(self) -> float:
        """Of the whole body."""
        return math.hypot(*self.distances)

    @property
    def target(self) -> float:
        """Of the whole body."""
        return math.hypot(*self.targets)


@dataclass(frozen=True)
class Descent:
    """The distance of a part by schedule: start a^power, a being what the law leaves of 1."""

    start: float
    power: float = 1.0


@dataclass(frozen=True)
class PartState:
    """One connected part of a body under `Settle`: it has a law of its own.

    release: with what departure and velocity it was let go. decay [1/s]: of the
    law of the last step. farthest: its largest distance since release. reached: its distances
    after the last step and after the one before it.
    """

    release: Release
    farthest: float
    decay: float | None = None
    reached: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class SettleState(ControlState):
    """The state of one body under `Settle`.

    clock [s]: time since release. parts: of the connected parts, empty before the first step. dt [s]:
    the length of the last step, None before the first. descents: the schedules of the parts, empty if
    there is none. plan, stiffnesses [1/s^2] of the parts, progress: those of the last scheduled step,
    `progress` being the distance it covered. first_mode [1/s^2]: the eigenvalue of the slowest mode,
    where the law is for that. retreats: how many steps had to be solved with a plainer inertia.
    farthest: the largest distance since release. stands: for how many steps the body has stood still
    away from its rest shape. strains: of a body whose deformation has inertia.
    """

    phase: Phase = Phase.BEGINS
    clock: float = 0.0
    parts: tuple[PartState, ...] = ()
    dt: float | None = None
    descents: tuple[Descent, ...] = ()
    plan: Plan | None = None
    stiffnesses: tuple[float, ...] = ()
    first_mode: float | None = None
    progress: float = 0.0
    retreats: int = 0
    farthest: float = 0.0
    stands: int = 0
    strains: StrainInertia | None = None

    @property
    def pulled(self) -> bool:
        """Whether the body is pulled straight to its rest shape."""
        return self.phase in (Phase.PULLED, Phase.PULLED_FOR_GOOD)

    @property
    def release(self) -> Release:
        """How the body was let go, if all of it moves as one; else as from rest."""
        return self.parts[0].release if len(self.parts) == 1 else AT_REST

    @property
    def has_inertia(self) -> bool:
        """Whether strains follow the law: from the first step on, and again after a few failures."""
        return self.dt is None or self.strains is not None or 0 < self.retreats < MOST_RETREATS

    def displaced(self) -> SettleState:
        """A body that an obstacle has moved does not stand still."""
        return replace(self, stands=0)

    def pulled_home(self, *, for_good: bool = False) -> SettleState:
        """From now on the body goes straight to its rest shape, and its clock starts anew."""
        phase = Phase.PULLED_FOR_GOOD if for_good else Phase.PULLED
        return replace(self.let_go(), phase=phase, clock=0.0, descents=())

    def let_go(self) -> SettleState:
        """From the next step on the law begins anew, from where the body is then."""
        return replace(self, parts=(), dt=None, plan=None, farthest=0.0, strains=None)
