"""Point damping."""

from __future__ import annotations

import numpy as np

from pliant.errors import check_not_negative, is_finite
from pliant.given import shown

from .filter import Points, VelocityFilter


class PointDamping(VelocityFilter):
    """Drag on every point against the world.

        f_i = -gamma v_i'

    gamma [kg/s]. Slows falls and flights as much as vibrations: a body of point masses m falls no
    faster than m g/gamma. A step with dt gamma/m beyond 1 turns velocities round, beyond 2 it blows
    up. `pl.Rayleigh(mass=)` is the same in proportion to mass, without that limit.
    Source: [schmedding2009] (2).
    """

    def __init__(self, gamma: float):
        self.gamma = coefficient("PointDamping", "gamma", gamma, "kg/s")

    def __repr__(self) -> str:
        return f"PointDamping({self.gamma})"

    def forces(self, points: Points, v: np.ndarray, dt: float) -> np.ndarray:
        """-gamma v'."""
        return -self.gamma * v


def coefficient(who: str, name: str, value: float, unit: str) -> float:
    """A coefficient of 0 or more, or an error that says what was given."""
    if not (is_finite(value) and value >= 0.0):
        raise ValueError(
            f"{who}: got {name}={shown(value)}; expected {name} >= 0 [{unit}]: a negative damping feeds "
            "energy into the body"
        )
    check_not_negative(who, name, value, unit)
    return float(value)
