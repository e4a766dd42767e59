"""Nodes that know place and gradient, as four points each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

#: Corners of a regular tetrahedron whose mean is zero and whose second moments are one.
CORNERS = np.array([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)], dtype=float)


@dataclass(frozen=True)
class ElastonNodes:
    """Nodes X (n, 3) [m] and the four points of each: a tetrahedron that moves with the node's gradient.

        points = X + D c_a,    x = mean of the points,    F = 1/4 sum_a x_a (D^-1 c_a)^T

    with c_a the CORNERS. With a quarter of the mass each, the points have the inertia of the node's
    share of the body, whose second moments are D D^T [m^2].
    """

    X: np.ndarray
    D: np.ndarray  # (n, 3, 3)

    @classmethod
    def of(cls, X: np.ndarray, moments: np.ndarray) -> ElastonNodes:
        """Nodes whose shares of the body have these mean second moments about them (n, 3, 3) [m^2]."""
        values, vectors = np.linalg.eigh(moments)
        vectors[:, :, 0] *= np.linalg.det(vectors)[:, None]  # right-handed: tetrahedra with volume
        return cls(X, vectors * np.sqrt(values)[:, None, :])

    def __len__(self) -> int:
        return len(self.X)

    @property
    def points(self) -> np.ndarray:
        """The points of all nodes, four by four, (4 n, 3) [m]."""
        out: np.ndarray = (self.X[:, None] + np.einsum("nij,aj->nai", self.D, CORNERS)).reshape(
            -1, 3
        )
        return out

    @property
    def cells(self) -> np.ndarray:
        """The tetrahedra, (n, 4)."""
        order = [0, 2, 1, 3] if np.linalg.det(CORNERS[1:] - CORNERS[0]) < 0 else [0, 1, 2, 3]
        return np.arange(4 * len(self)).reshape(-1, 4)[:, order]

    def of_points(self) -> np.ndarray:
        """Place and gradient of each node as sums over its points, (n, 4, 4)."""
        sums = np.full((len(self), 4, 4), 0.25)
        sums[:, 1:] = 0.25 * np.einsum("aj,nji->nia", CORNERS, np.linalg.inv(self.D))
        return sums

    def carried(self, node: np.ndarray, offset: np.ndarray) -> np.ndarray:
        """Weights (m, 4) of the node's points for what is at X + offset (m, 3) [m] and goes with it."""
        data = np.concatenate([np.ones((len(offset), 1)), offset], axis=1)
        return np.asarray(np.einsum("md,mda->ma", data, self.of_points()[node]))
