"""The nearest places of a surface to points."""

from __future__ import annotations

import numpy as np

from .closest import POINT_TRIANGLE
from .pairs import Pairs

#: Pairs that are looked at together.
TOGETHER = 200_000


def nearest_on_triangles(
    x: np.ndarray, points: np.ndarray, triangles: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Distances (n,) [m] of x (n, 3) from triangles (m, 3) of points, and directions from there (n, 3).

    All triangles are looked at for each point.
    """
    distances, normals = np.empty(len(x)), np.empty((len(x), 3))
    every = np.concatenate([points, x])
    each = max(1, TOGETHER // len(triangles))
    for first in range(0, len(x), each):
        own = np.arange(first, min(first + each, len(x)))
        stencils = np.empty((len(own), len(triangles), 4), dtype=np.int32)
        stencils[:, :, 0] = len(points) + own[:, None]
        stencils[:, :, 1:] = triangles
        count = len(own) * len(triangles)
        laws = np.tile([0.0, 1.0, 1.0, 0.0], (count, 1))
        pairs = Pairs.of(stencils.reshape(-1, 4), np.full(count, POINT_TRIANGLE), laws, dim=3)
        touch = pairs.touch(every)
        d = touch.distances.reshape(len(own), -1)
        best = d.argmin(axis=1)
        distances[own] = d[np.arange(len(own)), best]
        normals[own] = touch.normals.reshape(len(own), -1, 3)[np.arange(len(own)), best]
    return distances, normals
