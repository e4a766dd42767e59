"""One step of all bodies of a scene, as a function of what was before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pliant.advice import prefixed
from pliant.damping.filter import VelocityFilter
from pliant.errors import SolverError
from pliant.solvers import Report

from .filtering import filtered
from .loads import Loads
from .outside import keep_out
from .problem import BodyProblem, Problem
from .state import State
from .stepper import Stepper


@dataclass(frozen=True)
class SceneState:
    """All that changes in a scene: the time [s], and the states of its bodies."""

    time: float
    bodies: tuple[State, ...]


def step(
    problem: Problem, state: SceneState, loads: Sequence[Loads], dt: float, stepper: Stepper
) -> tuple[SceneState, list[Report]]:
    """The state after dt, and what the solver did for each body. Nothing else is changed."""
    found = [
        step_body(body, before, acting, dt, stepper)
        for body, before, acting in zip(problem.bodies, state.bodies, loads, strict=True)
    ]
    states, reports = zip(*found, strict=True)
    return SceneState(state.time + dt, states), list(reports)


def step_body(
    problem: BodyProblem, state: State, loads: Loads, dt: float, stepper: Stepper
) -> tuple[State, Report]:
    """One step of one body: the stepper's, then dampings of velocities, then obstacles."""
    system = problem.system
    system.recall(state.guess.solver)
    try:
        if isinstance(problem.damping, VelocityFilter):
            new, report = filtered(stepper, problem.damping, problem, state, loads, dt)
        else:
            new, report = stepper.step(problem, state, loads, dt)
    except SolverError as error:
        raise type(error)(prefixed(f"{problem.name}: ", error)) from error
    except ValueError as error:  # a stepper or a damping that this body cannot have
        if type(error) is not ValueError or str(error).startswith(f"{problem.name}: "):
            raise
        raise ValueError(prefixed(f"{problem.name}: ", error)) from error
    if problem.obstacles:
        new = keep_out(system, new, problem.obstacles)
    known = system.known(motion=report.motion)
    return replace(new, guess=replace(new.guess, solver=known)), report
