"""Where dampings of velocities act: after the step of any stepper."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pliant.damping import Damping
from pliant.damping.filter import Points, VelocityFilter
from pliant.solvers import Report

from .state import State, Surroundings
from .system import System

Step = Callable[[System, State, Surroundings, Damping, float], Report]


def points_of(system: System, x: np.ndarray, memory: dict) -> Points:
    """The body as a damping of velocities sees it: points are neighbours where an energy says so."""
    if "pairs" not in memory:
        memory["pairs"] = _pairs(system)
    return Points(x, system.masses, memory["pairs"], system.cells, system.undeformed, memory)


def filtered(
    step: Step, system: System, state: State, around: Surroundings, damping: Damping, dt: float
) -> Report:
    """A step, and what a damping of velocities does to the state it has reached."""
    if not isinstance(damping, VelocityFilter):
        return step(system, state, around, damping, dt)
    state.lower(system)
    points = points_of(system, state.x, state.memory.setdefault("filter", {}))
    before = state.v
    report = step(system, state, around, damping, dt)
    dv, dx = damping.slowed(points, before, state.v, dt)
    free = system.free[:, None]
    state.v, state.x = state.v + free * dv, state.x + free * dx
    state.drift = state.correction = state.trend = None
    return report


def _pairs(system: System) -> np.ndarray:
    pattern = system.assembly.pattern
    rows, columns = np.asarray(pattern.rows), np.asarray(pattern.columns)
    return np.stack([rows, columns], axis=1)[rows < columns]
