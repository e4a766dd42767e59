"""The moving state of one body."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.contact import Bristles, BristlesOfOne

from .control_state import ControlState
from .history import History
from .rest import Rest

if TYPE_CHECKING:
    from .system import System


@dataclass(frozen=True)
class Past:
    """The state that a step of BDF2 began with, and the time [s] that it reached."""

    x: np.ndarray
    v: np.ndarray
    dt: float
    reached: float


@dataclass(frozen=True)
class Guess:
    """What makes the next solve quicker. It is seen in the last digits of the answer only.

    correction: where the last step ended, less where its search began, if it converged quickly. trend:
    that less `extrapolation` times the correction before. dt: of that step [s]. solver: what solvers
    keep. curve: how the trend differs from the last one, if the end of the step was predicted.
    """

    correction: Any = None
    trend: Any = None
    dt: float | None = None
    solver: Any = None
    curve: Any = None

    def for_steps_of(self, dt: float) -> Guess:
        """The same for steps of dt; empty if the last step had another length."""
        return self if self.dt == dt else Guess(dt=dt, solver=self.solver)

    def without_motion(self) -> Guess:
        """The same for a body that was moved by something else than a step."""
        return Guess(dt=self.dt, solver=self.solver)


@dataclass(frozen=True)
class State:
    """All that changes of one body from step to step. It is never changed: a step makes a new one.

    x [m], v [m/s], (n, d): on a device during a run (`to_device`), else numpy arrays. drift: the
    velocity of deformation [m/s]; None if it must be computed from v. rest: the rest shape. control:
    the state of the damping. hinges: the vertical of each part that hangs by a point, (3, 1).
    bristles: those of friction, of its points and edges. obstacle_work [J]: what obstacles that move
    have done on it so far; hop_work [J]: what its hops have. stepper: the one that moved the body last.
    """

    x: Any
    v: Any
    drift: Any = None
    rest: Rest | None = None
    control: ControlState | None = None
    past: Past | None = None
    history: History | None = None
    hinges: tuple[np.ndarray, ...] = ()
    bristles: Bristles | BristlesOfOne | None = None
    obstacle_work: float = 0.0
    hop_work: float = 0.0
    stepper: type | None = None
    guess: Guess = field(default_factory=Guess)

    def restarted(self) -> State:
        """The user changed something: the clock starts anew."""
        return replace(
            self, drift=None, rest=None, control=None, past=None, guess=self.guess.without_motion()
        )

    def displaced(self, x: np.ndarray, v: np.ndarray, drift: Any) -> State:
        """Something outside the step has moved points. The clock goes on; guesses are dropped."""
        return replace(
            self,
            x=x,
            v=v,
            drift=drift,
            past=None,
            control=None if self.control is None else self.control.displaced(),
            guess=self.guess.without_motion(),
        )

    def to_device(self, system: System) -> State:
        """With its arrays on the device, where pins stand still."""
        if not system.spaces.of(self.x).on_host:
            return self
        system.settle_pins(self.x)
        v = np.where(system.pinned[:, None], 0.0, self.v)
        return replace(self, v=v)._carried(system.to_device)

    def to_host(self, system: System) -> State:
        """With numpy arrays."""
        if system.spaces.of(self.x).on_host:
            return self
        rest = None if self.rest is None else self.rest.to_host()
        bristles = None if self.bristles is None else self.bristles.to_host()
        return replace(self._carried(system.to_host), rest=rest, bristles=bristles)

    def _carried(self, carry: Callable[[Any], Any]) -> State:
        def each(array: Any) -> Any:
            return None if array is None else carry(array)

        known = self.guess
        guess = replace(
            known,
            correction=each(known.correction),
            trend=each(known.trend),
            curve=each(known.curve),
        )
        return replace(self, x=carry(self.x), v=carry(self.v), drift=each(self.drift), guess=guess)
