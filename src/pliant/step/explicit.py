"""What explicit steppers share."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import replace

import numpy as np

from pliant.control import Damping, PerBody, Undamped, VelocityFilter
from pliant.declared import Declared
from pliant.errors import SolverError
from pliant.problem import BodyProblem, IslandDamping, IslandSystem, Loads, State, System
from pliant.solvers import Report

from .loose import kept_apart
from .motion import Accelerations, Motion
from .refusal import refuse_controlled
from .stability import Formula, longest_of_body
from .trial import longest_by_trial

#: A body that is this many times its size across has blown up.
FAR = 1e6
#: The report of a step that needed no iteration.
NOTHING = Report(0, 0, 0.0, "explicit")
#: The most parts of a step of bodies that touch.
MOST_PARTS = 4
#: A body that deforms by this share of its size in a step which is too long, or by its size in any, has
#: blown up.
LEAP = 0.25


def positions_last(
    a: Accelerations, x: np.ndarray, v: np.ndarray, dt: float
) -> tuple[np.ndarray, np.ndarray]:
    """Symplectic Euler's formula with all forces at the start: damping holds up nothing that rests."""
    v = v + dt * a.whole(x, v, 0.0)
    return x + dt * v, v


class Explicit(Declared, ABC):
    """A step by a formula in accelerations; no equation is solved.

    Every pin and every damping that is a force works: pl.Rayleigh, pl.StrainRate. Linear momentum is
    kept to rounding by all. Longer steps than `longest_dt` blow up, and the error says so. With
    device="cuda" energies are evaluated on the device and steps made on the host.

    Steps of bodies that touch something are those of `SymplecticEuler`, with contact and friction
    solved for implicitly: velocities that jump have no higher order.
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
        refuse_controlled(self, problem.damping)
        state = state.to_host(problem.system)
        state = replace(state, drift=None, guess=replace(state.guess, correction=None))
        if problem.system.contact is not None:
            return self._in_contact(problem, state, loads, dt)
        motion = Motion(problem, state, loads.where(state.x), dt)
        x, v = self._advanced(self.advance, problem, state, motion, dt)
        return replace(state, x=x, v=v), NOTHING

    def _in_contact(
        self, problem: BodyProblem, state: State, loads: Loads, dt: float
    ) -> tuple[State, Report]:
        """The step of bodies that touch: one, or a few if those of this stepper may be longer."""
        total, start = Report(0, 0, 0.0, ""), loads.time - dt
        own, longest = (self._longest(problem, each) for each in (self.advance, positions_last))
        parts = min(math.ceil(dt / longest), MOST_PARTS) if dt <= own else 1
        h = dt / parts
        for part in range(1, parts + 1):
            now = (loads if part == parts else loads.at(start + part * h)).where(state.x)
            motion = Motion(problem, state, now, h)
            _, v = self._advanced(positions_last, problem, state, motion, h)
            try:
                x, control, report = kept_apart(problem, state, v, now, h)
            except SolverError as error:
                if h <= self._longest(problem, positions_last):
                    raise
                raise self._blown_up(problem, now.time, dt) from error
            x, v = motion.held(x, (x - state.x) / h, 1.0)
            state = replace(state, x=x, v=v, control=control)
            total.add(report)
        return state, total

    def _advanced(
        self, formula: Formula, problem: BodyProblem, state: State, motion: Motion, dt: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Positions and velocities after dt by a formula, with pins on their paths."""
        with np.errstate(over="ignore", invalid="ignore"):
            x, v = motion.held(*formula(motion, *motion.held(state.x, state.v, 0.0), dt), 1.0)
            spread = np.ptp(x, axis=0).max()
        if not spread <= FAR * problem.system.size:  # nan, too
            raise self._blown_up(problem, motion.time, dt)
        return x, v

    def refuse_leaps(self, problem: BodyProblem, state: State, time: float, dt: float) -> None:
        """Refuse a step in which bodies that touch would deform so far that they have blown up."""
        assert isinstance(problem.system, IslandSystem)
        v = state.to_host(problem.system).v
        far = [
            dt * float(np.ptp(v[own], axis=0).max()) / member.size
            for own, member in problem.system.members
        ]
        if not max(far) <= LEAP and (
            not max(far) <= 1.0 or dt > self._longest(problem, self.advance)
        ):
            raise self._blown_up(problem, time, dt)

    def _blown_up(self, problem: BodyProblem, time: float, dt: float) -> SolverError:
        advice = self._advice(dt, self._longest(problem, self.advance))
        return SolverError(f"the explicit step blew up at t = {time:.6g} s: {advice}")

    def _longest(self, problem: BodyProblem, formula: Formula) -> float:
        """The longest stable step [s] of a formula for bodies about their rest shapes."""
        system, damping = problem.system, problem.damping
        if system.contact is None:
            return self.longest_dt(system, damping)
        assert isinstance(system, IslandSystem) and isinstance(damping, IslandDamping)
        pairs = zip(system.members, damping.members, strict=True)
        return min(_longest_of(member, formula, own) for (_, member), own in pairs)

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


#: The longest stable step [s] of a body by a formula, with a damping.
_longest_of = PerBody(lambda system, formula, own: longest_of_body(formula, system, own))
