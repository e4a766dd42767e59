"""The push of fixed obstacles on the points of a body."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import warp as wp

from pliant.backend import keeps_arrays, start, to_device

from .obstacle_kernels import obstacle_kernels
from .protocol import Local
from .terms import TermEnergy

#: The angular frequency of a point in the margin of an obstacle [rad/s], for a body of 1 m or more.
OMEGA = 500.0
#: The default margin of an obstacle [m], for a body of 1 m.
MARGIN = 0.005
#: Checks that are skipped after one that found points within a margin: they are likely to stay there.
BUSY = 30


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


class ObstacleEnergy(Local, TermEnergy):
    """Points within the margin of obstacles are pushed out.

        W = sum_i sum_o m_i omega^2/2 min(0, d_o(x_i) - margin)^2

    d: signed distance; margin and omega: `push_of` for a body of these points. Satisfies `Energy`,
    with one term per point. The projected Hessian leaves out the curvature of round obstacles, which
    lets points slide off.
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
        a, b, radius = zip(*(o.numbers() for o in obstacles), strict=True)
        pushes = [(margin, square / OMEGA**2) for _, margin, square in self._pushes]
        sizes = np.concatenate([np.array(radius)[:, None], pushes], axis=1)
        kinds = np.array([o.kind for o in obstacles])
        ends = {"a": np.array(a), "b": np.array(b)}
        constants = {"k": OMEGA**2 * masses, "kinds": kinds, **ends, "sizes": sizes}
        every = np.arange(len(points))[:, None]
        super().__init__(points, every, obstacle_kernels(dim, dtype), constants, device=device)
        # Where all points were at the last look, and how far each could go without being pushed [m]:
        # one attribute, so that an interrupt cannot part the two.
        self._seen, self._moves, self._busy = (points, 0.0), np.zeros(points.shape), 0
        self._on_host, self._vec, self._device = not keeps_arrays(device), vec, device

    def value(self, x: Any) -> float:
        """Return W(x) [J]."""
        return 0.0 if self.idle(x) else super().value(x)

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add dW/dx [N] to g."""
        if not self.idle(x):
            super().add_gradient(x, g)

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add d2W/dx2 [N/m] to blocks, or its positive semi-definite stand-in."""
        if not self.idle(x):
            super().add_hessian(x, blocks, slots, project)

    def touches(self, x: Any) -> bool:
        """Whether any point is within a margin."""
        clear = self._clear(x)
        if clear or not self._on_host:
            return not clear
        return any((o.nearest(x)[0] < margin).any() for o, margin, _ in self._pushes)

    def idle(self, x: Any) -> bool:
        """Whether all terms are known to be zero at x, an array of the device.

        On the host the check is cheaper than a kernel over all points; on CUDA it is not.
        """
        if not self._on_host:
            return False
        if self._busy:
            self._busy -= 1
            return False
        return self._all_clear(x.numpy())

    def _clear(self, x: Any) -> bool:
        """Whether no point is within a margin, for positions that live anywhere."""
        if self._on_host:
            return self._all_clear(x)
        return super().value(to_device(x, self._vec, self._device)) == 0.0

    def _all_clear(self, x: np.ndarray) -> bool:
        """Whether no point is within a margin. Points that have hardly moved are not checked again."""
        seen, clearance = self._seen
        with np.errstate(all="ignore"):  # a search may ask for positions that are not finite
            moves = np.subtract(x, seen, out=self._moves)
            if max(moves.max(), -moves.min()) * math.sqrt(x.shape[1]) < clearance:
                return True
            gap = min(float(o.nearest(x)[0].min()) - margin for o, margin, _ in self._pushes)
        clear = gap > 0.0
        if clear:
            self._seen = (x.copy(), gap)
        self._busy = 0 if clear else BUSY
        return clear
