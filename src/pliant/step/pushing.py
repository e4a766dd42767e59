"""How far bodies move before they touch, and pins that push what is in their way."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from pliant.errors import SolverError
from pliant.problem import Inertia, Island, IslandSystem, State, System
from pliant.solvers import Newton

from .past_obstacles import past_obstacles

#: How often what pins push may get out of their way in one step.
STAGES = 60
#: Newton iterations after which nothing gets out of their way.
MOST_OF_A_STAGE = 100
#: Of how many pins a point is carried along, and with which power of the distance that fades.
NEAREST, POWER = 8, 4

#: Forces are differenced over this share of the size of all bodies, and systems solved to that residual.
BRIEF, ROUGH = 1e-8, 1e-3

#: What meets something goes this share of the smallest body in a step, in at most so many steps.
SHARE, MOST_STEPS_TO_IMPACT = 0.25, 64


class Blocked(SolverError):
    """Pins drive points into something that does not get out of their way, in a step of this length."""


def apart(system: System, x: Any, y: Any, load: Any, time: float, dt: float) -> Any:
    """Positions on the way from x to y, with pins where they are in y, at which nothing touches.

    If pins push other bodies, these are carried along as far as nothing touches. Then they are given
    the time dt [s] to get out of the way, and so on. Obstacles that move do the same, and are then where
    they are at `time` [s].
    """
    y = system.nearest(y)
    if isinstance(system, IslandSystem) and system.meets_moving:
        x = past_obstacles(system, x, y, load, time, dt)
        if x is y:
            return y
    found = system.reach(x, y)
    if found is y:
        return y
    pinned = system.pinned
    if not system.spaces.of(y).on_host:  # there pins stand still
        return found
    goal: np.ndarray = y[pinned]
    if np.array_equal(goal, x[pinned]):
        return found
    inertia, found = Inertia(1.0 / dt**2, y), x
    objective = system.objective(inertia, load, system.unrestricted)
    for _ in range(STAGES):
        guesses = (
            _carried_along(found, pinned, goal),
            _led(system, objective, found, pinned, goal),
        )
        ways = [system.nearest(guess) for guess in guesses]
        reached = [system.reach(found, way) for way in ways]
        for way, there in zip(ways, reached, strict=True):
            if there is way:
                return way
        left = [np.abs(there[pinned] - goal).max() for there in reached]
        there = reached[int(np.argmin(left))]
        found, report = system.minimise(
            Newton(relative=0.1, iterations=MOST_OF_A_STAGE), objective, there
        )
        if report.iterations >= MOST_OF_A_STAGE:
            break
    late = np.flatnonzero(pinned)[np.abs(found[pinned] - goal).max(axis=1) > 0.0]
    raise Blocked(
        f"pins drive points {late[:10].tolist()} into something that does not get out of their way; "
        "expected a path with room for what is between: body.move(...)"
    )


def steps_to_impact(island: Island, state: State, time: float, dt: float) -> int:
    """In how many steps a step from `time` [s] on of bodies that may touch is made.

    One step can find its way around what is small beside the way in it, and come out behind it. So what
    meets something goes only a share of the size of the smallest body, or obstacle, in each.
    """
    system = island.system
    contact, damping = system.contact, island.problem.damping
    if contact is None or damping.controlled:
        return 1
    v = system.spaces.of(state.x)
    way = v.mixed(dt, state.v, 0.0, state.v)
    if v.on_host:
        way[system.pinned] = 0.0
    longest = v.longest(way)
    if contact.paths is not None:
        contact.aim_at(time)
        longest += contact.paths.at(time + dt).farthest(contact.paths.at(time), state.x)
    count = math.ceil(longest / (SHARE * contact.surface.smallest))
    if count <= 1 or _passes(system, state.x, way, time + dt):
        return 1
    return min(count, MOST_STEPS_TO_IMPACT)


def _led(
    system: System, objective: Any, x: np.ndarray, pinned: np.ndarray, goal: np.ndarray
) -> np.ndarray:
    """Positions with pins at their goal, and other points where forces, linearised, put them.

    They slide along what they touch, where points that are carried along would go into it.
    """
    way = np.zeros_like(x)
    way[pinned] = goal - x[pinned]
    share = min(1.0, BRIEF * system.size / float(np.abs(way).max()))
    begin, end = objective.residual(x), objective.residual(x + share * way)
    system.linear.assemble(objective, x, project=True)
    found, _ = system.linear.solve(begin + (end - begin) / share, rtol=ROUGH)
    out: np.ndarray = x + way + found
    out[pinned] = goal
    return out


def _passes(system: IslandSystem, x: np.ndarray, way: np.ndarray, time: float) -> bool:
    """Whether nothing touches while points go their ways, and obstacles to where they are at a time."""
    contact, array = system.contact, system.assembly.array
    assert contact is not None
    if contact.paths is None:
        return contact.step_limit(array(x), array(way)) > 1.0
    return contact.obstacle_limit(array(x), *contact.paths.at(time).ends, dx=array(way)) >= 1.0


def _carried_along(x: np.ndarray, pinned: np.ndarray, goal: np.ndarray) -> np.ndarray:
    """Positions with pins at their goal, and other points moved as the pins near them.

    Source: [shepard1968].
    """
    pins = x[pinned]
    out: np.ndarray = x.copy()
    count = min(NEAREST, len(pins))
    far, nearest = cKDTree(pins).query(x[~pinned], k=list(range(1, count + 1)))
    weights = 1.0 / np.maximum(far, 1e-12) ** POWER
    weights /= weights.sum(axis=1, keepdims=True)
    out[~pinned] += np.einsum("pk,pkd->pd", weights, (goal - pins)[nearest])
    out[pinned] = goal
    return out
