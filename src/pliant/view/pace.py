"""Simulated time against the clock on the wall."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np

#: Time lost by more than this [s] is given up: steps in a burst would look like a jump.
LONGEST_LAG = 0.1
#: A scene that runs more slowly than real time by this factor is reported; less is noise.
SLOW_FACTOR = 1.1
#: How many steps the cost of a step is the median of.
STEPS_AVERAGED = 30
#: How far the report of pace and failures looks back [s], and at least to the last step.
WINDOW = 1.0


class Effort(NamedTuple):
    """How often searches of a step began anew, and how many ended at their time budget."""

    retries: int = 0
    cuts: int = 0


NO_EFFORT = Effort()


class Pace:
    """Says when the next step is due, so that simulated time is wall time times `scale`.

    All times in seconds, `now` from a monotonic clock.
    """

    def __init__(self, dt: float, now: float, *, scale: float = 1.0):
        self.dt, self.scale = dt, scale
        self._due = now
        self._costs: deque[float] = deque(maxlen=STEPS_AVERAGED)
        self._simulated = 0.0
        self._marks: deque[tuple[float, float]] = deque()  # (wall, simulated) after each step
        self._efforts: deque[tuple[float, Effort]] = deque()  # (wall, of a step that had trouble)

    def wait(self, now: float) -> float:
        """The time until the next step is due [s]; 0 if it is due now."""
        return max(0.0, self._due - now)

    def resume(self, now: float) -> None:
        """Begin anew after a pause or a change of scale."""
        self._due = now
        self._marks.clear()
        self._efforts.clear()

    def stepped(
        self, began: float, ended: float, *, solved: bool = True, effort: Effort = NO_EFFORT
    ) -> None:
        """A step was tried; solved: the scene's clock went on."""
        self._costs.append(ended - began)
        # Looking back begins after the first step, which may have compiled kernels.
        self._simulated += self.dt if solved else 0.0
        self._marks.append((ended, self._simulated))
        while len(self._marks) > 2 and self._marks[1][0] <= ended - WINDOW:
            self._marks.popleft()
        if any(effort):
            self._efforts.append((ended, effort))
        while self._efforts and self._efforts[0][0] <= ended - WINDOW:
            self._efforts.popleft()
        self._due += self.dt / self.scale
        if ended - self._due > LONGEST_LAG:
            self._due = ended

    @property
    def cost(self) -> float:
        """The time that a step takes [s]: the median of the last ones."""
        return float(np.median(self._costs)) if self._costs else 0.0

    @property
    def retries(self) -> int:
        """How often steps of the last second were repeated."""
        return sum(effort.retries for _, effort in self._efforts)

    @property
    def cuts(self) -> int:
        """How many steps of the last second were cut short."""
        return sum(effort.cuts > 0 for _, effort in self._efforts)

    @property
    def rate(self) -> float | None:
        """Simulated seconds per second, measured over the last one; None if it is too early."""
        if not self._marks:
            return None
        (began, first), (ended, last) = self._marks[0], self._marks[-1]
        return (last - first) / (ended - began) if ended - began >= WINDOW else None

    @property
    def slowness(self) -> float:
        """How many times slower than asked the scene runs: 1 if it keeps up, inf if it is stopped."""
        if self.rate is None:
            return 1.0
        factor = self.scale / self.rate if self.rate > 0.0 else np.inf
        return factor if factor > SLOW_FACTOR else 1.0
