"""Simulated time against the clock on the wall."""

from __future__ import annotations

from collections import deque

import numpy as np

#: Time lost by more than this [s] is given up: steps in a burst would look like a jump.
PATIENCE = 0.1
#: Real time is missed from here on; below it is the noise of a busy machine.
SLOW = 1.1
#: How many steps the report looks back on.
STEPS = 30


class Pace:
    """Says when the next step is due, so that simulated time is wall time times `scale`.

    All times in seconds, `now` from a monotonic clock.
    """

    def __init__(self, dt: float, now: float, *, scale: float = 1.0):
        self.dt, self.scale = dt, scale
        self._due = self._last = now
        self._costs: deque[float] = deque(maxlen=STEPS)
        self._gaps: deque[float] = deque(maxlen=STEPS)

    def wait(self, now: float) -> float:
        """How long until the next step is due; 0 if it is."""
        return max(0.0, self._due - now)

    def resume(self, now: float) -> None:
        """Begin anew after a pause or a change of scale."""
        self._due = self._last = now
        self._gaps.clear()

    def stepped(self, began: float, ended: float) -> None:
        """A step was made."""
        self._costs.append(ended - began)
        self._gaps.append(ended - self._last)
        self._last = ended
        self._due += self.dt / self.scale
        if ended - self._due > PATIENCE:
            self._due = ended

    @property
    def cost(self) -> float:
        """What a step takes, the median of the last ones [s]."""
        return float(np.median(self._costs)) if self._costs else 0.0

    @property
    def slowness(self) -> float:
        """How many times slower than asked the scene runs; 1 if it keeps up."""
        if len(self._gaps) < STEPS // 3:
            return 1.0
        factor = float(np.median(self._gaps)) * self.scale / self.dt
        return factor if factor > SLOW else 1.0
