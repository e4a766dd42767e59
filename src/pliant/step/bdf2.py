"""The backward differentiation formula of second order."""

from __future__ import annotations

from pliant.problem import Difference, State, StepContext

from .differenced import Differenced
from .motion import Motion


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

    def difference(self, state: State, motion: Motion, context: StepContext) -> Difference:
        """From this state and the one before."""
        dt, past = context.dt, state.past
        # Compared by time: after another stepper, or a failed step, `past` is of another moment.
        if not (
            past is not None
            and abs(past.dt - dt) <= 1e-9 * dt
            and abs(past.reached + dt - context.time) <= 1e-6 * dt
        ):
            return Difference.backward_euler(state.x, state.v, dt, context.vectors)
        span = 2.0 * dt / 3.0
        shares = ((4.0 / 3.0, state.x), (-1.0 / 3.0, past.x))
        y, u = ((4.0 * now - then) / 3.0 for now, then in ((state.x, past.x), (state.v, past.v)))
        return Difference(1.0 / span**2, y + span * u, span, shares, context.x)
