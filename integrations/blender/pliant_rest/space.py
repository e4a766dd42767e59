"""From objects' own coordinates to those of the simulation and back."""

from dataclasses import dataclass

import numpy as np

from .failure import Failure


@dataclass(frozen=True)
class Space:
    """Metres, the world's axes, and an origin near the objects: float32 is precise only there."""

    unit: float  # [m] of one unit of the scene
    origin: np.ndarray  # (3,) [m]

    def to(self, points, matrices):
        """Points (..., n, 3) of an object with world matrices (..., 4, 4), in metres from the origin."""
        world = points @ np.swapaxes(matrices[..., :3, :3], -1, -2) + matrices[..., None, :3, 3]
        return self.unit * world - self.origin

    def back(self, points, matrices):
        """The inverse of `to`."""
        away = (points + self.origin) / self.unit - matrices[..., None, :3, 3]
        return away @ np.swapaxes(np.linalg.inv(matrices[..., :3, :3]), -1, -2)


def require_size(name, matrix):
    """Refuse an object that is scaled to nothing; its bake could not be put back onto it."""
    sizes = np.linalg.svd(matrix[:3, :3], compute_uv=False)
    if sizes[-1] <= 1e-6 * max(sizes[0], 1e-30):
        raise Failure(
            f"{name} is scaled to nothing in one direction ({sizes[-1]:.3g}); give it a size"
        )
