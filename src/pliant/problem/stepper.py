"""What every stepper can do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pliant.solvers import Report

if TYPE_CHECKING:
    from .loads import Loads
    from .problem import BodyProblem
    from .state import State


class Stepper(Protocol):
    """Makes one step of one body."""

    def step(
        self, problem: BodyProblem, state: State, loads: Loads, dt: float
    ) -> tuple[State, Report]:
        """The state after dt, and what the solver did. Changes nothing."""
        ...
