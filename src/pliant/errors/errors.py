"""What can go wrong in a run, and the tests that most refusals share."""

from __future__ import annotations

import math
import sys
import warnings
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .words import described

#: Positive numbers outside of these are refused: squares and quotients of them are no floats.
SMALLEST, LARGEST = 1e-100, 1e100


def is_finite(value: Any) -> bool:
    """Whether a value is a finite real number, of Python or of numpy, that a float can hold."""
    try:
        return isinstance(value, Real) and math.isfinite(value)
    except (OverflowError, ValueError):  # 10**400, and numpy's own scalars that are no number
        return False


def is_whole(value: Any) -> bool:
    """Whether a value is a finite whole number; True and False are not."""
    return not isinstance(value, bool) and is_finite(value) and value == int(value)


def check_positive(who: str, what: str, value: Any, unit: str) -> None:
    """Refuse what is not a number above zero."""
    if not (is_finite(value) and value > 0.0):
        one = "one number " if getattr(value, "shape", ()) else ""
        raise ValueError(
            f"{who}: got {what}={described(value)}; expected {one}more than 0 [{unit}]"
        )
    check_size(who, what, value, unit)


def usable(values: NDArray[np.float64]) -> bool:
    """Whether all numbers of an array are finite and small enough to be squared."""
    return bool((np.abs(values) <= LARGEST).all())


def check_size(who: str, what: str, value: float, unit: str) -> None:
    """Refuse a positive number that is too small or too large to compute with."""
    if not SMALLEST <= float(value) <= LARGEST:
        raise ValueError(
            f"{who}: got {what}={float(value):g}; expected {SMALLEST:g} to {LARGEST:g} [{unit}]"
        )


class SolverError(RuntimeError):
    """A step or an equilibrium could not be computed; `take` holds the frames before it, if any."""

    take: Any = None


class UnstableError(SolverError):
    """The equilibrium is unstable or does not exist."""


def renamed(old: str, new: str) -> None:
    """Warn whoever uses an old name of ours."""
    warnings.warn(f"{old} is now {new}", DeprecationWarning, stacklevel=3)


def warn_user(message: str) -> None:
    """Warn at the line of the user's program that called into pliant, however deep we are."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and _is_ours(frame.f_globals.get("__name__", "")):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, RuntimeWarning, stacklevel=level)


def _is_ours(module: str) -> bool:
    """Whether a module is of pliant, or of the decorators that stand between two of its functions."""
    return module.startswith("pliant.") or module == "contextlib"


class OldName:
    """An old name of an attribute: it works, and warns. what: such an object, in the warning."""

    def __init__(self, what: str, new: str):
        self._what, self._new = what, new

    def __set_name__(self, owner: type, name: str) -> None:
        self._old = name

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        renamed(f"{self._what}.{self._old}", f"{self._what}.{self._new}")
        return getattr(instance, self._new)


class MissingExtraError(ModuleNotFoundError):
    """An optional package is not installed; the message says how to get it."""

    def __init__(self, what: str, package: str, extra: str):
        super().__init__(
            f"{what} need {package}, which is not installed: pip install 'pliant[{extra}]'",
            name=package,
        )


def optional(module: str, what: str, extra: str, package: str = "") -> Any:
    """A module of an optional package; refuses what needs it where it is not installed."""
    try:
        return __import__(module)
    except ImportError:
        raise MissingExtraError(what, package or module, extra) from None


def require_matplotlib(what: str, extra: str = "plot") -> None:
    """Refuse what matplotlib draws where it is not installed."""
    optional("matplotlib", what, extra)


class ImpossibleWishError(ValueError):
    """What was asked of a damping cannot be met at this time step."""
