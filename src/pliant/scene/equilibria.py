"""The static answer of a scene: where all its bodies rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pliant.errors import UnstableError, prefixed
from pliant.problem import BodyProblem, Loads, Problem
from pliant.solvers import Report


def rest_shapes(problem: Problem, loads: Sequence[Loads]) -> list[tuple[np.ndarray, Report]]:
    """The rest shape of every body [m], (n, d), and the report of its search."""
    found: dict[int, tuple[np.ndarray, Report]] = {}
    for island in problem.islands:
        x, report = _rest_shape(island.problem, island.loads([loads[i] for i in island.numbers]))
        for i, (own, _) in zip(island.numbers, island.system.members, strict=True):
            found[i] = (x[own], report)
    for i, body in enumerate(problem.bodies):
        if i not in found:
            found[i] = _rest_shape(body, loads[i])
    return [found[i] for i in range(len(loads))]


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
