"""Arguments of the generators, checked in one place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pliant.errors import LARGEST, SMALLEST, Advice, described, is_finite, is_whole, shown
from pliant.given import dimensions
from pliant.resources import require_memory

from .kinds import KINDS, canonical

#: More cells than this along one side no machine can hold.
MOST_CELLS = 1e15
#: Bytes that making a mesh takes for each point of a cell, at least (measured: 62 to 520).
BYTES_PER_NODE = 60


def lengths(call: str, **given: float) -> tuple[float, ...]:
    """Check lengths [m], each finite and above zero."""
    for name, value in given.items():
        if not (is_finite(value) and value > 0):
            raise _refusal(f"{name} is {shown(value)}; expected a length above 0 in metres", call)
        if not SMALLEST <= float(value) <= LARGEST:
            raise _refusal(
                f"{name} is {value:g}; expected {SMALLEST:g} to {LARGEST:g} metres", call
            )
    return tuple(float(value) for value in given.values())


def counts(call: str, **given: int) -> tuple[int, ...]:
    """Check whole numbers of cells, each at least one."""
    for name, value in given.items():
        if not (is_whole(value) and value >= 1):
            raise _refusal(f"{name} is {shown(value)}; expected a whole number from 1", call)
        if float(value) > MOST_CELLS:
            raise _refusal(f"{name} is {float(value):g}; expected at most {MOST_CELLS:g}", call)
    return tuple(int(value) for value in given.values())


def several(call: str, name: str, given: Sequence[float], number: int) -> tuple[Any, ...]:
    """Check that an argument is a sequence of so many numbers."""
    if not (dimensions(given) == 1 and len(given) == number):
        raise _refusal(f"{name} is {described(given)}; expected {number} numbers", call)
    return tuple(given)


def place(call: str, given: Sequence[float], number: int) -> tuple[float, ...]:
    """Check a point [m]."""
    several(call, "origin", given, number)
    if not all(is_finite(value) and abs(float(value)) <= LARGEST for value in given):
        what = f"origin is {described(given)}, which is not finite"
        raise _refusal(f"{what}; expected {number} numbers in metres", call)
    return tuple(float(value) for value in given)


def choice(call: str, kind: str, allowed: tuple[str, ...]) -> str:
    """Check the kind of cell asked for."""
    if not (isinstance(kind, str) and kind in allowed):
        raise _refusal(f"kind is {shown(kind)}; expected one of {', '.join(allowed)}", call)
    return kind


def _refusal(said: str, call: str) -> ValueError:
    """An error that shows a good call to Python users."""
    return ValueError(Advice(said, f", as in {call}"))


def require_room(call: str, kind: str, cells: float) -> None:
    """Refuse more cells of a kind than this machine has memory for, before they are made."""
    taken = float(BYTES_PER_NODE) * KINDS[canonical(kind)].nodes * cells
    require_memory(f"a mesh of {cells:.3g} {kind} cells", taken, Advice("fewer", f", as in {call}"))
