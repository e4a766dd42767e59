# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Sums and maxima over the threads of a launch, and their way to the host."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import warp as wp

from .array_types import Doubles
from .devices import BLOCK, parallel

OPTIONS = {"enable_backward": False}


def kernels_named(*kernels: Any) -> Any:
    """Kernels as attributes with their names."""
    return SimpleNamespace(**{kernel.func.__name__: kernel for kernel in kernels})


class HostNumbers:
    """A few numbers on a device that the host reads often.

    On CUDA they come through memory that is locked in place, in a fourth of the time of a copy to
    ordinary memory.
    """

    def __init__(self, count: int, device: Any):
        self.array = wp.zeros(count, dtype=wp.float64, device=device)
        self._remote = parallel(self.array.device)
        self._host = self.array
        if self._remote:
            self._host = wp.zeros(count, dtype=wp.float64, device="cpu", pinned=True)
        self._view = self._host.numpy()

    def emptied(self) -> Any:
        """The array, all zero."""
        self.array.zero_()
        return self.array

    def read(self) -> np.ndarray:
        """The numbers, when all that was launched before is done."""
        if self._remote:
            wp.copy(self._host, self.array)
            wp.synchronize_stream(self.array.device)
        return self._view


@cache
def adder(cuda: bool, module: Any = None) -> Any:
    """Return the Warp function of a module that adds every thread's value to total[slot].

    On CUDA all threads of a block must call it with the same slot: launches are rounded up to whole
    blocks.
    """
    if not cuda:

        @wp.func(module=module)
        def add_plainly(total: Doubles, slot: int, value: wp.float64):
            total[slot] = total[slot] + value  # one thread: no atomic is needed

        return add_plainly

    @wp.func(module=module)
    def add_tiled(total: Doubles, slot: int, value: wp.float64):
        wp.tile_atomic_add(total, wp.tile_sum(wp.tile(value)), offset=slot)

    return add_tiled


@cache
def topper(cuda: bool) -> Any:
    """Return the Warp function that raises total[0] to the value of every thread i of a launch."""
    if not cuda:

        @wp.func
        def raise_plainly(total: Doubles, i: int, value: wp.float64):
            if not (value <= total[0]):
                total[0] = value

        return raise_plainly

    @wp.func
    def raise_tiled(total: Doubles, i: int, value: wp.float64):
        most = wp.tile_max(wp.tile(value))
        largest = wp.tile_extract(most, 0)
        if i % BLOCK == 0:  # one thread of a block: thousands at one place wait for each other
            wp.atomic_max(total, 0, largest)

    return raise_tiled
