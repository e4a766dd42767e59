"""Symplectic Euler."""

from __future__ import annotations

import numpy as np

from .explicit import Explicit
from .motion import Accelerations


class SymplecticEuler(Explicit):
    """The explicit step with the new velocity: velocity first, then position.

        v <- v + dt M^-1 (load - grad PE(x)),    v <- v + dt M^-1 loss(x, v),    x <- x + dt v

    The damping acts on the velocity after the elastic force, as in [young2007] (4.3)-(4.9). First
    order, and energy stays bounded: without damping it is stable while dt < 2/omega of the fastest
    mode, which for stiff or fine bodies is microseconds. Keeps angular momentum to rounding
    (with pl.StrainRate to ten digits, since its force is a difference).
    """

    def advance(
        self, a: Accelerations, x: np.ndarray, v: np.ndarray, dt: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Positions and velocities after dt."""
        v = v + dt * a.elastic(x, 0.0)
        v = v + dt * a.loss(x, v, 0.0)
        return x + dt * v, v
