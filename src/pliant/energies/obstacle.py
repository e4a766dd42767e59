"""The push of fixed obstacles on the points of a body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import warp as wp

from pliant.energies.obstacle_kernels import obstacle_kernels
from pliant.energies.terms import TermEnergy
from pliant.runtime import start

#: How fast a point would swing in the margin of an obstacle [rad/s].
OMEGA = 500.0


class Solid(Protocol):
    """An obstacle as this energy needs it."""

    kind: int
    margin: float
    friction: float

    def numbers(self) -> tuple[np.ndarray, np.ndarray, float]:
        """Two vectors and a length that kernels know it by."""
        ...

    def nearest(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Signed distances (n,) [m] of points, and normals (n, d)."""
        ...


class ObstacleEnergy(TermEnergy):
    """Points within the margin of obstacles are pushed out.

        W = sum_i sum_o m_i omega^2/2 min(0, d_o(x_i) - margin)^2

    d: signed distance. Satisfies `Energy`, with one term per point. Projected, the Hessian lacks what
    lets a point slide off a round obstacle. What ends a step inside is put outside after it.
    """

    def __init__(
        self,
        points: np.ndarray,
        masses: np.ndarray,
        obstacles: Sequence[Solid],
        *,
        device: Any = "cpu",
        dtype: Any = wp.float64,
    ):
        start()
        self._obstacles = obstacles
        dim = points.shape[1]
        vec = wp.types.vector(length=dim, dtype=dtype)
        pair = wp.types.vector(length=2, dtype=dtype)
        a, b, radius = zip(*(o.numbers() for o in obstacles), strict=True)
        sizes = np.array([radius, [o.margin for o in obstacles]]).T
        constants: dict[str, Any] = {
            "k": wp.array(OMEGA**2 * masses, dtype=dtype, device=device),
            "kinds": wp.array([o.kind for o in obstacles], dtype=wp.int32, device=device),
            "a": wp.array(np.array(a), dtype=vec, device=device),
            "b": wp.array(np.array(b), dtype=vec, device=device),
            "sizes": wp.array(sizes, dtype=pair, device=device),
        }
        every = np.arange(len(points))[:, None]
        super().__init__(points, every, obstacle_kernels(dim, dtype), constants, device=device)

    def touches(self, x: np.ndarray) -> bool:
        """Whether any point is within a margin."""
        return any((o.nearest(x)[0] < o.margin).any() for o in self._obstacles)

    def eased(self, x: np.ndarray, square: float) -> np.ndarray:
        """Where implicit steps of dt^2 = square [s^2] would push each point if it were alone."""
        share = OMEGA**2 * square / (1.0 + OMEGA**2 * square)
        for o in self._obstacles:
            d, n = o.nearest(x)
            x = x - share * np.minimum(d - o.margin, 0.0)[:, None] * n
        return x
