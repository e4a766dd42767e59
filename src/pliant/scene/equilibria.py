"""The static answer of a scene: where all its bodies rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pliant.errors import UnstableError, prefixed
from pliant.problem import BodyProblem, Island, Loads, Problem, State
from pliant.solvers import Report
from pliant.step import require_stable_in_contact, rest_in_contact


def rest_shapes(
    problem: Problem, states: Sequence[State], loads: Sequence[Loads]
) -> list[tuple[np.ndarray, Report]]:
    """The rest shape of every body [m], (n, d), and the report of its search."""
    meeting, begin = problem.meeting, [state.x for state in states]
    if meeting is None:
        return _apart(problem, loads)
    time, free = loads[0].time, [body.system.has_free_part for body in problem.bodies]
    if not meeting.near(begin, time) and not (meeting.lands and any(free)):
        found = _apart(problem, loads)
        rest = [x for x, _ in found]
        # A search does not follow a way on which bodies could not pass themselves.
        if not meeting.near(rest, time) and not meeting.near(begin, time, rest, own=False):
            return found
    return _in_contact(meeting.island, states, loads)


def _apart(problem: Problem, loads: Sequence[Loads]) -> list[tuple[np.ndarray, Report]]:
    """Rest shapes of bodies that touch nothing."""
    found: dict[int, tuple[np.ndarray, Report]] = {}
    for island in problem.islands:
        acting = island.loads([loads[i] for i in island.numbers])
        x, report = _rest_shape(island.problem, acting)
        for i, (own, _) in zip(island.numbers, island.system.members, strict=True):
            found[i] = (x[own], report)
    for i, body in enumerate(problem.bodies):
        if i not in found:
            found[i] = _rest_shape(body, loads[i])
    return [found[i] for i in range(len(loads))]


def _in_contact(
    island: Island, states: Sequence[State], loads: Sequence[Loads]
) -> list[tuple[np.ndarray, Report]]:
    """Rest shapes of all bodies of an island, which may touch."""
    acting, start = island.loads(loads), island.merged(states)
    x, control, report = rest_in_contact(island.problem, start, acting)
    island.system.require_upright(x)
    require_stable_in_contact(island.problem, x, control, acting)
    return [(x[own], report) for own, _ in island.system.members]


def _rest_shape(problem: BodyProblem, loads: Any) -> tuple[np.ndarray, Report]:
    system, x = problem.system, loads.pinned
    try:
        locked = system.locks(x, loads.on(x))
    except UnstableError as error:
        raise UnstableError(prefixed(f"{problem.name}: ", error)) from None
    x, report = system.equilibrium(x, loads.on, locked=locked)
    system.require_upright(x)
    system.require_stable(x, locked=locked)
    return x, report
