"""What every stepper can do."""

from __future__ import annotations

from typing import Protocol

from pliant.given import shown
from pliant.solvers import Report

from .implicit import Implicit
from .loads import Loads
from .problem import BodyProblem
from .state import State


class Stepper(Protocol):
    """Makes one step of one body."""

    def step(
        self, problem: BodyProblem, state: State, loads: Loads, dt: float
    ) -> tuple[State, Report]:
        """The state after dt, and what the solver did. Changes nothing."""


def accept_stepper(given: Stepper | None, who: str) -> Stepper:
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
