"""Arrays that are used again when nobody holds them any more."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np
import warp as wp

#: Arrays of each size that are used again, of the host and of a device, and whether references are
#: counted exactly: threads that share an interpreter without a lock count some later.
USED_AGAIN, DEVICE_ARRAYS = 4, 32
COUNTED = getattr(sys, "_is_gil_enabled", lambda: True)()


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


class DeviceBuffers:
    """Arrays of a device of one size, used again when nobody holds them any more.

    To ask a device for memory takes as long from Python as a launch does. What was launched before an
    array was let go comes before what is launched with it anew: they are in one stream.
    """

    def __init__(self, dtype: Any, count: int, device: Any):
        self._dtype, self._count, self._device = dtype, count, wp.get_device(device)
        self._all: list[Any] = []
        self._unused = 0

    def empty(self) -> Any:
        """An array, of anything, of which nobody else has a part."""
        for array in self._all:
            if sys.getrefcount(array) == self._unused:
                return array
        array = wp.empty(self._count, dtype=self._dtype, device=self._device)
        if len(self._all) < DEVICE_ARRAYS and COUNTED and not self._device.is_capturing:
            self._all.append(array)  # one of a recording would belong to it
            self._unused = sys.getrefcount(array)  # held by the list, by `array` and by the call
        return array

    def zeros(self) -> Any:
        """The same, of zeros."""
        array = self.empty()
        array.zero_()
        return array
