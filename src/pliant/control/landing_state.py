"""What `Settle` knows of a body in a scene where bodies touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from pliant.problem import ControlState


class LandingStage(Enum):
    """What a body does; `docs/architecture.md` draws the transitions."""

    FLIGHT = "flight"  # it touches nothing, and moves as it would in a scene without contact
    IMPACT = "impact"  # it was hit: all inertia is physical until it comes in no further
    RELEASE = "release"  # it is driven to the velocity with which it takes off for a hop
    SETTLE = "settle"  # it touches, and its distance to where it will rest follows a schedule


@dataclass(frozen=True, eq=False)
class Hit:
    """An impact: when it began, by the clock [s], and how.

    velocity [m/s], (d,): of the centre of mass when it touched, relative to what it touched. impulse,
    (rank,): of contact on the rigid motions since then. stored [J]: the most that was stored in elastic
    bodies and barriers. ground [m/s], (d,): the velocity of obstacles where it touched. pushed [J]:
    impulses of obstacles times their velocities since then. supported: whether it, or what it touches,
    has touched an obstacle or something that pins hold.
    """

    began: float
    velocity: np.ndarray
    impulse: np.ndarray
    stored: float
    ground: np.ndarray
    pushed: float = 0.0
    supported: bool = False


@dataclass(frozen=True, eq=False)
class TakeOff:
    """A hop that begins: the rigid velocities change from `turn` to `end` in the time `lasts` [s].

    normal, (d,): of the ground. elapsed [s]: since the turn. turn, end: translation [m/s] and spin
    [rad/s].
    """

    lasts: float
    normal: np.ndarray
    turn: np.ndarray
    end: np.ndarray
    elapsed: float = 0.0


@dataclass(frozen=True, eq=False)
class LandingState(ControlState):
    """The state of one body under `Settle` in a scene with contact.

    clock [s]: since the release of a body that pins hold, or since the first touch of one that flies;
    None before it. flight: what `Settle` knows while it touches nothing. hops: how many are left; made:
    how many it has made. rest, (n, d): where it will rest. Positions (n, d) since the clock started:
    touched, when it touched last; first, when it touched first; squashed, at the end of its first
    impact; highest, at the top of its first hop. farthest: its largest distance since then. begun:
    distance and time left [s] when the present schedule began. promised: whether all that it has touched
    was to rest on cue as well. told: whether it was said that its hops, or it, end early.
    """

    stage: LandingStage = LandingStage.FLIGHT
    clock: float | None = None
    flight: ControlState | None = None
    hops: int = 0
    made: int = 0
    hit: Hit | None = None
    take_off: TakeOff | None = None
    rest: np.ndarray | None = None
    touched: np.ndarray | None = None
    first: np.ndarray | None = None
    squashed: np.ndarray | None = None
    highest: np.ndarray | None = None
    farthest: float = 0.0
    begun: tuple[float, float] | None = None
    promised: bool = True
    told: bool = False

    def later(self, h: float) -> LandingState:
        """The same after a time [s]."""
        return self if self.clock is None else replace(self, clock=self.clock + h)

    def touches(self, x: np.ndarray) -> LandingState:
        """It has touched something at x."""
        first = x if self.first is None else self.first
        return replace(self, clock=self.clock or 0.0, touched=x, first=first)

    def restarted(self, x: np.ndarray) -> LandingState:
        """Its clock starts anew at x."""
        return replace(self, clock=0.0, touched=x, first=x, squashed=None, highest=None, hops=0)

    def following(self, x: np.ndarray) -> LandingState:
        """What it touches has moved, until it was at x: its clock, and its schedule, start there."""
        return replace(self.restarted(x), begun=None, farthest=0.0)

    @property
    def marks(self) -> list[np.ndarray]:
        """Positions that may be far from where it will rest."""
        return [x for x in (self.first, self.squashed, self.highest) if x is not None]

    @property
    def places(self) -> tuple[np.ndarray | None, ...]:
        """All that has a row for every point."""
        return (self.rest, self.touched, self.first, self.squashed, self.highest)

    def placed(self, places: Sequence[np.ndarray | None]) -> LandingState:
        """The same with other `places`."""
        rest, touched, first, squashed, highest = places
        return replace(
            self, rest=rest, touched=touched, first=first, squashed=squashed, highest=highest
        )

    def settling(self) -> LandingState:
        """It goes to where it will rest from now on."""
        return replace(
            self,
            stage=LandingStage.SETTLE,
            hit=None,
            take_off=None,
            rest=None,
            begun=None,
            farthest=0.0,
        )

    def flying(self) -> LandingState:
        """It has left what it touched."""
        return replace(
            self,
            stage=LandingStage.FLIGHT,
            flight=None,
            hit=None,
            take_off=None,
            rest=None,
            begun=None,
        )
