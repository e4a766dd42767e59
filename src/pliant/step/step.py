"""One step of all bodies of a scene, as a function of what was before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pliant.control import VelocityFilter
from pliant.errors import SolverError, prefixed
from pliant.problem import BodyProblem, Island, Loads, Problem, State, Stepper
from pliant.solvers import Report

from .filtering import slowed
from .outside import keep_out
from .pushing import steps_to_impact


@dataclass(frozen=True)
class SceneState:
    """All that changes in a scene: the time [s], and the states of its bodies."""

    time: float
    bodies: tuple[State, ...]


def step(
    problem: Problem, state: SceneState, loads: Sequence[Loads], dt: float
) -> tuple[SceneState, list[Report]]:
    """The state after dt, and what the solver did for each body. Nothing else is changed.

    Of every body: the stepper's step, then dampings of velocities, then obstacles.
    """
    found: dict[int, tuple[State, Report]] = {}
    for island in problem.islands:
        found |= step_island(island, problem.stepper, state, loads, dt)
    for i, body in enumerate(problem.bodies):
        if i in found:
            continue
        system, before, filters = body.system, state.bodies[i], _filter_of(body)
        system.recall(before.guess.solver)
        if filters is not None:
            before = before.to_host(system)
        try:
            new, report = problem.stepper.step(body, before, loads[i], dt)
            if filters is not None:
                new = slowed(filters, system, before, new, dt)
        except (SolverError, ValueError) as error:
            if not _tells_no_name(body.name, error):
                raise
            raise type(error)(prefixed(f"{body.name}: ", error)) from error
        guess = replace(new.guess, solver=system.known(motion=report.motion))
        found[i] = (_outside(body, replace(new, guess=guess)), report)
    states, reports = zip(*(found[i] for i in range(len(problem.bodies))), strict=True)
    return SceneState(state.time + dt, states), list(reports)


def step_island(
    island: Island, stepper: Stepper, state: SceneState, loads: Sequence[Loads], dt: float
) -> dict[int, tuple[State, Report]]:
    """One step of bodies that are tied together or touch, made as one body; states by their numbers.

    What hits something fast takes several short steps.
    """
    before, acting = [state.bodies[i] for i in island.numbers], [loads[i] for i in island.numbers]
    one, now_all = Problem((island.problem,), stepper), island.merged(before)
    report, parts = Report(0, 0, 0.0, ""), steps_to_impact(island, now_all, state.time, dt)
    work = np.zeros(len(before))
    for k in range(1, parts + 1):
        end = acting if k == parts else [own.at(state.time + k * dt / parts) for own in acting]
        given = SceneState(state.time, (now_all,)), [island.loads(end)], dt / parts
        after, (solved,) = step(one, *given)
        now_all = after.bodies[0]
        work += island.system.obstacle_work(now_all.x, end[0].time, dt / parts)
        report.add(solved)
        report.retries += solved.retries
    found = {}
    shares = island.split(now_all, before, acting)
    for k, (i, body, then, now) in enumerate(
        zip(island.numbers, island.bodies, before, shares, strict=True)
    ):
        now = replace(now, obstacle_work=then.obstacle_work + float(work[k]))
        filters = _filter_of(body)
        if filters is not None:
            now = slowed(filters, body.system, then, now, dt)
        found[i] = (_outside(body, now), replace(report))
    return found


def _filter_of(body: BodyProblem) -> VelocityFilter | None:
    return body.damping if isinstance(body.damping, VelocityFilter) else None


def _outside(body: BodyProblem, state: State) -> State:
    """The state with no point inside of an obstacle."""
    return keep_out(body.system, state, body.obstacles) if body.obstacles else state


def _tells_no_name(name: str, error: Exception) -> bool:
    """Whether the message of an error does not name the body yet."""
    if isinstance(error, SolverError):
        return True
    return type(error) is ValueError and not str(error).startswith(f"{name}: ")
