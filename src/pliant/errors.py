"""What can go wrong in a run, and the tests that most refusals share."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any


def is_finite(value: Any) -> bool:
    """Whether a value is a finite real number, of Python or of numpy."""
    return isinstance(value, Real) and math.isfinite(value)


def check_positive(who: str, what: str, value: Any, unit: str) -> None:
    """Refuse what is not a number above zero."""
    if not (is_finite(value) and value > 0.0):
        shape = getattr(value, "shape", ())  # the numbers of an array would take many lines
        given = f"an array of shape {shape}" if shape else repr(value)
        expected = "one number more than 0" if shape else "more than 0"
        raise ValueError(f"{who}: got {what}={given}; expected {expected} [{unit}]")


class SolverError(RuntimeError):
    """A step or an equilibrium could not be computed; `take` holds the frames before it, if any."""

    take: Any = None


class UnstableError(SolverError):
    """The equilibrium is unstable or does not exist."""


class MissingExtraError(ModuleNotFoundError):
    """An optional package is not installed; the message says how to get it."""

    def __init__(self, what: str, package: str, extra: str):
        super().__init__(
            f"{what} need {package}, which is not installed: pip install 'pliant[{extra}]'",
            name=package,
        )


class ImpossibleWishError(ValueError):
    """What was asked of a damping cannot be met at this time step."""
