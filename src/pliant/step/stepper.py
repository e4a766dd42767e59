"""Whether something that was given is a stepper."""

from __future__ import annotations

from functools import cache

from pliant.errors import shown
from pliant.problem import Stepper

from .implicit import Implicit


def accept_stepper(given: Stepper | None, who: str) -> Stepper:
    """A stepper that was given, or the implicit one for None."""
    if given is None:
        return _default()
    if isinstance(given, type):
        raise TypeError(f"{who}: got the class {given.__name__}; expected {given.__name__}()")
    if not callable(getattr(given, "step", None)):
        raise TypeError(
            f"{who}: got stepper={shown(given)}; expected a stepper such as pl.Implicit()"
        )
    return given


@cache
def _default() -> Implicit:
    return Implicit()
