"""What implicit steppers of higher order share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

from pliant.declared import Declared, accept
from pliant.problem import BodyProblem, Difference, Loads, State, StepContext
from pliant.solvers import Report

from .beginning import plain
from .implicit import Implicit, Tolerance
from .motion import Motion
from .refusal import refuse_controlled


class Differenced(Declared, ABC):
    """The step of `Implicit`, minimised with another difference of time in its inertia.

        x_new = argmin  weight/2 |x - anchor|_M^2 + PE(x) - load . x + dissipation,
        v_new = (x_new - sum_i c_i x_i)/span

    tolerance: as in `Implicit`, but smaller, since what is left of a step is an error that no order
    removes. With device="cuda" the minimisation is on the device, the rest of the step on the host.
    """

    def __init__(self, tolerance: Tolerance = 1e-6):
        (self.tolerance,) = accept(self, tolerance=tolerance)
        self._implicit = Implicit(self.tolerance)

    @abstractmethod
    def difference(self, state: State, motion: Motion, context: StepContext) -> Difference:
        """The difference formula of this step."""

    def step(
        self, problem: BodyProblem, state: State, loads: Loads, dt: float
    ) -> tuple[State, Report]:
        """The state after dt."""
        refuse_controlled(self, problem.damping)
        state = state.to_host(problem.system)
        loads = loads.where(state.x)
        state = replace(state, drift=None, guess=state.guess.without_motion())
        motion = Motion(problem, state, loads, dt)
        context = plain(problem, state, loads, dt)
        # A load that follows the surface is evaluated where the body will be, to second order.
        load = context.load if loads.constant else loads.on(context.x)
        d = self.difference(state, motion, context)
        context = replace(context, load=load, scheme=d)
        loads.at(loads.time)  # `motion` may have set rest lengths to those at the start
        x, solved = self._implicit.solve(problem, context, None)
        v = (x - d.before(problem.system.spaces.host.mixed)) / d.span
        x, v = motion.held(x, v, 1.0)
        return replace(state, x=x, v=v), solved.report
