"""The moving state of one body, and what steppers remember between steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from pliant.damping.difference import Difference
from pliant.energies.loads import Resisting
from pliant.energies.protocol import Energy
from pliant.solvers import Report

from .impact_turning import Turning
from .rest import Rest
from .statics import Loads
from .system import System


@dataclass
class State:
    """Positions and velocities, and the memory that makes a second run continue the first.

    During a run the arrays may be on a device (`lift`); outside it they are numpy (`lower`).
    """

    x: Any  # [m], (n, d)
    v: Any  # [m/s], (n, d)
    drift: Any = None  # velocity of deformation; None: to be split from v
    correction: Any = None  # where the last step ended, less where it began, if it was easy
    dt: float | None = None  # of that step [s]
    trend: Any = None  # how that differs from a repetition of the one before
    rest: Rest | None = None
    memory: dict[str, Any] = field(default_factory=dict)
    stepper: type | None = None  # the one that moved it last
    turning: Turning | None = None  # of nodes that turn; replaced, never changed

    def forget(self) -> None:
        """The user changed something: the clock starts anew."""
        self.drift = self.correction = self.trend = self.rest = None
        self.memory = {}

    def keep(self) -> Any:
        """What `put_back` needs to undo a step.

        Steps replace all that is here and in `memory`, and change nothing in place but `memory`.
        """
        return vars(self) | {"memory": self.memory.copy()}

    def put_back(self, kept: Any) -> None:
        """Be as when `keep` was called, to the last bit."""
        self.__dict__ = kept | {"memory": kept["memory"].copy()}

    def displace(self, x: np.ndarray, v: np.ndarray, drift: Any) -> None:
        """Something outside the step has moved points: the clock goes on, what foresees does not."""
        self.x, self.v, self.drift, self.correction, self.trend = x, v, drift, None, None
        self.memory.pop("stands", None)
        self.memory.pop("bdf2", None)

    def lift(self, system: System) -> None:
        """Take the arrays to the device; pins stand still there."""
        if isinstance(self.x, np.ndarray):
            system.settle_pins(self.x)
            self.v = np.where(system.pinned[:, None], 0.0, self.v)
            self._each(system.lift)

    def lower(self, system: System) -> None:
        """Bring the arrays back."""
        if not isinstance(self.x, np.ndarray):
            self._each(system.lower)
            if self.rest is not None:
                self.rest = self.rest.lowered()

    def _each(self, carry: Callable[[Any], Any]) -> None:
        for name in ("x", "v", "drift", "correction", "trend"):
            array = getattr(self, name)
            if array is not None:
                setattr(self, name, carry(array))


class Surroundings:
    """What acts on a body at the end of a step; arrays are made when they are asked for.

    loads: forces [N] on a body at given positions, (n, d). `load`: those at the start of the step,
    which the step holds fixed; the same array as in the last step where nothing has changed, if the
    loads are `dead` (do not follow the surface). `still`: no pin is driven. `at(t)`: the same at
    another time, for steps that look at their beginning or middle. `resisting`: what answers
    to velocities, which `load` and `loads` take as zero.
    """

    def __init__(
        self,
        time: float,
        *,
        pinned: Callable[[], np.ndarray],
        loads: Loads,
        load: Callable[[], np.ndarray],
        dead: bool = False,
        still: bool = False,
        at: Callable[[float], Surroundings],
        resisting: Sequence[Resisting] = (),
    ):
        self.resisting = resisting
        self.time, self.loads, self.dead, self.still, self.at = time, loads, dead, still, at
        self._pinned, self._load = pinned, load

    @cached_property
    def pinned(self) -> np.ndarray:
        """Positions of all points; only those of pins are read."""
        return self._pinned()

    @cached_property
    def load(self) -> np.ndarray:
        """The forces at the start of the step."""
        return self._load()

    def resistance(self, x: np.ndarray, v: np.ndarray) -> np.ndarray:
        """What velocities change of the loads [N], (n, d)."""
        return sum((r.resistance(x, v, self.time) for r in self.resisting), np.zeros_like(x))

    def dissipation(self, d: Difference, mixed: Callable, device: Any) -> list[Energy]:
        """The same as energies of a step that tells rates by d."""
        if not self.resisting:
            return []
        x, before = d.where, d.before(mixed)
        found = [r.dissipation(x, before, d.span, self.time, device=device) for r in self.resisting]
        return [energy for energy in found if energy is not None]


#: The report of a step that needed no iteration.
NOTHING = Report(0, 0, 0.0, "explicit")
