"""What `Settle` knows of a body from one step to the next."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from pliant.problem import ControlState

from .law import Release
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
class PartState:
    """One connected part of a body under `Settle`: it has a law of its own.

    release: with what departure and velocity it was let go. decay [1/s]: of the law of the last step,
    for bodies without bounces. farthest: its largest distance since release. reached: its distances
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
    the length of the last step, None before the first. start: the distance that the schedule counts
    from. plan, stiffness [1/s^2], progress: those of the last scheduled step, `progress` being the
    distance it covered. retreats: how many steps had to be solved with a plainer inertia. leapt_at [s]:
    the last step that leapt. farthest: the largest distance since release. stands: for how many steps
    the body has stood still away from its rest shape. strains: of a body whose deformation has inertia.
    """

    phase: Phase = Phase.BEGINS
    clock: float = 0.0
    parts: tuple[PartState, ...] = ()
    dt: float | None = None
    start: float | None = None
    plan: Plan | None = None
    stiffness: float | None = None
    progress: float = 0.0
    retreats: int = 0
    leapt_at: float | None = None
    farthest: float = 0.0
    stands: int = 0
    strains: StrainInertia | None = None

    @property
    def pulled(self) -> bool:
        """Whether the body is pulled straight to its rest shape."""
        return self.phase in (Phase.PULLED, Phase.PULLED_FOR_GOOD)

    @property
    def has_inertia(self) -> bool:
        """Whether the deformation has inertia, or may have it from its first step on."""
        return self.dt is None or self.strains is not None

    def displaced(self) -> SettleState:
        """A body that an obstacle has moved does not stand still."""
        return replace(self, stands=0)

    def pulled_home(self, *, for_good: bool = False) -> SettleState:
        """From now on the body goes straight to its rest shape, and its clock starts anew."""
        phase = Phase.PULLED_FOR_GOOD if for_good else Phase.PULLED
        return replace(self.let_go(), phase=phase, clock=0.0, start=None)

    def let_go(self) -> SettleState:
        """From the next step on the law begins anew, from where the body is then."""
        return replace(self, parts=(), dt=None, plan=None, farthest=0.0, strains=None)
