"""How far a body is from rest since it was last let go."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pliant.bodies import Deformable
from pliant.control import Settle
from pliant.problem import System
from pliant.take import measure

#: A change that leaves the body within this share of its size from rest is not worth a curve.
STILL = 1e-6
#: The curve ends after so many times the asked time: the rest is silence.
LENGTH = 4.0


@dataclass
class Curve:
    """Distances to rest [m] at times [s] since the last change, and what was asked for.

    `asked` is None for a body without `pl.Settle`, which has no moment to be marked.
    """

    asked: float | None = None
    within: float = 0.01
    bounces: int | None = None
    times: list[float] = field(default_factory=list)
    distances: list[float] = field(default_factory=list)
    _start: tuple[float, np.ndarray] | None = None

    @classmethod
    def since(cls, body: Deformable, time: float, x: np.ndarray) -> Curve:
        """A curve that begins now."""
        damping = body.damping
        if not isinstance(damping, Settle):
            return cls()
        return cls(damping.rest_in, damping.within, damping.bounces, _start=(time, x.copy()))

    def add(self, body: Deformable, system: System, time: float, x: np.ndarray) -> None:
        """Measure after a step; the first one also tells where the curve began."""
        rest = body.state.rest
        if self._start is None or rest is None or self.asked is None:
            return
        if self.times and self.times[-1] > LENGTH * self.asked:
            return
        began, first = self._start
        home = system.to_host(rest.x)
        if not self.times:
            self._add(0.0, system, home, first)
        self._add(time - began, system, home, x)

    def _add(self, time: float, system: System, rest: np.ndarray, x: np.ndarray) -> None:
        apart = ((x - system.align(rest, x)) ** 2).sum(axis=1)
        self.times.append(time)
        self.distances.append(float(np.sqrt(system.masses @ apart / system.masses.sum())))

    def worth(self, size: float) -> bool:
        """Whether the body was away from rest at all when the curve began."""
        return bool(self.distances) and self.distances[0] > STILL * size

    @property
    def rested(self) -> float | None:
        """When it came to rest [s], if it has: the distance stays below `within` of the first."""
        if len(self.times) < 2 or self.distances[0] == 0.0:
            return None
        found = measure.rest_time(np.array(self.times), np.array(self.distances), self.within)
        return found if np.isfinite(found) else None
