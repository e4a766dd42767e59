"""A shape and its velocity as one row of numbers, for files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .basis import Basis
from .frame import BodyFrame
from .shape import ReducedShape, ReducedVelocity

Array = np.ndarray
#: Numbers of a frame: centre, rotation, momentum, spin, velocity and turning.
OF_FRAME = 24


def row_of(shape: ReducedShape, p: Array | None = None) -> Array:
    """q, p, centre, rotation, momentum, spin, velocity and turning, (2 r + 24,)."""
    frame = shape.frame
    rates = np.zeros_like(shape.q) if p is None else p
    parts = [shape.q, rates, frame.centre, frame.rotation.ravel(), frame.momentum, frame.spin]
    return np.concatenate([*parts, frame.velocity, frame.turning])


def from_row(basis: Basis, row: Array) -> ReducedVelocity:
    """The velocity, and `at` which shape, of a row. Refuses a row of another basis."""
    if row.shape != (2 * len(basis) + OF_FRAME,) or not np.isfinite(row).all():
        raise ValueError(
            f"a row of shape {row.shape}; expected {2 * len(basis) + OF_FRAME} numbers"
        )
    sizes = [len(basis), len(basis), 3, 9, 3, 3, 3]
    q, p, centre, turn, *motion = np.split(row, np.cumsum(sizes))
    frame = BodyFrame(centre, turn.reshape(3, 3), *motion)
    return ReducedVelocity(ReducedShape(basis, q, frame), p)


class ReducedRows(Sequence[Any]):
    """Shapes or velocities of rows, which are read when they are asked for."""

    def __init__(self, basis: Basis, rows: Any, *, velocities: bool):
        self._basis, self._rows, self._velocities = basis, rows, velocities

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, frame: Any) -> Any:
        found = from_row(self._basis, np.asarray(self._rows[frame]))
        return found if self._velocities else found.at
