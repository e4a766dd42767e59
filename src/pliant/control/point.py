"""Point damping."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pliant.declared import Quantity, accept
from pliant.problem import Points, Trial, VelocityFilter

#: Why a coefficient below 0 is refused.
FEEDS = "a negative damping feeds energy into the body"


class PointDamping(VelocityFilter):
    """Drag on every point against the world.

        f_i = -gamma v_i'

    gamma [kg/s]. Slows falls and flights as much as vibrations: a body of point masses m falls no
    faster than m g/gamma. A step with dt gamma/m beyond 1 turns velocities round, beyond 2 it blows
    up. `pl.Rayleigh(mass=)` is the same in proportion to mass, without that limit.
    Source: [schmedding2009] (2).
    """

    def __init__(
        self,
        gamma: Annotated[
            float,
            Quantity(
                "drag of a point; slows falls too",
                "kg/s",
                at_least=0.0,
                says="gamma >= 0 [kg/s]",
                why=FEEDS,
                example=1.0,
            ),
        ],
    ):
        self.gamma: float
        (self.gamma,) = accept(self, gamma=gamma)

    @classmethod
    def trials(cls) -> list[Trial]:
        """One trial, by the mean mass of a point."""
        return [
            Trial(
                "PointDamping",
                lambda body, mode: cls(2.0 * mode.viscous * float(body.masses.mean())),
                "2 sigma by the mean mass of a point",
            )
        ]

    def forces(self, points: Points, v: np.ndarray, dt: float) -> np.ndarray:
        """-gamma v'."""
        force: np.ndarray = -self.gamma * v
        return force
