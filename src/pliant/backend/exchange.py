"""Arrays of either kind for kernels, and what kernels add up."""

from __future__ import annotations

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
    """Where kernels on an array run: numpy arrays are of the CPU."""
    return wp.get_device("cpu") if isinstance(x, np.ndarray) else x.device


def vector_length(x: Any) -> int:
    """The number of entries of each vector of an array."""
    return int(x.shape[1] if isinstance(x, np.ndarray) else x.dtype._length_)


def spread(vectors: np.ndarray, x: Any) -> Any:
    """One vector for every point, or one for each, as an array of the kind of x."""
    if isinstance(x, np.ndarray):
        return np.broadcast_to(vectors, x.shape)
    return wp.full(len(x), x.dtype(*vectors), device=x.device)


class Sums(NamedTuple):
    """An array of the device that energies add to; shared: the numpy array in the same memory."""

    array: Any
    on_host: bool
    shared: np.ndarray | None = None

    def taken(self) -> Any:
        """What they have added, where positions live."""
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

    def array(self, x: Any) -> Any:
        """Positions as energies take them."""
        return to_device(x, self.vec, self.device)

    def placed(self, x: Any) -> Any:
        """`array` in memory that stays: recorded launches need not be told of another."""
        if not isinstance(x, np.ndarray):
            return x
        if self._shared:
            self._x.numpy()[:] = x  # half the time of `assign`
        else:
            self._x.assign(x)
        return self._x

    def vectors(self, x: Any) -> Sums:
        """Zeros to which energies at x add one vector per point."""
        return self._zeros(x, self.vec, len(x))

    def blocks(self, x: Any, count: int) -> Sums:
        """Zeros to which energies at x add matrices."""
        return self._zeros(x, self.mat, count)

    def _zeros(self, x: Any, dtype: Any, count: int) -> Sums:
        on_host = isinstance(x, np.ndarray)
        if on_host and self._shared and self._double:
            out = np.zeros((count, *dtype._shape_))
            return Sums(wp.array(out, dtype=dtype, device=self.device, copy=False), on_host, out)
        return Sums(wp.zeros(count, dtype=dtype, device=self.device), on_host)
