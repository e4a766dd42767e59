"""What a hand is held by."""

from __future__ import annotations

import time
from typing import Any, Protocol

import numpy as np

from pliant.given import over_time

Array = np.ndarray


class DeviceError(RuntimeError):
    """A device has failed or stopped answering; the loop has ended, with zero force."""


class Device(Protocol):
    """A haptic device. It is pickled into the process of the loop, and opens its driver at first use."""

    def read(self) -> Array:
        """Where the hand is [m], (3,). To be answered within a millisecond."""

    def write(self, force: Array) -> None:
        """The force on the hand from now on [N], (3,)."""


class Simulated:
    """A hand that follows a path, for tests and measurements.

    path: a function of time [s] that returns a position [m], (3,), defined in a module, or (times,
    positions), which are interpolated. Time begins with the first `read`.
    """

    def __init__(self, path: Any):
        over_time(path, (3,), what="Simulated")
        self._path = path
        self._begin: float | None = None

    def read(self) -> Array:
        """Where the path is now [m], (3,)."""
        if self._begin is None:
            self._begin = time.perf_counter()
            self._at = over_time(self._path, (3,), what="Simulated")
        return self._at(time.perf_counter() - self._begin)

    def write(self, force: Array) -> None:
        """Nothing: it feels no force."""

    def __getstate__(self) -> dict[str, Any]:
        return {"_path": self._path, "_begin": None}
