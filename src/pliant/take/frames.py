"""Frames of a take, one at a time: an array in memory, or frames that are made when asked for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from pliant.resources import require_memory


class Frames(Protocol):
    """What arrays of shape (frames, ...) and `LazyFrames` have in common."""

    def __len__(self) -> int: ...

    def __getitem__(self, frame: int, /) -> Any: ...

    def __iter__(self) -> Iterator[Any]: ...


class LazyFrames(Sequence[np.ndarray]):
    """Frames that `make(frame)` reads or computes when they are asked for; only the last is kept.

    shape, dtype: those of the array of all frames, (frames, ...), which `np.asarray` makes.
    """

    def __init__(
        self, shape: tuple[int, ...], make: Callable[[int], np.ndarray], *, dtype: Any = float
    ):
        self.shape, self.dtype, self._make = shape, np.dtype(dtype), make
        self._last: tuple[int, np.ndarray] | None = None

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, frame: Any) -> Any:
        if isinstance(frame, slice):
            return np.stack([self[k] for k in range(len(self))[frame]])
        frame = range(len(self))[frame]  # counts from the end, too
        last = self._last
        if last is None or last[0] != frame:
            values = self._make(frame)
            values.flags.writeable = False  # whoever asks next gets the same one
            self._last = last = (frame, values)
        return last[1]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        require_memory(
            f"all {len(self)} frames",
            float(self.dtype.itemsize) * math.prod(self.shape),
            "one frame after the other: track.position_frames[0]",
        )
        found = np.empty(self.shape, dtype or self.dtype)
        for frame, values in enumerate(self):
            found[frame] = values
        return found


class CoordinateFrames(LazyFrames):
    """Frames of a reduced body, which `make(frame)` expands; `kept` has the coordinates of each."""

    def __init__(
        self, shape: tuple[int, ...], make: Callable[[int], np.ndarray], kept: Sequence[Any]
    ):
        super().__init__(shape, make)
        self.kept = kept


class Picked(Sequence[np.ndarray]):
    """Frames by number: frame i is `frames[which[i]]`."""

    def __init__(self, frames: Frames, which: Sequence[int] | np.ndarray):
        self._frames, self._which = frames, which

    def __len__(self) -> int:
        return len(self._which)

    def __getitem__(self, frame: Any) -> Any:
        return self._frames[int(self._which[frame])]


def box(frames: Frames) -> tuple[np.ndarray, np.ndarray]:
    """The lowest and the highest coordinates of points in all frames, each (n, d): (d,) each."""
    ends = [(x.min(axis=0), x.max(axis=0)) for x in frames]
    return np.min([low for low, _ in ends], axis=0), np.max([high for _, high in ends], axis=0)
