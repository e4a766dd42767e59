"""The classical Runge-Kutta step."""

from __future__ import annotations

import numpy as np

from .explicit import Explicit
from .motion import Accelerations


class RungeKutta4(Explicit):
    """Four looks at the acceleration, at the beginning, twice in the middle, and at the end.

        k1 = f(t, y),  k2 = f(t + dt/2, y + dt/2 k1),  k3 = f(t + dt/2, y + dt/2 k2),
        k4 = f(t + dt, y + dt k3),        y <- y + dt/6 (k1 + 2 k2 + 2 k3 + k4),   y = (x, v)

    Fourth order, in forces, loads and driven pins that are smooth. Without damping it is stable while
    dt < 2.83/omega of the fastest mode, and loses energy there with (omega dt)^6/72 a step. Angular
    momentum is kept to fourth order in dt. Source: [hairer1993] II.1.
    """

    def advance(
        self, a: Accelerations, x: np.ndarray, v: np.ndarray, dt: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Positions and velocities after dt."""
        half = 0.5 * dt
        a1 = a.whole(x, v, 0.0)
        v2 = v + half * a1
        a2 = a.whole(x + half * v, v2, 0.5)
        v3 = v + half * a2
        a3 = a.whole(x + half * v2, v3, 0.5)
        v4 = v + dt * a3
        a4 = a.whole(x + dt * v3, v4, 1.0)
        x = x + dt / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4)
        return x, v + dt / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
