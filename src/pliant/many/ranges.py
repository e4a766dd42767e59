"""Parameters between two ends, scaled to 0 .. 1."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from pliant.errors import is_finite, shown

from .variants import WIDE


@dataclass(frozen=True)
class Range:
    """A parameter between two ends, scaled to 0 .. 1: by the logarithm if they are far apart."""

    low: float
    high: float

    @property
    def wide(self) -> bool:
        """Whether it is scaled by the logarithm."""
        return self.low > 0.0 and self.high >= WIDE * self.low

    def value(self, t: float) -> float:
        """The value at t."""
        if self.wide:
            return float(self.low * (self.high / self.low) ** t)
        return float(self.low + t * (self.high - self.low))

    def scaled(self, value: float) -> float:
        """The t of a value."""
        if self.wide:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def slope(self, t: float) -> float:
        """How the value changes with t."""
        if self.wide:
            return self.value(t) * math.log(self.high / self.low)
        return self.high - self.low


def accept_ranges(vary: Mapping[str, tuple[float, float]]) -> dict[str, Range]:
    """The ranges that a user gives, by name."""
    if not vary:
        raise ValueError('fit: got nothing to vary; expected e.g. vary={"young": (1e3, 1e6)}')
    for name, ends in vary.items():
        good = isinstance(ends, (tuple, list)) and len(ends) == 2 and all(map(is_finite, ends))
        if not (good and ends[0] < ends[1]):
            raise ValueError(
                f"fit: got vary {name}={shown(ends)}; expected a range (low, high), e.g. (1e3, 1e6)"
            )
    return {name: Range(float(low), float(high)) for name, (low, high) in vary.items()}
