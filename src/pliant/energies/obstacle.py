"""The push of fixed obstacles on the points of a body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import warp as wp

from pliant.backend import HostNumbers, Launches, start, to_device

from .obstacle_kernels import obstacle_kernels
from .terms import TermEnergy

#: The angular frequency of a point in the margin of an obstacle [rad/s], for a body of 1 m or more.
OMEGA = 500.0
#: The default margin of an obstacle [m], for a body of 1 m.
MARGIN = 0.005


class Solid(Protocol):
    """An obstacle as this energy needs it."""

    kind: int
    margin: float  # [m]
    scaled: bool  # whether that is of a body of 1 m
    friction: float

    def numbers(self) -> tuple[np.ndarray, np.ndarray, float]:
        """Two vectors and a length that kernels know it by."""

    def nearest(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Signed distances (n,) [m] of points, and normals (n, d)."""


def size_of(points: np.ndarray) -> float:
    """The size of a body that margins refer to: its longest side [m]."""
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
    with one term per point. The projected Hessian leaves out the curvature of round obstacles, which
    lets points slide off. For runs on a device that have no contact, and steppers that know of none.
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
        dim, size = points.shape[1], size_of(points)
        self._vec, self._device = wp.types.vector(length=dim, dtype=dtype), device
        a, b, radius = zip(*(o.numbers() for o in obstacles), strict=True)
        pushes = [
            (margin, square / OMEGA**2) for margin, square in (push_of(o, size) for o in obstacles)
        ]
        sizes = np.concatenate([np.array(radius)[:, None], pushes], axis=1)
        kinds = np.array([o.kind for o in obstacles])
        ends = {"a": np.array(a), "b": np.array(b)}
        constants = {"k": OMEGA**2 * masses, "kinds": kinds, **ends, "sizes": sizes}
        every = np.arange(len(points))[:, None]
        super().__init__(points, every, obstacle_kernels(dim, dtype), constants, device=device)
        self._found, self._launches = HostNumbers(1, device), Launches(device)

    def touches(self, *positions: Any) -> bool:
        """Whether any point is within a margin, at any of these positions: the host waits once."""
        found = self._found.emptied()
        for x in positions:
            y = to_device(x, self._vec, self._device)
            self._launches(self._run.find, len(y), [y, self._law, found])
        return bool(self._found.read()[0] > 0.0)
