"""Notices when something about a body changes from outside, so that a take knows its clock."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.bodies import Deformable

NOTHING_DRIVEN = np.zeros((0, 0))


class Changes:
    """Watches one body while it is recorded.

    last: when pins, loads, matter or positions changed last [s]; None if they have not. Pins change
    when they arrive, at the end of a step; loads and matter of a step act from its start.
    """

    def __init__(self, body: Deformable, time: float, gravity: np.ndarray):
        self._body, self._time = body, time
        self.last: float | None = None
        self._count, self._acting = body.changes, acting_at(body, time, gravity)
        self._pins = pins_at(body, time)

    def look(self, time: float, gravity: np.ndarray) -> None:
        """Compare with the last look, one step earlier."""
        acting, pins = acting_at(self._body, time, gravity), pins_at(self._body, time)
        count = self._body.changes
        if not _same([pins], [self._pins]):
            self.last = time
        elif count != self._count or not _same(acting, self._acting):
            self.last = self._time
        self._count, self._acting, self._pins, self._time = count, acting, pins, time


def pins_at(body: Deformable, time: float) -> np.ndarray:
    """Where driven points are at a time [m], (k, d); none if no point is driven."""
    if body.pins_fixed:
        return NOTHING_DRIVEN
    return np.asarray(body.pin_positions(time, body.mesh.points)[body.pinned])


def acting_at(body: Deformable, time: float, gravity: np.ndarray) -> list[Any]:
    """What acts on a body at a time [s], to be compared: gravity, values of loads, and its matter."""
    matter = body.prepare(time)
    acting = [gravity.copy(), *body.load_values(time)]
    return acting if matter is None else [*acting, matter]


def _same(a: list[Any], b: list[Any]) -> bool:
    return len(a) == len(b) and all(
        p is q or np.array_equal(p, q) for p, q in zip(a, b, strict=True)
    )
