"""Where dampings of velocities act: after the step of any stepper."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pliant.control import PerBody, Points, VelocityFilter
from pliant.problem import State, System


def slowed(
    damping: VelocityFilter, system: System, before: State, state: State, dt: float
) -> State:
    """The state after a damping of velocities has acted on it; before: at the start of the step."""
    points = replace(filter_points(system), x=before.x)
    dv, dx = damping.slowed(points, before.v, state.v, dt)
    free = system.free[:, None]
    return replace(
        state,
        v=state.v + free * dv,
        x=state.x + free * dx,
        drift=None,
        guess=state.guess.without_motion(),
    )


def _make_points(system: System) -> Points:
    """The body as a damping of velocities sees it: points that share a stencil are neighbours."""
    pattern = system.assembly.pattern
    rows, columns = np.asarray(pattern.rows), np.asarray(pattern.columns)
    pairs = np.stack([rows, columns], axis=1)[rows < columns]
    return Points(
        system.undeformed, system.masses, pairs, system.cells, undeformed=system.undeformed
    )


#: The points of a body. Each step replaces `x`.
filter_points = PerBody(_make_points)
