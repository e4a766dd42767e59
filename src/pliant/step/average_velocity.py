"""The step by average velocity."""

from __future__ import annotations

import numpy as np

from .explicit import Explicit
from .motion import Accelerations


class AverageVelocity(Explicit):
    """The new velocity from the old state, the new position by the mean of both velocities.

        v_new = v + dt a(x, v),    x_new = x + dt (v + v_new)/2

    First order all the same, since the velocity is: its error is about half that of explicit Euler.
    Undamped vibrations grow at every dt, by sqrt(1 + (omega dt)^2/2) a step; with the damping ratio
    zeta < 1/2 it is stable while omega dt < 4 zeta. Exact under constant acceleration. Angular
    momentum drifts with dt. Source: [amayazordan] 3.
    """

    def advance(
        self, a: Accelerations, x: np.ndarray, v: np.ndarray, dt: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Positions and velocities after dt."""
        new = v + dt * a.whole(x, v, 0.0)
        return x + 0.5 * dt * (v + new), new
