"""Arguments of the generators, checked in one place."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real

import numpy as np


def lengths(call: str, **given: float) -> tuple[float, ...]:
    """Check lengths [m], each finite and above zero."""
    for name, value in given.items():
        if not (isinstance(value, Real) and np.isfinite(value) and value > 0):
            raise ValueError(
                f"{name} is {value!r}; expected a length above 0 in metres, as in {call}"
            )
    return tuple(float(value) for value in given.values())


def counts(call: str, **given: int) -> tuple[int, ...]:
    """Check whole numbers of cells, each at least one."""
    for name, value in given.items():
        if not (isinstance(value, Real) and np.isfinite(value) and value >= 1 and value % 1 == 0):
            raise ValueError(f"{name} is {value!r}; expected a whole number from 1, as in {call}")
    return tuple(int(value) for value in given.values())


def several(call: str, name: str, given: Sequence[float], number: int) -> tuple:
    """Check that an argument is a sequence of so many numbers."""
    if np.shape(given) != (number,):
        raise ValueError(f"{name} is {given!r}; expected {number} numbers, as in {call}")
    return tuple(given)


def choice(call: str, kind: str, allowed: tuple[str, ...]) -> str:
    """Check the kind of cell asked for."""
    if kind not in allowed:
        raise ValueError(f"kind is {kind!r}; expected one of {', '.join(allowed)}, as in {call}")
    return kind
