"""What implicit steppers of higher order share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

from pliant.declared import Declared, accept
from pliant.problem import BodyProblem, Difference, Loads, Past, State, StepContext
from pliant.solvers import Report

from .beginning import plain
from .implicit import Implicit, Tolerance
from .motion import Motion
from .refusal import refuse_controlled


class Differenced(Declared, ABC):
    """The step of `Implicit`, minimised with another difference of time in its inertia.

        x_new = argmin  weight/2 |x - anchor|_M^2 + PE(x) - load . x + dissipation,
        v_new = (x_new - sum_i c_i x_i)/span

    Steps at whose start or end contact pushes anything are backward Euler: velocities that jump have no
    second order, and extrapolated over an impact they make energy.

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
        system = problem.system
        state = state.to_host(system)
        loads = loads.where(state.x)
        state = replace(state, drift=None, guess=state.guess.without_motion())
        pushed = system.touches(state.x)
        new, report = self._solved(problem, state, loads, dt, pushed=pushed)
        if not pushed and system.touches(new.x):
            new, again = self._solved(problem, state, loads, dt, pushed=True)
            report.add(again)
        return new, report

    def _solved(
        self, problem: BodyProblem, state: State, loads: Loads, dt: float, *, pushed: bool
    ) -> tuple[State, Report]:
        """The step by backward Euler if it is pushed, else by the difference formula."""
        motion = Motion(problem, state, loads, dt)
        context = plain(problem, state, loads, dt)
        # A load that follows the surface is evaluated where the body will be, to second order.
        load = context.load if loads.constant else loads.on(context.x)
        if pushed:
            d = Difference.backward_euler(state.x, state.v, dt, context.vectors)
        else:
            d = self.difference(state, motion, context)
        context = replace(context, load=load, scheme=d)
        loads.at(loads.time)  # `motion` may have set rest lengths to those at the start
        x, solved = self._implicit.solve(problem, context, state.control)
        v = (x - d.before(problem.system.spaces.host.mixed)) / d.span
        x, v = motion.held(x, v, 1.0)
        control = problem.damping.finish(context, solved.control, x)
        past = None if pushed else Past(state.x, state.v, dt, loads.time)
        return replace(state, x=x, v=v, control=control, past=past), solved.report
