"""Where dampings of velocities act: after the step of any stepper."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pliant.damping.filter import Points, VelocityFilter
from pliant.damping.per_body import PerBody
from pliant.solvers import Report

from .loads import Loads
from .problem import BodyProblem
from .state import State
from .system import System

if TYPE_CHECKING:
    from .stepper import Stepper


def filtered(
    stepper: Stepper,
    damping: VelocityFilter,
    problem: BodyProblem,
    state: State,
    loads: Loads,
    dt: float,
) -> tuple[State, Report]:
    """A step, and what a damping of velocities does to the state it has reached."""
    system = problem.system
    state = state.to_host(system)
    new, report = stepper.step(problem, state, loads, dt)
    points = replace(filter_points(system), x=state.x)
    dv, dx = damping.slowed(points, state.v, new.v, dt)
    free = system.free[:, None]
    return replace(
        new,
        v=new.v + free * dv,
        x=new.x + free * dx,
        drift=None,
        guess=new.guess.without_motion(),
    ), report


def _make_points(system: System) -> Points:
    """The body as a damping of velocities sees it: points are neighbours where an energy says so."""
    pattern = system.assembly.pattern
    rows, columns = np.asarray(pattern.rows), np.asarray(pattern.columns)
    pairs = np.stack([rows, columns], axis=1)[rows < columns]
    return Points(
        system.undeformed, system.masses, pairs, system.cells, undeformed=system.undeformed
    )


#: The points of a body; `x` is to be replaced.
filter_points = PerBody(_make_points)
