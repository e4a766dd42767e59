"""What explicit steppers share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

import numpy as np

from pliant.control import Damping, Undamped, VelocityFilter
from pliant.declared import Declared
from pliant.errors import SolverError
from pliant.problem import BodyProblem, Loads, State, System
from pliant.solvers import Report

from .motion import Accelerations, Motion
from .refusal import refuse_controlled
from .stability import longest_of_body
from .trial import longest_by_trial

#: A body that is this many times its size across has blown up.
FAR = 1e6
#: The report of a step that needed no iteration.
NOTHING = Report(0, 0, 0.0, "explicit")


class Explicit(Declared, ABC):
    """A step by a formula in accelerations; no equation is solved.

    Every pin and every damping that is a force works: pl.Rayleigh, pl.StrainRate. Linear momentum is
    kept to rounding by all. Longer steps than `longest_dt` blow up, and the error says so. With
    device="cuda" energies are evaluated on the device and steps made on the host.
    """

    @abstractmethod
    def advance(
        self, a: Accelerations, x: np.ndarray, v: np.ndarray, dt: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Positions and velocities after dt."""

    def longest_dt(self, system: System, damping: Damping | None = None) -> float:
        """The longest stable step [s] of a body about its rest shape; 0 if there is none.

        As in stepper.longest_dt(body.system(), body.damping). An estimate from the stiffest, the most
        and the least damped motion: exact without damping, with pl.Rayleigh exact or, where a slower
        mode limits, some hundredths short, and mostly on the short side with pl.StrainRate (down to a
        half for pl.ExplicitEuler and pl.AverageVelocity); with dampings of velocities, such as
        pl.RelativeDamping, found by trying, to two hundredths. A deformed body may be stiffer.
        """
        if not isinstance(system, System):
            raise TypeError(
                f"longest_dt: got {type(system).__name__}; expected body.system(), as in "
                f"pl.{type(self).__name__}().longest_dt(body.system(), body.damping)"
            )
        damping = damping or Undamped()
        refuse_controlled(self, damping)
        if isinstance(damping, VelocityFilter):
            return longest_by_trial(self.advance, system, damping)
        return longest_of_body(self.advance, system, damping)

    def step(
        self, problem: BodyProblem, state: State, loads: Loads, dt: float
    ) -> tuple[State, Report]:
        """The state after dt."""
        system, damping = problem.system, problem.damping
        refuse_controlled(self, damping)
        state = state.to_host(system)
        loads = loads.where(state.x)
        motion = Motion(problem, state, loads, dt)
        with np.errstate(over="ignore", invalid="ignore"):
            x, v = motion.held(*self.advance(motion, *motion.held(state.x, state.v, 0.0), dt), 1.0)
            spread = np.ptp(x, axis=0).max()
        if not spread <= FAR * system.size:  # nan, too
            raise SolverError(
                f"the explicit step blew up at t = {loads.time:.6g} s: "
                + self._advice(dt, self.longest_dt(system, damping))
            )
        guess = replace(state.guess, correction=None)
        return replace(state, x=x, v=v, drift=None, guess=guess), NOTHING

    def _advice(self, dt: float, limit: float) -> str:
        name = type(self).__name__
        if limit == 0.0:
            return (
                f"{name} feeds energy into vibrations without damping at every dt, and the more the "
                f"longer it is; got dt={dt:g} s. Give the body a damping and a smaller dt, or use "
                "pl.SymplecticEuler() or the default implicit step"
            )
        if dt <= limit:
            return (
                f"dt={dt:g} s is short enough for the body at rest (below {limit:.3g} s), but it is "
                "stiffer as it is deformed now. Use a smaller dt, or the default implicit step"
            )
        return (
            f"dt={dt:g} s is longer than the fastest vibration allows. {name} needs a smaller dt, "
            f"below {limit:.3g} s for this body; or use the default implicit step"
        )
