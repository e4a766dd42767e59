"""Numbers that the connected parts of a body have each for itself, as kernels take them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import Labels


@dataclass(frozen=True, eq=False)
class PerPart:
    """One number for the cells of each part."""

    values: tuple[float, ...]
    cells: Labels


def gains_on(device: Any, s: float | PerPart, t: float | PerPart) -> list[Any]:
    """Two numbers for all cells, then those of every part, (2, parts), and the part of every cell.

    The last two are empty if all cells have the same.
    """
    name = str(device)
    parted = [v for v in (s, t) if isinstance(v, PerPart)]
    if not parted:
        return [s, t, *_nothing(name)]
    count = len(parted[0].values)
    rows = [v.values if isinstance(v, PerPart) else (v,) * count for v in (s, t)]
    each: Any = wp.array(np.array(rows), dtype=wp.float64, device=device)
    return [0.0, 0.0, each, parted[0].cells.on(name)]


def per_cell(factor: float | PerPart) -> float | np.ndarray:
    """One number for all cells, or that of every cell, (cells,)."""
    if isinstance(factor, PerPart):
        each: np.ndarray = np.asarray(factor.values)[factor.cells.numbers]
        return each
    return factor


@cache
def _nothing(device: str) -> tuple[Any, Any]:
    empty: Any = wp.zeros((2, 0), dtype=wp.float64, device=device)
    return empty, wp.zeros(0, dtype=wp.int32, device=device)
