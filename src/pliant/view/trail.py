"""How fast a pointer went when the hand opened."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from pliant.errors import usable
from pliant.given import floats_or_nan

#: A flick is how the pointer moved in so long before the hand opened [s].
FLICK = 0.15
#: A pointer that was not heard of for so long [s] stood still.
PAUSE = 0.1
#: A page tells of its pointer so often [s]; what comes in a burst took as long at least.
SHORTEST = 0.05
#: Places of a pointer are kept, at most.
PLACES = 64


class Trail:
    """Where a pointer was in the last moments, in seconds of the wall and metres of the scene."""

    def __init__(self) -> None:
        self._places: deque[tuple[float, np.ndarray]] = deque(maxlen=PLACES)

    def add(self, at: float, place: np.ndarray) -> None:
        """The pointer is at a place [m], (3,), at a time [s]."""
        self._places.append((at, np.asarray(place, dtype=float)))

    def velocity(self, now: float) -> np.ndarray | None:
        """How fast it moves [m/s], (3,); None if it stands still, or nothing is known."""
        known = [(at, place) for at, place in self._places if at >= now - FLICK]
        if len(known) < 2 or now - known[-1][0] > PAUSE:
            return None
        (began, first), (ended, last) = known[0], known[-1]
        moved = last - first
        if not usable(moved) or not moved.any():
            return None
        return np.asarray(moved / max(ended - began, SHORTEST))


class Trails:
    """Those of all pointers that hold a body, or want to; for any thread."""

    def __init__(self) -> None:
        self._each: dict[Any, Trail] = {}

    def begin(self, who: Any) -> None:
        """A pointer takes something in hand."""
        self._each[who] = Trail()

    def add(self, who: Any, at: float, to: Any) -> None:
        """It moves to a place [m], (3,), at a time [s]; what is no place is not heard."""
        place, trail = floats_or_nan(to), self._each.get(who)
        if trail is not None and place.shape == (3,):
            trail.add(at, place)

    def end(self, who: Any, now: float) -> np.ndarray | None:
        """It lets go: how fast it moves [m/s], (3,), or None."""
        trail = self._each.pop(who, None)
        return None if trail is None else trail.velocity(now)


def place_of(what: str, point: Any) -> np.ndarray:
    """A place in space [m], (3,)."""
    where = floats_or_nan(point)
    if where.shape not in ((2,), (3,)) or not usable(where):
        raise ValueError(f"{what}: got {point!r}; expected three numbers [m], e.g. (0, 1, 0)")
    return where
