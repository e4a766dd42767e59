"""What `Settle` knows of a body from one step to the next."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from pliant.problem import ControlState

from .strain_inertia import StrainInertia


class Phase(Enum):
    """Where a body is on its way to rest; `docs/architecture.md` draws the transitions."""

    BEGINS = "begins"  # nothing has been looked at yet
    ON_ITS_WAY = "on its way"  # by the schedule, by strain inertia, or by the law of its first mode
    PULLED = "pulled home"  # cells are inside out: straight to the rest shape until they are not
    PULLED_FOR_GOOD = "pulled home for good"  # steps could not be solved in any other way


@dataclass(frozen=True)
class Plan:
    """The mass-weighted distance to the rest shape before a step, and the one it should reach."""

    distance: float
    target: float


@dataclass(frozen=True)
class SettleState(ControlState):
    """The state of one body under `Settle`.

    clock [s]: time since release. start: the distance that the schedule counts from. plan, stiffness
    [1/s^2], progress: those of the last scheduled step, `progress` being the distance it covered.
    retreats: how many steps had to be solved with a plainer inertia. leapt_at [s]: the last step
    that leapt. farthest: the first distance that was looked at. stands: for how many steps the body
    has stood still away from its rest shape. strains: of a body that bounces.
    """

    phase: Phase = Phase.BEGINS
    clock: float = 0.0
    start: float | None = None
    plan: Plan | None = None
    stiffness: float | None = None
    progress: float = 0.0
    retreats: int = 0
    leapt_at: float | None = None
    farthest: float | None = None
    stands: int = 0
    strains: StrainInertia | None = None

    @property
    def pulled(self) -> bool:
        """Whether the body is pulled straight to its rest shape."""
        return self.phase in (Phase.PULLED, Phase.PULLED_FOR_GOOD)

    def displaced(self) -> SettleState:
        """A body that an obstacle has moved does not stand still."""
        return replace(self, stands=0)

    def pulled_home(self, *, for_good: bool = False) -> SettleState:
        """From now on the body goes straight to its rest shape, and its clock starts anew."""
        phase = Phase.PULLED_FOR_GOOD if for_good else Phase.PULLED
        return replace(self, phase=phase, clock=0.0, start=None, plan=None, strains=None)
