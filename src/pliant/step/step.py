"""One step of all bodies of a scene, as a function of what was before."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from pliant.control import VelocityFilter
from pliant.errors import SolverError, prefixed
from pliant.problem import (
    BodyProblem,
    Island,
    IslandSystem,
    Loads,
    Problem,
    State,
    Stepper,
)
from pliant.solvers import Report

from .explicit import Explicit
from .filtering import slowed
from .groups import Group, groups_after, groups_before, may_land
from .implicit import Implicit
from .landing import fly_on, land
from .own_stepper import own_stepper
from .pushing import MOST_STEPS_TO_IMPACT, Blocked, steps_to_impact

log = logging.getLogger("pliant")

#: The states of some bodies, by their numbers, and what the solvers did.
Stepped: TypeAlias = dict[int, tuple[State, Report]]
#: By how much shorter steps are tried if one in which obstacles or pins push fails.
MORE_STEPS = 4


@dataclass(frozen=True)
class SceneState:
    """All that changes in a scene: the time [s], and the states of its bodies."""

    time: float
    bodies: tuple[State, ...]


def step(
    problem: Problem, state: SceneState, loads: Sequence[Loads], dt: float
) -> tuple[SceneState, list[Report]]:
    """The state after dt, and what the solver did for each body. Nothing else is changed.

    Bodies that come near each other on their way make the step together. Of every body: the stepper's
    step, then dampings of velocities.
    """
    groups, found = groups_before(problem, state.bodies, state.time, dt), dict[Group, Stepped]()
    while True:
        for group in (g for g in groups if g not in found):
            island = _island(group, problem)
            if island is not None:
                found[group] = step_island(island, problem.stepper, state, loads, dt)
                continue
            (i,) = group.numbers
            body, before = problem.bodies[i], _where_filters_are(problem.bodies[i], state.bodies[i])
            with _named(body, before):
                if may_land(problem, body):
                    alone = fly_on(body, problem.stepper, before, loads[i], state.time, dt)
                else:
                    body.system.recall(before.guess.solver)
                    body.system.take_history(before.history)
                    stepper = own_stepper(body.system, problem.stepper)
                    alone = stepper.step(body, before, loads[i], dt)
                    alone = _finished(body, before, *alone, dt)
            found[group] = {i: alone}
        each = {i: own for group in groups for i, own in found[group].items()}
        states, reports = zip(*(each[i] for i in range(len(problem.bodies))), strict=True)
        needed = groups_after(groups, problem, state.bodies, states, state.time + dt)
        if needed == groups:
            return SceneState(state.time + dt, states), list(reports)
        groups = needed


def _island(group: Group, problem: Problem) -> Island | None:
    """The island of a group; None for a body that is alone and touches nothing."""
    if group.touches and problem.meeting is not None:
        return problem.meeting.island_of(group.numbers)
    return next((i for i in problem.islands if i.numbers == group.numbers), None)


def _where_filters_are(body: BodyProblem, state: State) -> State:
    """The state on the host if a damping of velocities works on it."""
    return state if _filter_of(body) is None else state.to_host(body.system)


def _finished(
    body: BodyProblem, before: State, new: State, report: Report, dt: float
) -> tuple[State, Report]:
    """The state of a body that is alone after the stepper's step."""
    system, filters = body.system, _filter_of(body)
    if filters is not None:
        new = slowed(filters, system, before, new, dt)
    guess = replace(new.guess, solver=system.known(motion=report.motion))
    return replace(new, guess=guess, history=system.history_at(new.history, new.x)), report


@contextmanager
def _named(body: BodyProblem, before: State) -> Iterator[None]:
    """Errors of a step name the body, and what moves near it."""
    try:
        yield
    except (SolverError, ValueError) as error:
        if not _tells_no_name(body.name, error):
            raise
        named = prefixed(f"{body.name}: ", error)
        raise type(error)(_with_obstacles(named, body, before.x)) from error


def step_island(
    island: Island, stepper: Stepper, state: SceneState, loads: Sequence[Loads], dt: float
) -> Stepped:
    """One step of bodies that are tied together or touch, made as one body; states by their numbers.

    What hits something fast takes several short steps.
    """
    before, acting = [state.bodies[i] for i in island.numbers], [loads[i] for i in island.numbers]
    if island.lands and isinstance(stepper, Implicit):
        states, report = land(island, stepper, before, acting, state.time, dt)
        states = _filtered(island, before, states, dt)
        return {i: (s, replace(report)) for i, s in zip(island.numbers, states, strict=True)}
    one, start = Problem((island.problem,), stepper), island.merged(before)
    if isinstance(stepper, Explicit):
        stepper.refuse_leaps(island.problem, start, state.time + dt, dt)
    parts = steps_to_impact(island, start, state.time, dt)
    while True:
        try:
            now_all, report, work = _in_parts(island, one, start, state.time, acting, dt, parts)
            break
        except SolverError as error:
            pushed = island.system.meets_moving or isinstance(error, Blocked)
            if MORE_STEPS * parts > MOST_STEPS_TO_IMPACT or not pushed:
                raise
            log.info("%s. It is tried again from t = %g s in shorter steps", error, state.time)
            parts *= MORE_STEPS
    shares = [
        replace(now, obstacle_work=then.obstacle_work + float(own))
        for now, then, own in zip(island.split(now_all, before, acting), before, work, strict=True)
    ]
    found = zip(island.numbers, _filtered(island, before, shares, dt), strict=True)
    return {i: (now, replace(report)) for i, now in found}


def _filtered(
    island: Island, before: Sequence[State], states: Sequence[State], dt: float
) -> list[State]:
    """States after dampings of velocities; points that these move stop before anything touches."""
    found = [
        now if (own := _filter_of(body)) is None else slowed(own, body.system, then, now, dt)
        for body, then, now in zip(island.bodies, before, states, strict=True)
    ]
    if all(np.array_equal(a.x, b.x) for a, b in zip(found, states, strict=True) if a is not b):
        return found
    x, y = (np.concatenate([s.x for s in each]) for each in (states, found))
    reached = island.system.reach(x, y)
    spans = (own for own, _ in island.system.members)
    return [replace(s, x=reached[own]) for s, own in zip(found, spans, strict=True)]


def _in_parts(
    island: Island,
    one: Problem,
    now: State,
    time: float,
    loads: Sequence[Loads],
    dt: float,
    parts: int,
) -> tuple[State, Report, np.ndarray]:
    """A step from `time` [s] on in equal parts: the state, the report, the work of obstacles [J]."""
    report, work, h = Report(0, 0, 0.0, ""), np.zeros(len(loads)), dt / parts
    for k in range(1, parts + 1):
        end = loads if k == parts else [own.at(time + k * h) for own in loads]
        after, (solved,) = step(one, SceneState(time, (now,)), [island.loads(end)], h)
        now = after.bodies[0]
        work += island.system.obstacle_work(now.x, end[0].time, h)
        report.add(solved)
        report.retries += solved.retries
    return now, report, work


def _filter_of(body: BodyProblem) -> VelocityFilter | None:
    return body.damping if isinstance(body.damping, VelocityFilter) else None


def _with_obstacles(said: Any, body: BodyProblem, x: Any) -> Any:
    """What is said of a failed step, with the names of moving obstacles that something touches."""
    system = body.system
    names = system.moving_near(x) if isinstance(system, IslandSystem) else ""
    return f"{said}; {names}" if names and "obstacle" not in str(said) else said


def _tells_no_name(name: str, error: Exception) -> bool:
    """Whether the message of an error does not name the body yet."""
    if isinstance(error, SolverError):
        return True
    return type(error) is ValueError and not str(error).startswith(f"{name}: ")
