"""Arrays that are used again when nobody holds them any more."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np
import warp as wp

#: Arrays of the host of each size that are used again, and whether references are counted exactly:
#: threads that share an interpreter without a lock count some later.
USED_AGAIN, COUNTED = 4, getattr(sys, "_is_gil_enabled", lambda: True)()


class Sums(NamedTuple):
    """An array of the device that energies add to; shared: the numpy array in the same memory."""

    array: Any
    on_host: bool
    shared: np.ndarray | None = None

    def taken(self) -> Any:
        """The sums, as an array that lives where positions do."""
        if self.shared is not None:
            return self.shared
        return self.array.numpy().astype(float) if self.on_host else self.array


class Buffers:
    """Zeros in memory that numpy and Warp share, used again when nobody holds them any more.

    To wrap a numpy array for Warp takes 12 us, a tenth of the step of a small body. An array, or a
    view of one, that is still held somewhere has more references than one that lies here.
    """

    def __init__(self, dtype: Any, count: int, device: Any):
        self._dtype, self._shape, self._device = dtype, (count, *dtype._shape_), device
        self._all: list[Sums] = []
        self._unused = 0

    def zeros(self) -> Sums:
        """An array of zeros of which nobody else has a part."""
        for sums in self._all:
            if sys.getrefcount(sums.shared) == self._unused and sums.shared is not None:
                sums.shared.fill(0.0)
                return sums
        out = np.zeros(self._shape)
        sums = Sums(wp.array(out, dtype=self._dtype, device=self._device, copy=False), True, out)
        if len(self._all) < USED_AGAIN and COUNTED:
            del out
            self._unused = sys.getrefcount(sums.shared)
            self._all.append(sums)
        return sums
