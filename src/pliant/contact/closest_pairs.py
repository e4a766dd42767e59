"""Where pairs of cells are closest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import start

from .penalty_kernels import closest_kernel

#: How two cells of four points together are closest: `segments`, `point_triangle`.
Touching = Callable[[int], Any]


class ClosestPairs:
    """Where the two cells of each stencil of four points are closest, as arrays of a device.

    weights of the points (pairs, 4), unit normals from the second to the first, and distances [m].
    """

    def __init__(self, touching: Touching, stencils: np.ndarray, dim: int, *, device: Any = "cpu"):
        start()
        count, vec = len(stencils), wp.types.vector(dim, wp.float64)
        self.stencils: Any = wp.array(stencils.astype(np.int32), dtype=wp.int32, device=device)
        self.weights: Any = wp.zeros((count, 4), dtype=wp.float64, device=device)
        self.normals: Any = wp.zeros(count, dtype=vec, device=device)
        self.distances: Any = wp.zeros(count, dtype=wp.float64, device=device)
        self._kernel: Any = closest_kernel(touching, dim)

    def find(self, x: Any) -> None:
        """Look at positions x."""
        found = [x, self.stencils, self.weights, self.normals, self.distances]
        wp.launch(self._kernel, dim=len(self.distances), inputs=found, device=x.device)


def distances(points: np.ndarray, touching: Touching, stencils: np.ndarray) -> np.ndarray:
    """The shortest way between the two cells of each stencil of four points [m], (pairs,)."""
    pairs, dim = ClosestPairs(touching, stencils, points.shape[1]), points.shape[1]
    pairs.find(wp.array(points, dtype=wp.types.vector(dim, wp.float64), device="cpu"))
    out: np.ndarray = pairs.distances.numpy()
    return out
