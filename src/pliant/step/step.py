"""One step of all bodies of a scene, as a function of what was before."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pliant.backend import parallel
from pliant.control import LandingStage, LandingState, Settle, VelocityFilter
from pliant.errors import SolverError, prefixed
from pliant.problem import (
    BodyProblem,
    Island,
    IslandSystem,
    Loads,
    Meeting,
    Problem,
    State,
    Stepper,
)
from pliant.solvers import Report

from .explicit import Explicit
from .filtering import slowed
from .implicit import Implicit
from .landing import fly_on, land
from .pushing import MOST_STEPS_TO_IMPACT, steps_to_impact

log = logging.getLogger("pliant")

#: By how much shorter steps are tried if one in which obstacles move fails.
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

    Of every body: the stepper's step, then dampings of velocities.
    """
    meeting, found = problem.meeting, dict[int, tuple[State, Report]]()
    if meeting is not None and _touches(meeting, problem, state, dt):
        return _joined(meeting, problem, state, loads, dt)
    for island in problem.islands:
        found |= step_island(island, problem.stepper, state, loads, dt)
    for i, body in enumerate(problem.bodies):
        if i in found:
            continue
        system, before, filters = body.system, state.bodies[i], _filter_of(body)
        if filters is not None:
            before = before.to_host(system)
        try:
            if _may_land(problem, body):
                flown = fly_on(body, problem.stepper, before, loads[i], state.time, dt)
                found[i] = flown
                continue
            system.recall(before.guess.solver)
            new, report = problem.stepper.step(body, before, loads[i], dt)
            if filters is not None:
                new = slowed(filters, system, before, new, dt)
        except (SolverError, ValueError) as error:
            if not _tells_no_name(body.name, error):
                raise
            named = prefixed(f"{body.name}: ", error)
            raise type(error)(_with_obstacles(named, body, before.x)) from error
        guess = replace(new.guess, solver=system.known(motion=report.motion))
        found[i] = (replace(new, guess=guess), report)
    states, reports = zip(*(found[i] for i in range(len(problem.bodies))), strict=True)
    after = SceneState(state.time + dt, states)
    if meeting is not None and meeting.near(
        _positions(problem, state), after.time, _positions(problem, after)
    ):
        return _joined(meeting, problem, state, loads, dt)
    return after, list(reports)


def _joined(
    meeting: Meeting, problem: Problem, state: SceneState, loads: Sequence[Loads], dt: float
) -> tuple[SceneState, list[Report]]:
    """A step in which all bodies are one island."""
    found = step_island(meeting.island, problem.stepper, state, loads, dt)
    states, reports = zip(*(found[i] for i in range(len(problem.bodies))), strict=True)
    return SceneState(state.time + dt, states), list(reports)


def _touches(meeting: Meeting, problem: Problem, state: SceneState, dt: float) -> bool:
    """Whether bodies touch anything, or are about to."""
    if meeting.lands and any(island.problem.damping.controlled for island in problem.islands):
        return True  # tied bodies fly as members of the island of all
    controls = [s.control for s in state.bodies]
    tied = {i for island in problem.islands for i in island.numbers}
    if any(_may_land(problem, problem.bodies[i]) for i in tied):
        return True  # flights of bodies that are tied are made there
    if any(isinstance(c, LandingState) and c.stage is not LandingStage.FLIGHT for c in controls):
        return True
    return parallel(problem.systems[0].device) or meeting.near(
        _positions(problem, state), state.time
    )


def _may_land(problem: Problem, body: BodyProblem) -> bool:
    """Whether a body is to rest on cue where it may touch something."""
    lands = problem.meeting is not None and problem.meeting.lands
    return lands and isinstance(body.damping, Settle) and isinstance(problem.stepper, Implicit)


def _positions(problem: Problem, state: SceneState) -> list[np.ndarray]:
    """Of all bodies [m], (n, d)."""
    pairs = zip(problem.bodies, state.bodies, strict=True)
    return [body.system.to_host(own.x) for body, own in pairs]


def step_island(
    island: Island, stepper: Stepper, state: SceneState, loads: Sequence[Loads], dt: float
) -> dict[int, tuple[State, Report]]:
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
            if MORE_STEPS * parts > MOST_STEPS_TO_IMPACT or not island.system.meets_moving:
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
