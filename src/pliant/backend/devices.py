"""Facts about a device on which launches depend."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import warp as wp

from .runtime import start

#: Threads of a block that share a sum on CUDA.
BLOCK = 256

_resident: ContextVar[bool] = ContextVar("resident", default=False)


def parallel(device: Any) -> bool:
    """Whether many threads of a launch run at once, in memory that is not the host's: on CUDA.

    On the CPU a launch runs its threads one by one, in memory that numpy shares.
    """
    start()
    return bool(wp.get_device(device).is_cuda)


def whole_blocks(count: int, device: Any) -> int:
    """`count` rounded up to whole blocks of threads, for kernels whose blocks share a sum."""
    return -(-count // BLOCK) * BLOCK if parallel(device) else count


def keeps_arrays(device: Any) -> bool:
    """Whether the arrays of a body should stay on the device while it moves."""
    return parallel(device) or _resident.get()


@contextmanager
def resident(on: bool = True) -> Iterator[None]:
    """A context in which bodies are prepared as for CUDA, with the CPU as the device.

    It shows on any machine what is done on a device; on the CPU it is slower than numpy.
    """
    token = _resident.set(on)
    try:
        yield
    finally:
        _resident.reset(token)
