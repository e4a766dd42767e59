"""What a haptic loop has done."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Array = np.ndarray
#: Of lateness and of steps.
PERCENTILES = (50.0, 99.0, 99.9, 100.0)


@dataclass(frozen=True, eq=False)
class HapticReport:
    """`loop.run(...)`: how well a loop kept its time, and what the hand felt.

    late, cost [s], (n,): of each tick. forces [N] on the hand and hands [m], (n, 3). hz: as asked.
    """

    hz: float
    late: Array
    cost: Array
    forces: Array
    hands: Array

    @property
    def work(self) -> float:
        """The most work that the hand has been given at any time, less what it gave before [J].

        Of each tick: its force times the way since the last one. Zero of a body that was at rest.
        """
        if len(self.hands) < 2:
            return 0.0
        sums = np.cumsum((self.forces[1:] * np.diff(self.hands, axis=0)).sum(axis=1))
        return float(max(0.0, sums.max()))

    @property
    def missed(self) -> float:
        """The share of ticks that began more than one period late."""
        return float((self.late > 1.0 / self.hz).mean()) if len(self.late) else 0.0

    def __str__(self) -> str:
        def row(values: Array) -> str:
            found = np.percentile(1e6 * values, PERCENTILES)
            return " ".join(f"{value:9.0f}" for value in found)

        head = " ".join(f"{name:>9}" for name in ("p50", "p99", "p99.9", "most"))
        force = float(np.linalg.norm(self.forces, axis=1).max(initial=0.0))
        return "\n".join(
            [
                f"{len(self.late)} ticks at {self.hz:g} Hz   {head}",
                f"{'late [us]':>18}   {row(self.late)}",
                f"{'step [us]':>18}   {row(self.cost)}",
                f"{'a period late':>18}   {self.missed:.2%} of ticks",
                f"{'force':>18}   up to {force:.3g} N",
                f"{'work':>18}   {self.work:.1e} J given to the hand at most",
            ]
        )
