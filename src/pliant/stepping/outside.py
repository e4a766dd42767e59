"""Points that a step has left inside an obstacle are put outside."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.energies.obstacle import Solid

from .state import State
from .system import System

#: Obstacles may lie close together: put outside one, a point may be inside the next.
ROUNDS = 4


def keep_out(system: System, state: State, obstacles: Sequence[Solid]) -> None:
    """Put free points on the surface of what they are in; velocities lose what goes inwards.

    Kinetic energy can only fall. Pins are where they were put.
    """
    state.lower(system)
    x, touched = state.x, False
    free = np.flatnonzero(system.free)
    for _ in range(ROUNDS):
        inside = False
        for obstacle in obstacles:
            d, n = obstacle.nearest(x[free])
            deep = d < 0.0
            if not deep.any():
                continue
            if not touched:
                x, v = x.copy(), state.v.copy()
                drift = None if state.drift is None else state.drift.copy()
                touched = True
            inside, points, n = True, free[deep], n[deep]
            x[points] -= d[deep, None] * n
            for velocity in (v, drift):
                if velocity is not None:
                    into = np.minimum(np.einsum("ni,ni->n", velocity[points], n), 0.0)
                    velocity[points] -= into[:, None] * n
        if not inside:
            break
    if touched:
        state.displace(x, v, drift)
