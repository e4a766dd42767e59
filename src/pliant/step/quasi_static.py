"""Steps without inertia."""

from __future__ import annotations

from dataclasses import replace

from pliant.declared import Declared
from pliant.problem import BodyProblem, Loads, State
from pliant.solvers import Report

from .resting import rest_in_contact


class QuasiStatic(Declared):
    """No inertia: every frame is the equilibrium under that frame's pins and loads.

        x_new = argmin W(x) - loads . x     at the places of the pins at the end of the step

    Equals the controlled step with 1/w -> 0. Nothing is in motion here, so dampings, and the wish of
    `pl.Settle` with them, change nothing. Source: [young2007] 1.1.1. Not for free bodies, unless contact
    holds them: in a scene with contact they fall until it does, and slide as far as friction lets them.
    """

    def step(
        self, problem: BodyProblem, state: State, loads: Loads, dt: float
    ) -> tuple[State, Report]:
        """The equilibrium under the loads at the end of the step."""
        system = problem.system
        state = state.to_host(system)
        loads = loads.where(state.x)
        if system.contact is not None:
            x, control, report = rest_in_contact(problem, state, loads)
            return replace(state, x=x, v=(x - state.x) / dt, control=control), report
        x = state.x.copy()
        x[system.pinned] = loads.pinned[system.pinned]
        x, report = system.equilibrium(x, loads.on, locked=system.locks(x, loads.on(x)))
        return replace(state, x=x, v=(x - state.x) / dt), report
