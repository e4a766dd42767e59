"""The rigid motion that a reduced body is carried by."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pliant.mesh import in_space

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class BodyFrame:
    """Where a reduced body is, how it is turned, and its momentum.

        x = centre + rotation (X - centre of X + U q)

    centre [m], (3,): of mass, if the body is free. rotation, (3, 3). momentum [kg m/s], (3,), and spin
    [kg m^2/s], (3,), its angular momentum about the centre: of a free body; zero of one that is held.
    velocity [m/s] and turning [1/s], (3,): of the centre and of the rotation of a body that is held by
    pins that are driven; zero of others.
    """

    centre: Array
    rotation: Array
    momentum: Array
    spin: Array
    velocity: Array = field(default_factory=lambda: np.zeros(3))
    turning: Array = field(default_factory=lambda: np.zeros(3))

    @classmethod
    def still(cls, centre: Array, rotation: Array | None = None) -> BodyFrame:
        """A frame without momentum."""
        return cls(centre, np.eye(3) if rotation is None else rotation, np.zeros(3), np.zeros(3))

    @property
    def turned(self) -> bool:
        """Whether it is turned against the mesh."""
        return bool((self.rotation != np.eye(3)).any())

    @property
    def led(self) -> bool:
        """Whether pins that are driven move it."""
        return bool(self.velocity.any() or self.turning.any())

    def velocities(self, x: Array) -> Array:
        """Those of points at x [m], (n, d), that pins carry along [m/s]."""
        arms = in_space(x) - self.centre
        found: Array = (self.velocity + np.cross(self.turning, arms))[:, : x.shape[1]]
        return found
