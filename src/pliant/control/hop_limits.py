"""What hops a fall allows, told before a run."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .hops import LEAST_GAPS, LEAST_STEPS, MOST_RESTITUTION


@dataclass(frozen=True)
class HopLimits:
    """The hops that a body can make which lands with a speed [m/s] and has a time [s] for them.

    A hop leaves the ground with a share of the speed of the landing before it, at most 0.95, and takes
    2 v/g. most: how many there can be. shortest, longest [s]: how long as many as asked can take.
    Times on the ground, of a quarter of the natural period and more each, come on top.
    """

    asked: int
    speed: float
    most: int
    shortest: float
    longest: float

    @classmethod
    def of(
        cls, asked: int, *, speed: float, gravity: float, rest_in: float, dt: float, gap: float
    ) -> HopLimits:
        """Those of a landing; gravity [m/s^2]: towards the ground; gap [m]: of contact."""
        # The last hop is seen: it rises by two gaps, and lasts one and a half steps.
        least = max(math.sqrt(2.0 * gravity * LEAST_GAPS * gap), 0.5 * gravity * LEAST_STEPS * dt)

        def lasts(count: int, share: float) -> float:
            return sum(2.0 * share**i * speed / gravity for i in range(1, count + 1))

        def shortest(count: int) -> float:
            share = (least / speed) ** (1.0 / count)
            return lasts(count, share) if share <= MOST_RESTITUTION else math.inf

        most = 0
        while shortest(most + 1) <= rest_in:
            most += 1
        count = max(asked, 1)
        return cls(asked, speed, most, shortest(count), lasts(count, MOST_RESTITUTION))

    def __str__(self) -> str:
        landing = f"it lands with {self.speed:.3g} m/s: at most {self.most} in the time"
        if not math.isfinite(self.shortest):
            return f"{landing}; {self.asked} cannot be seen"
        return (
            f"{landing}; {self.asked} {'takes' if self.asked == 1 else 'take'} "
            f"{self.shortest:.2g} to {self.longest:.2g} s in the air"
        )
