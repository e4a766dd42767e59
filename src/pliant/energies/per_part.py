"""Numbers that the connected parts of a body have each for itself, as kernels take them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import warp as wp


@dataclass(frozen=True, eq=False)
class CellParts:
    """The number of the part of every cell, (cells,), kept on each device that asked for it."""

    numbers: np.ndarray
    _arrays: dict[str, Any] = field(default_factory=dict)

    def on(self, device: str) -> Any:
        """As an array of a device."""
        if device not in self._arrays:
            self._arrays[device] = wp.array(self.numbers, dtype=wp.int32, device=device)
        return self._arrays[device]


@dataclass(frozen=True, eq=False)
class PerPart:
    """One number for the cells of each part."""

    values: tuple[float, ...]
    cells: CellParts


def gains_on(device: Any, *values: float | PerPart) -> list[Any]:
    """Arrays of a number per part, and last the part of every cell; for plain numbers of length 1."""
    name = str(device)
    cells = next((v.cells for v in values if isinstance(v, PerPart)), None)
    if cells is None:
        return [
            *(_array((float(v),), name) for v in values if not isinstance(v, PerPart)),
            _one(name),
        ]
    parts = max(len(v.values) for v in values if isinstance(v, PerPart))
    each = (v.values if isinstance(v, PerPart) else (float(v),) * parts for v in values)
    return [*(_array(v, name) for v in each), cells.on(name)]


@lru_cache(maxsize=256)  # most gains stay the same from step to step
def _array(values: tuple[float, ...], device: str) -> Any:
    return wp.array(values, dtype=wp.float64, device=device)


@lru_cache(maxsize=8)
def _one(device: str) -> Any:
    return wp.zeros(1, dtype=wp.int32, device=device)
