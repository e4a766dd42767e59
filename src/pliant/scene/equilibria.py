"""The static answer of a scene: where all its bodies rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pliant.errors import UnstableError, prefixed
from pliant.problem import BodyProblem, Loads, Problem, State
from pliant.solvers import Report
from pliant.step import require_stable_in_contact, rest_in_contact


def rest_shapes(
    problem: Problem, states: Sequence[State], loads: Sequence[Loads]
) -> list[tuple[np.ndarray, Report]]:
    """The rest shape of every body [m], (n, d), and the report of its search."""
    found: dict[int, tuple[np.ndarray, Report]] = {}
    for island in problem.islands:
        acting = island.loads([loads[i] for i in island.numbers])
        if island.system.contact is None:
            x, report = _rest_shape(island.problem, acting)
        else:
            start = island.merged([states[i] for i in island.numbers])
            x, report = _rest_in_contact(island.problem, start, acting)
        for i, (own, _) in zip(island.numbers, island.system.members, strict=True):
            found[i] = (x[own], report)
    for i, body in enumerate(problem.bodies):
        if i not in found:
            found[i] = _rest_shape(body, loads[i])
    return [found[i] for i in range(len(loads))]


def _rest_in_contact(problem: BodyProblem, start: State, loads: Any) -> tuple[np.ndarray, Report]:
    x, control, report = rest_in_contact(problem, start, loads)
    problem.system.require_upright(x)
    require_stable_in_contact(problem, x, control, loads)
    return x, report


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
