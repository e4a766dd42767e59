"""What cuts bodies: planes, balls, limbs and sheets of triangles."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.errors import shown
from pliant.mesh import CutSurface

from .obstacles import Capsule, HalfSpace, Obstacle


class ObstacleBlade:
    """The surface of a plane, a ball or a capsule, as a `CutSurface`."""

    def __init__(self, obstacle: Obstacle):
        self._obstacle = obstacle

    def heights(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distances, and zeros: it has no rim."""
        return self._obstacle.nearest(x)[0], np.zeros(len(x))


def blade_of(by: Any, dim: int, time: float) -> CutSurface:
    """What cuts a body of a dimension at a time [s]; refuses what cannot."""
    if isinstance(by, (HalfSpace, Capsule)):
        if by.dim != dim:
            raise ValueError(f"cut: got {by!r} in {by.dim}D; expected a surface in {dim}D")
        return ObstacleBlade(by.at(time) if by.moves else by)
    raise TypeError(
        f"cut: got by={shown(by)}; expected a plane, such as pl.HalfSpace((0, 0, 0), (1, 0, 0)), "
        "a pl.Sphere or a pl.Capsule"
    )
