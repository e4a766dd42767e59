"""The push of fixed obstacles on the points of a body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import warp as wp

from pliant.compiling import compilation
from pliant.energies.obstacle_kernels import obstacle_kernels
from pliant.energies.shares import Shares, summed
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


class ObstacleEnergy:
    """Points within the margin of obstacles are pushed out.

        W = sum_i sum_o m_i omega^2/2 min(0, d_o(x_i) - margin)^2

    d: signed distance. Satisfies `Energy`, with one term per point. Projected, the Hessian lacks what
    lets a point slide off a round obstacle.
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
        self._stencils = np.arange(len(points), dtype=np.int32)[:, None]
        self._shares = Shares(points, self._stencils, device=device)
        self._run = obstacle_kernels(dim, dtype)
        vec = wp.types.vector(length=dim, dtype=dtype)
        pair = wp.types.vector(length=2, dtype=dtype)
        a, b, radius = zip(*(o.numbers() for o in obstacles), strict=True)
        sizes = np.array([radius, [o.margin for o in obstacles]]).T
        self._constants: tuple[Any, ...] = (
            wp.array(OMEGA**2 * masses, dtype=dtype, device=device),
            wp.array([o.kind for o in obstacles], dtype=wp.int32, device=device),
            wp.array(np.array(a), dtype=vec, device=device),
            wp.array(np.array(b), dtype=vec, device=device),
            wp.array(sizes, dtype=pair, device=device),
        )
        self._energies: Any = wp.zeros(len(points), dtype=wp.float64, device=device)
        compilation.expect()

    @property
    def stencils(self) -> np.ndarray:
        """Every point for itself: int32, shape (n, 1)."""
        return self._stencils

    def value(self, x: Any) -> float:
        """Return W(x) [J]."""
        self._shares.launch(self._run.value, x, *self._constants, self._energies)
        return summed(self._energies)

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add dW/dx [N] to g."""
        self._shares.launch(self._run.gradient, x, *self._constants, g)

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add d2W/dx2 [N/m] to blocks, or its positive semi-definite stand-in."""
        self._shares.launch(self._run.hessian, x, *self._constants, int(project), slots, blocks)

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

    @property
    def limits_steps(self) -> bool:
        """No: what ends inside is put outside after the step."""
        return False

    def step_limit(self, x: Any, dx: Any) -> float:
        """Return inf: any positions are admissible."""
        return float("inf")
