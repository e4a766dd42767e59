"""What implicit steppers of higher order share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

from pliant.damping import Damping
from pliant.damping.difference import Difference
from pliant.damping.moment import Moment
from pliant.solvers import Report

from .beginning import plain
from .implicit import Implicit
from .motion import Motion
from .refusal import refuse_controlled
from .state import State, Surroundings
from .system import System


class Differenced(ABC):
    """The step of `Implicit`, minimised with another difference of time in its inertia.

        x_new = argmin  weight/2 |x - anchor|_M^2 + PE(x) - load . x + dissipation,
        v_new = (x_new - sum_i c_i x_i)/span

    tolerance: as in `Implicit`, but smaller, since what is left of a step is an error that no order
    removes. With device="cuda" the minimisation is on the device, the rest of the step on the host.
    """

    def __init__(self, tolerance: float = 1e-6):
        try:
            self._implicit = Implicit(tolerance)
        except ValueError as error:
            raise ValueError(str(error).replace("Implicit", type(self).__name__)) from None
        self.tolerance = tolerance

    @abstractmethod
    def difference(
        self, system: System, state: State, motion: Motion, moment: Moment
    ) -> Difference:
        """How this step tells rates."""

    def step(
        self, system: System, state: State, around: Surroundings, damping: Damping, dt: float
    ) -> Report:
        """Advance the state by dt."""
        refuse_controlled(self, damping)
        state.lower(system)
        state.correction = state.trend = None
        motion = Motion(system, state, around, damping, dt)
        moment = plain(system, state, around, damping, dt)
        # A load that turns with the surface is taken where the body will be, to second order.
        load = moment.load if around.dead else around.loads(moment.x)
        d = self.difference(system, state, motion, moment)
        moment = replace(moment, load=load, scheme=d)
        around.at(around.time)  # rest lengths may be those of the start now, where `motion` looked
        x, report, _ = self._implicit.solve(system, moment, damping)
        v = (x - d.before(system.host.mixed)) / d.span
        state.x, state.v = motion.held(x, v, 1.0)
        state.drift = None
        return report
