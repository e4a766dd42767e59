"""The time step as a minimisation."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pliant.declared import Declared, Quantity, accept
from pliant.errors import SolverError
from pliant.problem import (
    BodyProblem,
    ControlState,
    Guess,
    Inertia,
    Loads,
    Rest,
    State,
    StepContext,
    System,
)
from pliant.solvers import Newton, Report

from .beginning import controlled, plain, stays

log = logging.getLogger("pliant")

#: A step of at most so many Newton iterations is extrapolated to the next.
EASY = 4
#: So much of how a trend changes is extrapolated. All of it would carry on more of what solves leave.
CURVE = 0.8
Tolerance = Annotated[
    float,
    Quantity(
        "share of the residual that a step may leave",
        "-",
        at_least=0.0,
        below=1.0,
        says="a share from 0 to 1, e.g. 1e-3",
    ),
]


class Implicit(Declared):
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

    def __init__(self, tolerance: Tolerance = 1e-3):
        (self.tolerance,) = accept(self, tolerance=tolerance)

    def step(
        self, problem: BodyProblem, state: State, loads: Loads, dt: float
    ) -> tuple[State, Report]:
        """The state after dt."""
        system, damping = problem.system, problem.damping
        state = state.to_device(system) if stays(problem, loads) else state.to_host(system)
        loads = loads.where(state.x)
        hinges = state.hinges
        if system.damps_swing:
            hinges = system.set_hinge_direction(loads.within(system.spaces.host), hinges)
        guess = state.guess.for_steps_of(dt)
        if guess is not state.guess or hinges is not state.hinges:
            state = replace(state, guess=guess, hinges=hinges)
        if damping.controlled:
            context, rest = controlled(problem, state, loads, dt)
        else:
            context, rest = plain(problem, state, loads, dt), state.rest
        x, solved = self.solve(problem, context, state.control)
        lost, control = False, solved.control
        if damping.needs_rest:
            lost, control = damping.lost(context, control, x)
        if not lost:
            control = damping.finish(context, control, x)
        if control is not solved.control:
            solved = replace(solved, control=control)
        state = _moved(state, context, x, solved, rest, damping.controlled)
        if lost:
            state = _find_home(problem, state, context)
        return state, solved.report

    def solve(
        self, problem: BodyProblem, context: StepContext, control: ControlState | None
    ) -> tuple[Any, Solved]:
        """The new positions: minimise, and again until the damping accepts the result."""
        system, damping = problem.system, problem.damping
        inertia, control = damping.plan(context, control)
        planned = inertia
        x, total = self._begin(system, context, inertia), Report(0, 0, 0.0, "")
        reviews, retreats, hardest = self.reviews, self.retreats, 0
        # The momentum of a free body is only as exact as its step, unless the damping controls inertia.
        # A body that an obstacle pushes is not free.
        exact = (
            system.has_free_part
            and not damping.controlled
            and not system.touches_obstacle(context.x)
        )
        while True:
            share = 0.0 if exact else inertia.matters * self.tolerance
            newton = Newton(relative=share, astray=inertia.alike, brief=True)
            objective = system.objective(inertia, context.load, context.complement)
            first = total.first if inertia.alike else context.gradient_of(inertia)
            found, report = system.minimise(newton, objective, x, origin=context.x, first=first)
            total.add(report)
            hardest = max(hardest, report.iterations)
            if not report.converged:
                plainer = None
                if retreats:
                    plainer, control = damping.retreat(context, control, inertia)
                if plainer is None:
                    raise _unsolved(system, context, report)
                retreats -= 1
                total.retries += 1
                log.warning(
                    "t = %g s: step not solved (%s), retried with a plainer inertia",
                    context.time,
                    report.reason,
                )
                inertia, x = plainer, context.x
                continue
            x, better = found, None
            if reviews:
                better, control = damping.review(context, control, inertia, x)
            if better is None:
                return x, Solved(total, control, planned, hardest)
            if better.afresh:
                x = context.x
                total.retries += 1
            inertia = better
            reviews -= 1

    @staticmethod
    def _begin(system: System, context: StepContext, inertia: Inertia) -> Any:
        """Where the search begins: x, and the correction of the last step once more.

        After a step that was hard to solve there is none, and no prediction is trusted: there may be
        several minima, and the right one is the nearest.
        """
        if system.infinite_when_inverted or context.correction is None:
            return context.x
        begin = context.predicted if inertia.predicted is None else inertia.predicted
        if not inertia.extrapolation:
            return system.reach(context.x, begin)
        v, share = context.vectors, inertia.extrapolation
        terms = [(share, context.correction)]
        if context.trend is not None:
            terms.append((share, context.trend))
        if context.curve is not None and inertia.predicted is not None:
            terms.append((CURVE * share, context.curve))
        ahead = v.extended(begin, *terms)
        if context.complement.rank:
            along = system.rigid.deformation(context.complement, v.moved(ahead, -1.0, begin))
            ahead = v.moved(begin, 1.0, along)
        return system.reach(context.x, ahead)


@dataclass(frozen=True)
class Solved:
    """What a solved step leaves besides its positions.

    planned: the inertia that it began with; hardest: the most Newton iterations of one search.
    """

    report: Report
    control: ControlState | None
    planned: Inertia
    hardest: int


def _moved(
    state: State,
    context: StepContext,
    x: Any,
    solved: Solved,
    rest: Rest | None,
    controlled: bool,
) -> State:
    """The state at x, with the guess for the next step."""
    v, planned = context.vectors, solved.planned
    # A step that was hard to solve says little about the next one.
    easy = solved.hardest <= EASY
    predicted = context.predicted if planned.predicted is None else planned.predicted
    correction = v.moved(x, -1.0, predicted) if easy else None
    if easy and solved.report.ahead is not None:  # where the step would have ended, solved exactly
        correction = v.moved(correction, 1.0, solved.report.ahead)
    # What extrapolation did not foresee: the path is curved.
    curved = easy and context.complement.rank == 0 and context.correction is not None
    trend = v.moved(correction, -planned.extrapolation, context.correction) if curved else None
    curve = None
    if trend is not None and context.trend is not None and planned.predicted is not None:
        curve = v.moved(trend, -1.0, context.trend)
    moves = v.mixed(1.0 / context.dt, x, -1.0 / context.dt, state.x)
    drift = None
    if controlled and context.x is state.x:  # not carried
        drift = moves
    elif controlled:
        drift = v.mixed(1.0 / context.dt, x, -1.0 / context.dt, context.x)
    guess = Guess(correction, trend, context.dt, state.guess.solver, curve)
    control = solved.control
    return replace(state, x=x, v=moves, drift=drift, rest=rest, control=control, guess=guess)


def _find_home(problem: BodyProblem, state: State, context: StepContext) -> State:
    """The body stands still away from its rest shape: settle here, or be pulled home."""
    system = problem.system
    load = system.to_host(context.load)
    try:
        here = Rest.find(system, system.to_host(state.x), lambda y: load, here=True)
        upright = not len(system.inverted(here.x))
    except SolverError:
        upright = False
    if not upright and not len(system.inverted(system.to_host(state.x))):
        log.warning(
            "t = %g s: the body stands on the ridge between two shapes; it is pulled to its rest shape",
            context.time,
        )
        home = problem.damping.pull_home(state.control, for_good=True)
        return replace(state, control=home)
    if not upright:
        log.warning("t = %g s: cells are stuck inside out; pulling them home", context.time)
        return replace(state, control=problem.damping.pull_home(state.control))
    log.warning(
        "t = %g s: the body stands still in another equilibrium than the one it was aimed at; "
        "it settles there, and its clock starts anew",
        context.time,
    )
    return replace(state, rest=here, control=None)


def _unsolved(system: System, context: StepContext, report: Report) -> SolverError:
    return SolverError(
        f"the step to t = {context.time:.6g} s failed: {report.reason} after "
        f"{report.iterations} iterations, largest residual force "
        f"{report.residual:.3g} N. Try a smaller dt{_advice(system)}"
    )


def _advice(system: System) -> str:
    return (
        ""
        if system.survives_inversion
        else ", or pl.StableNeoHookean, which survives any deformation"
    )
