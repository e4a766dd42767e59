"""Explicit Euler."""

from __future__ import annotations

import numpy as np

from .explicit import Explicit
from .motion import Accelerations


class ExplicitEuler(Explicit):
    """Everything from the old state: the plainest step there is.

        x <- x + dt v,    v <- v + dt a(x, v)

    First order. Undamped vibrations grow at every dt, by sqrt(1 + (omega dt)^2) a step; with the
    damping ratio zeta < 1 it is stable while omega dt < 2 zeta. Angular momentum drifts with dt.
    For comparison and teaching; `SymplecticEuler` costs the same. Source: [liulecture],
    mass-spring model.
    """

    def advance(
        self, a: Accelerations, x: np.ndarray, v: np.ndarray, dt: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Positions and velocities after dt."""
        return x + dt * v, v + dt * a.whole(x, v, 0.0)
