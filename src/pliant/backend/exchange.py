"""Arrays of either kind for kernels, and what kernels add up."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np
import warp as wp

from .devices import parallel


def to_device(a: Any, dtype: Any, device: Any, *, copy: bool = False) -> Any:
    """A numpy array as one of the device, in the same memory where that can be; others as they are."""
    if not isinstance(a, np.ndarray):
        return a
    return wp.array(np.ascontiguousarray(a), dtype=dtype, device=device, copy=copy)


def to_host(a: Any) -> np.ndarray:
    """`a` as a numpy array, which it may be already."""
    return a if isinstance(a, np.ndarray) else a.numpy().copy()


def overwrite(target: Any, a: Any) -> None:
    """Write the entries of a numpy array, or of one of any device, into an array of a device."""
    target.assign(np.ascontiguousarray(a) if isinstance(a, np.ndarray) else a)


def device_of(x: Any) -> Any:
    """The device of an array; numpy arrays belong to the CPU."""
    return wp.get_device("cpu") if isinstance(x, np.ndarray) else x.device


def vector_length(x: Any) -> int:
    """The number of entries of each vector of an array."""
    return int(x.shape[1] if isinstance(x, np.ndarray) else x.dtype._length_)


def spread(vectors: np.ndarray, x: Any) -> Any:
    """One vector for every point, or one for each, as an array of the kind of x."""
    if isinstance(x, np.ndarray):
        return np.broadcast_to(vectors, x.shape)
    return wp.full(len(x), x.dtype(*vectors), device=x.device)


#: Arrays of each size that are used again, and whether references are counted exactly: threads
#: that share an interpreter without a lock count some later.
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


class Exchange:
    """Hands positions to energies, which take arrays of one device, and sums back.

    Arrays of the device pass through; for numpy arrays the sums are numpy arrays too.
    """

    def __init__(self, points: int, dim: int, *, device: Any, dtype: Any):
        self.device, self.vec = device, wp.types.vector(dim, dtype)
        self.mat = wp.types.matrix((dim, dim), dtype)
        self._shared, self._double = not parallel(device), dtype is wp.float64
        self._x: Any = wp.zeros(points, dtype=self.vec, device=device)
        self._view = self._x.numpy() if self._shared else None
        self._used: dict[tuple[Any, int], Buffers] = {}

    def array(self, x: Any) -> Any:
        """Positions as energies take them."""
        return to_device(x, self.vec, self.device)

    def placed(self, x: Any) -> Any:
        """`array` in memory that stays: recorded launches need not be told of another."""
        if not isinstance(x, np.ndarray):
            return x
        if self._view is None:
            self._x.assign(x)
        else:
            self._view[:] = x  # a fourth of the time of `assign`
        return self._x

    def taken(self, y: Any) -> Any:
        """What kernels have written into an array that `placed` gave, where that of the caller lives."""
        if y is not self._x:
            return y
        return self._x.numpy() if self._view is None else self._view.copy()

    def vectors(self, x: Any) -> Sums:
        """Zeros to which energies at x add one vector per point."""
        return self._zeros(x, self.vec, len(x))

    def blocks(self, x: Any, count: int) -> Sums:
        """Zeros to which energies at x add matrices."""
        return self._zeros(x, self.mat, count)

    def _zeros(self, x: Any, dtype: Any, count: int) -> Sums:
        on_host = isinstance(x, np.ndarray)
        if on_host and self._shared and self._double:
            key = (dtype, count)
            if key not in self._used:
                self._used[key] = Buffers(dtype, count, self.device)
            return self._used[key].zeros()
        return Sums(wp.zeros(count, dtype=dtype, device=self.device), on_host)


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
