"""The time step as a minimisation."""

from __future__ import annotations

import logging
from typing import Any

from pliant.damping import Damping
from pliant.damping.inertia import Inertia
from pliant.damping.moment import Moment
from pliant.energies.obstacle import ObstacleEnergy
from pliant.errors import SolverError, is_finite
from pliant.given import shown
from pliant.solvers import Newton, Report

from .beginning import controlled, plain, stays
from .rest import Rest
from .state import State, Surroundings
from .system import System

log = logging.getLogger("pliant")

#: Newton iterations of a step from which the next can be foreseen.
EASY = 4


class Implicit:
    """Minimise inertia + energies + dissipation over the new positions.

        x_new = argmin  inertia(x; damping) + PE(x) - load . x,       v_new = (x_new - x)/dt

    For dampings that do not control inertia this is backward Euler. For those that do, the body is
    first carried rigidly by its momentum and its pins, and the minimisation runs over the
    deformations M-orthogonal to the rigid motions that the pins leave: internal forces then cannot
    change momentum at any step size. Spinning puts the centrifugal load on the deformation.
    Source: [young2007] (2.22), (3.20), (5.2); `docs/theory.md`.

    tolerance: a step is solved when no more than this share is left of the gradient it began with,
    and another Newton step would move no point by more than this share of what the step has moved
    them. 0 solves to 1e-9 of the body's size, and so does any tolerance where momentum hangs on it:
    for bodies that no pin holds and no obstacle pushes, without control.
    """

    reviews = 4
    retreats = 6

    def __init__(self, tolerance: float = 1e-3):
        if not (is_finite(tolerance) and 0.0 <= tolerance < 1.0):
            raise ValueError(
                f"Implicit: got tolerance={shown(tolerance)}; expected a share from 0 to 1, e.g. 1e-3"
            )
        self.tolerance = float(tolerance)

    def step(
        self, system: System, state: State, around: Surroundings, damping: Damping, dt: float
    ) -> Report:
        """Advance the state by dt."""
        if state.dt != dt:  # steps of another length lead elsewhere
            state.dt, state.correction, state.trend = dt, None, None
        system.hang(around.load)
        if stays(system, around, damping):
            state.lift(system)
        else:
            state.lower(system)
        begin = controlled if damping.controlled else plain
        moment = begin(system, state, around, damping, dt)
        x, total, onward = self.solve(system, moment, damping)
        if damping.needs_rest and damping.lost(moment, x):
            self._find_home(system, state, moment, damping, x)
        else:
            damping.finish(moment, x)
        v = system.vectors_of(x)
        # A step that was hard to solve says little about the next one.
        easy = total.iterations <= EASY
        correction = v.moved(x, -1.0, moment.x) if easy else None
        # How it differs from the one before it, of which it was a repetition: its path is curved.
        held = moment.complement.rank == 0
        curved = easy and held and moment.correction is not None
        state.trend = v.moved(correction, -onward, moment.correction) if curved else None
        state.correction = correction
        moves = v.mixed(1.0 / dt, x, -1.0 / dt, state.x)
        if not damping.controlled:
            state.drift = None
        elif moment.x is state.x:  # not carried
            state.drift = moves
        else:
            state.drift = v.mixed(1.0 / dt, x, -1.0 / dt, moment.x)
        state.v = moves
        state.x = x
        return total

    def solve(self, system: System, moment: Moment, damping: Damping) -> tuple[Any, Report, float]:
        """Minimise, and look whether the damping is content; the new positions."""
        inertia = damping.inertia(moment)
        onward = inertia.onward
        x, total = self._begin(system, moment, inertia), Report(0, 0, 0.0, "")
        reviews, retreats = self.reviews, self.retreats
        # A free body's momentum is as exact as its step, unless the damping keeps the two apart; one
        # that an obstacle pushes is not free.
        exact = system.adrift and not damping.controlled and not _leans(system, moment.x)
        newton = Newton(relative=0.0 if exact else self.tolerance)
        while True:
            objective = system.objective(inertia, moment.load, moment.complement)
            found, report = system.minimise(
                newton, objective, x, origin=moment.x, first=moment.gradient_of(inertia)
            )
            total.iterations += report.iterations
            total.linear_iterations += report.linear_iterations
            total.residual, total.reason = report.residual, report.reason
            if not report.converged:
                plainer = damping.retreat(moment, inertia) if retreats else None
                if plainer is not None:
                    retreats -= 1
                    total.retries += 1
                    log.warning(
                        "t = %g s: step not solved (%s), retried with a plainer inertia",
                        moment.time,
                        report.reason,
                    )
                    inertia = plainer
                    continue
                raise SolverError(
                    f"the step to t = {moment.time:.6g} s failed: {report.reason} after "
                    f"{report.iterations} iterations, largest residual force "
                    f"{report.residual:.3g} N. Try a smaller dt{_advice(system)}"
                )
            x = found
            better = damping.review(moment, inertia, x) if reviews else None
            if better is None:
                return x, total, onward
            inertia = better
            reviews -= 1

    @staticmethod
    def _begin(system: System, moment: Moment, inertia: Inertia) -> Any:
        """Where the search begins: a little further as the last step went."""
        if moment.correction is None or not inertia.onward or system.breaks:
            return moment.x
        v, ahead = moment.vectors, moment.correction
        if moment.trend is not None:
            ahead = v.moved(ahead, 1.0, moment.trend)
        if not moment.complement.rank:
            return v.moved(moment.x, inertia.onward, ahead)
        ahead = system.parts_of(moment.x).deformation(moment.complement, ahead)
        return v.moved(moment.x, inertia.onward, ahead)

    @staticmethod
    def _find_home(system: System, state: State, moment: Moment, damping: Damping, x: Any) -> None:
        """The body stands still away from its rest shape: settle here, or be pulled home."""
        load = system.lower(moment.load)
        try:
            here = Rest(system, system.lower(x), lambda y: load, here=True)
            upright = not len(system.inverted(here.x))
        except SolverError:
            upright = False
        if not upright:
            log.warning("t = %g s: cells are stuck inside out; pulling them home", moment.time)
            damping.pull_home(moment)
            return
        log.warning(
            "t = %g s: the body stands still in another equilibrium than the one it was aimed at; "
            "it settles there, and its clock starts anew",
            moment.time,
        )
        state.forget()
        state.rest = here


def _leans(system: System, x: Any) -> bool:
    """Whether an obstacle pushes a body at x."""
    obstacles = [e for e in system.assembly.energies if isinstance(e, ObstacleEnergy)]
    return any(e.touches(system.lower(x)) for e in obstacles)


def _advice(system: System) -> str:
    return (
        ""
        if system.survives_inversion
        else ", or pl.StableNeoHookean, which survives any deformation"
    )


class QuasiStatic:
    """No inertia: every frame is the equilibrium under that frame's pins and loads.

        x_new = argmin W(x) - loads . x     at the places of the pins at the end of the step

    Equals the controlled step with 1/w -> 0. Nothing is in motion here, so dampings, and the wish of
    `pl.Settle` with them, change nothing. Source: [young2007] 1.1.1. Not for free bodies.
    """

    def step(
        self, system: System, state: State, around: Surroundings, damping: Damping, dt: float
    ) -> Report:
        """Move to the equilibrium."""
        x = state.x.copy()
        x[system.pinned] = around.pinned[system.pinned]
        x, report = system.equilibrium(x, around.loads, locked=system.locks(x, around.loads(x)))
        state.v = (x - state.x) / dt
        state.x = x
        return report
