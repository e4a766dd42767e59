"""One step of all bodies of a scene, as a function of what was before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pliant.control import VelocityFilter
from pliant.errors import SolverError, prefixed
from pliant.problem import BodyProblem, Guess, Island, Loads, Problem, State, Stepper
from pliant.solvers import Report

from .filtering import slowed
from .outside import keep_out


@dataclass(frozen=True)
class SceneState:
    """All that changes in a scene: the time [s], and the states of its bodies."""

    time: float
    bodies: tuple[State, ...]


def step(
    problem: Problem, state: SceneState, loads: Sequence[Loads], dt: float
) -> tuple[SceneState, list[Report]]:
    """The state after dt, and what the solver did for each body. Nothing else is changed."""
    found: dict[int, tuple[State, Report]] = {}
    for island in problem.islands:
        found |= step_island(island, state.bodies, loads, dt, problem.stepper)
    for i, body in enumerate(problem.bodies):
        if i not in found:  # an island by itself
            found[i] = step_body(body, state.bodies[i], loads[i], dt, problem.stepper)
    states, reports = zip(*(found[i] for i in range(len(problem.bodies))), strict=True)
    return SceneState(state.time + dt, states), list(reports)


def step_island(
    island: Island, states: Sequence[State], loads: Sequence[Loads], dt: float, stepper: Stepper
) -> dict[int, tuple[State, Report]]:
    """One step of bodies that are tied together, by their numbers."""
    before, acting = [states[i] for i in island.numbers], [loads[i] for i in island.numbers]
    whole = island.merged(before)
    new, report = step_body(island.problem, whole, island.loads(acting), dt, stepper)
    found = {}
    members = zip(
        island.numbers, island.bodies, before, island.split(new, before, acting), strict=True
    )
    for i, body, then, now in members:
        if isinstance(body.damping, VelocityFilter):
            now = slowed(body.damping, body.system, then, now, dt)
        found[i] = (kept_out(body, now), replace(report))
    return found


def step_body(
    problem: BodyProblem, state: State, loads: Loads, dt: float, stepper: Stepper
) -> tuple[State, Report]:
    """One step of one body: the stepper's, then dampings of velocities, then obstacles."""
    system = problem.system
    system.recall(state.guess.solver)
    try:
        if isinstance(problem.damping, VelocityFilter):
            state = state.to_host(system)
            new, report = stepper.step(problem, state, loads, dt)
            new = slowed(problem.damping, system, state, new, dt)
        else:
            new, report = stepper.step(problem, state, loads, dt)
    except SolverError as error:
        raise type(error)(prefixed(f"{problem.name}: ", error)) from error
    except ValueError as error:  # a stepper or a damping that this body cannot have
        if type(error) is not ValueError or str(error).startswith(f"{problem.name}: "):
            raise
        raise ValueError(prefixed(f"{problem.name}: ", error)) from error
    foreseen = new.guess
    known = system.known(motion=report.motion)
    guess = Guess(foreseen.correction, foreseen.trend, foreseen.dt, known)
    new = replace(new, guess=guess)
    return kept_out(problem, new), report


def kept_out(problem: BodyProblem, state: State) -> State:
    """The state with no point inside of an obstacle."""
    if not problem.obstacles:
        return state
    return keep_out(problem.system, state, problem.obstacles)
