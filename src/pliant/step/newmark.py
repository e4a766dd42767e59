"""Newmark's step."""

from __future__ import annotations

from typing import Annotated

from pliant.declared import Quantity, accept
from pliant.problem import Difference, State, StepContext

from .differenced import Differenced
from .implicit import Tolerance
from .motion import Motion


class Newmark(Differenced):
    """Newmark's family as a minimisation; average acceleration unless told otherwise.

        x_new = x + dt v + dt^2 ((1/2 - beta) a + beta a_new)
        v_new = v + dt ((1 - gamma) a + gamma a_new)
        weight = 1/(beta dt^2),   anchor = x + dt v + dt^2 (1/2 - beta) a

    beta = 1/4, gamma = 1/2: second order, stable at any dt and without numerical damping where forces
    are linear: their energy is kept. gamma > 1/2 damps fast modes and is of first order; 2 beta >=
    gamma is stable at any dt. Where forces are not linear, steps that are long for a fast mode may
    gain energy: prefer `BDF2` or `Implicit` there. Linear momentum is kept; angular momentum
    to second order in dt. Source: [newmark1959]; [hughes2000] 9.1.
    """

    def __init__(
        self,
        beta: Annotated[
            float,
            Quantity(
                "share of the new acceleration in the new places",
                "-",
                at_least=1e-9,
                at_most=1.0,
                says="0 < beta <= 1, and 1e-9 or more, e.g. 0.25. beta=0 is explicit: use "
                "pl.SymplecticEuler()",
            ),
        ] = 0.25,
        gamma: Annotated[
            float,
            Quantity(
                "share of the new acceleration in the new velocities",
                "-",
                at_least=0.5,
                at_most=1.0,
                why="below it the step feeds energy into the body",
            ),
        ] = 0.5,
        *,
        tolerance: Tolerance = 1e-6,
    ):
        super().__init__(tolerance)
        self.beta, self.gamma = accept(self, beta=beta, gamma=gamma)

    def difference(self, state: State, motion: Motion, context: StepContext) -> Difference:
        """From positions, velocities and accelerations at the start."""
        dt, beta, share = context.dt, self.beta, self.beta / self.gamma
        x, v = motion.held(state.x, state.v, 0.0)
        a = motion.whole(x, v, 0.0)
        # v_new = (x_new - y)/span, y = x + (1 - share) dt v + (1/2 - share) dt^2 a. The part that
        # has v is written as a difference both ways: that of strain, a square, is exact so.
        near = 0.5 * (1.0 - share)
        past = (
            (1.0, x + (0.5 - share) * dt**2 * a),
            (near, x + dt * v),
            (-near, x - dt * v),
        )
        anchor = x + dt * v + (0.5 - beta) * dt**2 * a
        return Difference(1.0 / (beta * dt**2), anchor, share * dt, past, context.x)
