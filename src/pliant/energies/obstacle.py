"""The push of fixed obstacles on the points of a body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import warp as wp

from pliant.backend import start
from pliant.energies.obstacle_kernels import obstacle_kernels
from pliant.energies.terms import TermEnergy

#: How fast a point of a body of 1 m or more would swing in the margin of an obstacle [rad/s].
OMEGA = 500.0
#: The margin of an obstacle that was given none, for a body of 1 m [m].
MARGIN = 0.005


class Solid(Protocol):
    """An obstacle as this energy needs it."""

    kind: int
    margin: float  # [m]
    scaled: bool  # whether that is of a body of 1 m
    friction: float

    def numbers(self) -> tuple[np.ndarray, np.ndarray, float]:
        """Two vectors and a length that kernels know it by."""
        ...

    def nearest(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Signed distances (n,) [m] of points, and normals (n, d)."""
        ...


def size_of(points: np.ndarray) -> float:
    """The size of a body by which margins are measured: its longest side [m]."""
    return float(np.ptp(points, axis=0).max(initial=0.0)) or 1.0


def push_of(obstacle: Solid, size: float) -> tuple[float, float]:
    """The margin of an obstacle [m] for a body of a size [m], and the square of omega there [1/s^2].

    A margin that was given is for bodies of all sizes, and omega is 500/s. By default it is 0.005 of
    the size, and below 1 m omega^2 is inverse to the size: a point gives the same share of its
    margin, a 128th, under its own weight.
    """
    if not obstacle.scaled:
        return obstacle.margin, OMEGA**2
    return obstacle.margin * size, OMEGA**2 * max(1.0, 1.0 / size)


class ObstacleEnergy(TermEnergy):
    """Points within the margin of obstacles are pushed out.

        W = sum_i sum_o m_i omega^2/2 min(0, d_o(x_i) - margin)^2

    d: signed distance; margin and omega: `push_of` for a body of these points. Satisfies `Energy`,
    with one term per point. Projected, the Hessian lacks what lets a point slide off a round
    obstacle. What ends a step inside is put outside after it.
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
        self._pushes = [(o, *push_of(o, size_of(points))) for o in obstacles]
        dim = points.shape[1]
        vec = wp.types.vector(length=dim, dtype=dtype)
        three = wp.types.vector(length=3, dtype=dtype)
        a, b, radius = zip(*(o.numbers() for o in obstacles), strict=True)
        pushes = [(margin, square / OMEGA**2) for _, margin, square in self._pushes]
        sizes = np.concatenate([np.array(radius)[:, None], pushes], axis=1)
        constants: dict[str, Any] = {
            "k": wp.array(OMEGA**2 * masses, dtype=dtype, device=device),
            "kinds": wp.array([o.kind for o in obstacles], dtype=wp.int32, device=device),
            "a": wp.array(np.array(a), dtype=vec, device=device),
            "b": wp.array(np.array(b), dtype=vec, device=device),
            "sizes": wp.array(sizes, dtype=three, device=device),
        }
        every = np.arange(len(points))[:, None]
        super().__init__(points, every, obstacle_kernels(dim, dtype), constants, device=device)

    def touches(self, x: np.ndarray) -> bool:
        """Whether any point is within a margin."""
        return any((o.nearest(x)[0] < margin).any() for o, margin, _ in self._pushes)

    def eased(self, x: np.ndarray, square: float) -> np.ndarray:
        """Where implicit steps of dt^2 = square [s^2] would push each point if it were alone."""
        for o, margin, omega2 in self._pushes:
            share = omega2 * square / (1.0 + omega2 * square)
            d, n = o.nearest(x)
            x = x - share * np.minimum(d - margin, 0.0)[:, None] * n
        return x
