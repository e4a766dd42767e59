"""The contact of explicit steps: points that touch are kept apart as if nothing bound them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from pliant.control import PerBody, Undamped
from pliant.problem import (
    BodyProblem,
    ControlState,
    Difference,
    IslandDamping,
    IslandSystem,
    Loads,
    State,
    System,
)
from pliant.solvers import Report

from .beginning import plain
from .implicit import Implicit

#: As exact as momentum needs it to be where only bodies touch.
TOLERANCE = 0.0


class Once(Implicit):
    """The step of `Implicit` with the pushes at its start for friction: explicit steps are short."""

    reviews = 0


class NoEnergy:
    """Zero, with a stencil for each point: a matrix has their masses. Satisfies `Energy`."""

    limits_steps = False

    def __init__(self, count: int):
        self.stencils = np.arange(count, dtype=np.int32)[:, None]

    def value(self, x: Any) -> float:
        """Zero."""
        return 0.0

    def add_gradient(self, x: Any, g: Any) -> None:
        """Nothing."""

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Nothing."""

    def step_limit(self, x: Any, dx: Any) -> float:
        """Return inf: any positions are admissible."""
        return float("inf")


def kept_apart(
    problem: BodyProblem, state: State, v: np.ndarray, loads: Loads, dt: float
) -> tuple[np.ndarray, ControlState | None, Report]:
    """Positions after dt of points that have velocities v before they touch, with bristles.

        y = argmin 1/(2 dt^2) |y - x - dt v|_M^2 + contact(y) + friction(y)

    Contact alone is implicit: nothing passes through anything, and the step of backward Euler takes
    energy from what hits something, however short the way through the barrier.
    """
    assert isinstance(problem.system, IslandSystem)
    system = _loose(problem.system)
    none = [Undamped() for _ in system.members]
    alone = BodyProblem(problem.name, system, IslandDamping(system, none))
    system.linear.remember(None)  # a step is a function of its arguments
    context = plain(alone, replace(state, v=v, guess=state.guess.without_motion()), loads, dt)
    context = replace(context, load=np.zeros_like(state.x), resisting=_nothing)
    x, solved = Once(TOLERANCE).solve(alone, context, state.control)
    return x, alone.damping.finish(context, solved.control, x), solved.report


def _nothing(d: Difference) -> tuple[Any, ...]:
    return ()


def _loosened(system: IslandSystem) -> IslandSystem:
    """The points of all bodies with their masses, pins and contact, and nothing that binds them."""
    members, labels = [], []
    for _, member in system.members:
        labels.append(np.full(len(member.masses), -1))
        members.append(
            System(
                [NoEnergy(len(member.masses))],
                masses=member.masses,
                pinned=member.pinned,
                components=labels[-1],
                x=member.undeformed,
            )
        )
    how: dict[str, Any] = {"contact": system.contact, "friction": system.friction}
    return IslandSystem(members, labels, lambda firsts, points: (), **how)


#: The loose points of an island.
_loose = PerBody(_loosened)
