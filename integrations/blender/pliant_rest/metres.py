"""From an object's own coordinates to metres and back."""

from dataclasses import dataclass

import numpy as np

from .failure import Failure


@dataclass(frozen=True)
class Metres:
    """A linear map from object coordinates to metres that neither turns nor mirrors.

    The world matrix is R P, with P symmetric and positive (its stretch) and R a rotation, perhaps
    with a reflection. The simulation lives in P x: lengths are right under any scale, also a
    negative or sheared one, and the object's own rotation carries the result along afterwards.
    """

    stretch: np.ndarray  # (3, 3), symmetric and positive [m per unit]
    turn: np.ndarray  # (3, 3), orthogonal

    @classmethod
    def of(cls, world, metres_per_unit):
        """From a world matrix, whose translation does not matter."""
        matrix = np.array(world, dtype=float)[:3, :3]
        u, sizes, v = np.linalg.svd(matrix)
        if sizes[-1] <= 1e-6 * max(sizes[0], 1e-30):
            raise Failure(
                f"The object is scaled to nothing in one direction ({sizes[-1]:.3g}); give it a size"
            )
        return cls((v.T * (sizes * metres_per_unit)) @ v, u @ v)

    def to(self, points):
        """Object coordinates to metres."""
        return points @ self.stretch

    def back(self, points):
        """Metres to object coordinates."""
        return points @ np.linalg.inv(self.stretch)

    def direction(self, vector):
        """A vector of the world, such as gravity, as the object sees it."""
        return np.asarray(vector, dtype=float) @ self.turn
