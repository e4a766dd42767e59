"""What every stepper can do."""

from __future__ import annotations

from typing import Any, Protocol

from pliant.damping import Damping
from pliant.given import shown
from pliant.solvers import Report

from .implicit import Implicit
from .state import State, Surroundings
from .system import System


class Stepper(Protocol):
    """Advances the state of one body by one step."""

    def step(
        self, system: System, state: State, around: Surroundings, damping: Damping, dt: float
    ) -> Report:
        """Advance the state by dt."""
        ...


def accept_stepper(given: Any, who: str) -> Stepper:
    """A stepper that was given, or the implicit one for None."""
    if given is None:
        return Implicit()
    if isinstance(given, type):
        raise TypeError(f"{who}: got the class {given.__name__}; expected {given.__name__}()")
    if not callable(getattr(given, "step", None)):
        raise TypeError(
            f"{who}: got stepper={shown(given)}; expected a stepper such as pl.Implicit()"
        )
    return given
