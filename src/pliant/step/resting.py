"""Equilibria of bodies that touch: found by steps without momentum."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from pliant.errors import Advice, UnstableError
from pliant.problem import (
    BodyProblem,
    ControlState,
    Difference,
    IslandControl,
    IslandDamping,
    IslandSystem,
    Loads,
    State,
    StepContext,
    Undamped,
)
from pliant.solvers import Report, is_stable

from .beginning import plain
from .implicit import Implicit

#: A step without momentum first lets a free body fall this share of its size. Each that is easy lets it
#: fall so many times further, up to this many sizes: then forces are balanced to the inverse of that.
FIRST, GROWTH, LAST = 0.1, 4.0, 1e3
#: Nothing moves if no point moves by more than this share of the size of the bodies.
STILL = 1e-9
#: What goes further than so many sizes, or takes so many steps, does not come to rest; so many Newton
#: iterations are easy.
FAR, MOST_STEPS, EASY = 1e3, 400, 30


def rest_in_contact(
    problem: BodyProblem, state: State, loads: Loads
) -> tuple[np.ndarray, ControlState | None, Report]:
    """Where bodies that touch come to rest from here, with the control of the damping and a report.

        x_new = argmin  weight/2 |x - x_old|_M^2 + PE(x) - load . x + friction,    weight -> 0

    Bodies that nothing holds fall until something does. In directions that neither pins nor pushes nor
    friction hold, such as sliding on ice, there is no force, and they stay where they are. What slides
    or falls for ever is refused.
    """
    system, implicit, total = problem.system, Implicit(0.0), Report(0, 0, 0.0, "")
    problem, known = _undamped(problem), state.control
    x, control = state.x, known
    pull = _largest_pull(system.masses, loads.on(x))
    fall, still = FIRST, STILL * system.size
    for _ in range(MOST_STEPS):
        weight = pull / (fall * system.size)
        context = _still(problem, replace(state, x=x), loads, weight)
        found, solved = implicit.solve(problem, context, control)
        total.add(solved.report)
        control = problem.damping.finish(context, solved.control, found)
        moved = float(np.abs(found - x).max(initial=0.0))
        x = found
        if moved <= still and fall >= LAST:
            assert isinstance(known, IslandControl) and isinstance(control, IslandControl)
            return x, replace(known, bristles=control.bristles), total
        if solved.report.iterations <= EASY or moved <= still:
            fall = min(GROWTH * fall, LAST)
        if np.abs(x - state.x).max() > FAR * system.size:
            break
    raise UnstableError(
        Advice(
            "bodies fall or slide on and come to no rest. ",
            "Hold them with body.fix(...), put something under them with scene.add(...), or give more "
            "friction with pl.Contact(friction=...)",
            "Hold them with fix = ..., put an [[obstacle]] under them, or more friction in [contact]",
        )
    )


def require_stable_in_contact(
    problem: BodyProblem, x: np.ndarray, control: ControlState | None, loads: Loads
) -> None:
    """Refuse an equilibrium that the slightest push would leave, other than slowly."""
    system, problem = problem.system, _undamped(problem)
    state = State(x, np.zeros_like(x), control=control)
    weight = _largest_pull(system.masses, loads.on(x)) / system.size
    inertia, _ = problem.damping.plan(_still(problem, state, loads, weight), control)
    objective = system.objective(inertia, np.zeros_like(x), system.unrestricted)
    push = np.random.default_rng(0).standard_normal(x.shape)
    if not is_stable(objective, x, system.linear, rtol=system.stable_rtol, push=push):
        raise UnstableError(
            Advice(
                "the equilibrium is unstable: a small push would make a body buckle, turn or fall. ",
                "Place it off the symmetric position with body.place(...), or support it",
                "Start it off the symmetric position with start = { ... }, or support it",
            )
        )


def _undamped(problem: BodyProblem) -> BodyProblem:
    """The same bodies without dampings, which take no part where nothing moves."""
    system = problem.system
    assert isinstance(system, IslandSystem)
    return replace(problem, damping=IslandDamping(system, [Undamped() for _ in system.members]))


def _still(problem: BodyProblem, state: State, loads: Loads, weight: float) -> StepContext:
    """A step of bodies that stand still, without momentum."""
    x = state.x
    context = plain(problem, replace(state, v=np.zeros_like(x)), loads.where(x), 1.0)
    scheme = Difference(weight, x, 1.0, ((1.0, x),), x)
    return replace(context, scheme=scheme, load=loads.on(x), resisting=_nothing)


def _largest_pull(masses: np.ndarray, load: np.ndarray) -> float:
    """The acceleration of all bodies by their loads [m/s^2], or one if there is none."""
    pull = float(np.linalg.norm(load, axis=1).sum() / masses.sum())
    return pull if pull > 0.0 else 1.0


def _nothing(d: Difference) -> tuple[Any, ...]:
    return ()
