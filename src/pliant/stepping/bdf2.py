"""The backward differentiation formula of second order."""

from __future__ import annotations

from pliant.damping import Damping
from pliant.damping.difference import Difference
from pliant.damping.moment import Moment
from pliant.solvers import Report

from .differenced import Differenced
from .motion import Motion
from .state import State, Surroundings
from .system import System

MEMORY = "bdf2"


class BDF2(Differenced):
    """Rates from three positions, as a minimisation.

        v_new = (3 x_new - 4 x + x_before)/(2 dt),    a_new = (3 v_new - 4 v + v_before)/(2 dt)
        span = 2 dt/3,   weight = 1/span^2,
        anchor = (4 x - x_before)/3 + span (4 v - v_before)/3

    Second order, stable at any dt where forces are linear, and damps what is too fast for dt: a mode
    loses (omega dt)^4/2 of its energy a step where backward Euler loses (omega dt)^2. The first step,
    and the first after dt, pins, loads or positions were changed, is backward Euler. Linear momentum
    is kept; angular momentum to second order in dt. Source: [hairer1996] V.1.
    """

    def difference(
        self, system: System, state: State, motion: Motion, moment: Moment
    ) -> Difference:
        """From this state and the one before."""
        dt, kept = moment.dt, state.memory.get(MEMORY)
        # By its time: another stepper, or a step that failed, leaves a state that it did not reach.
        if not (
            kept
            and abs(kept["dt"] - dt) <= 1e-9 * dt
            and abs(kept["reached"] + dt - moment.time) <= 1e-6 * dt
        ):
            return Difference.backward_euler(state.x, state.v, dt, system.host)
        span = 2.0 * dt / 3.0
        past = ((4.0 / 3.0, state.x), (-1.0 / 3.0, kept["x"]))
        y, u = (
            (4.0 * now - then) / 3.0 for now, then in ((state.x, kept["x"]), (state.v, kept["v"]))
        )
        return Difference(1.0 / span**2, y + span * u, span, past, moment.x)

    def step(
        self, system: System, state: State, around: Surroundings, damping: Damping, dt: float
    ) -> Report:
        """Advance the state by dt, and keep the one that is left."""
        state.lower(system)
        x, v = state.x, state.v
        report = super().step(system, state, around, damping, dt)
        state.memory[MEMORY] = {"x": x, "v": v, "dt": dt, "reached": around.time}
        return report
