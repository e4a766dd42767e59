"""Places all over a surface, dense enough for the cells under it."""

import numpy as np


def scatter(surface, spacing):
    """Corners and weights (s, 3) of places on the triangles, none farther apart than `spacing` [m]."""
    triangles = surface.corners[surface.triangles]
    sides = surface.points[triangles] - surface.points[np.roll(triangles, 1, axis=1)]
    longest = np.linalg.norm(sides, axis=2).max(axis=1)
    parts = np.maximum(1, np.ceil(longest / spacing).astype(int))
    corners, weights = [], []
    for n in np.unique(parts):
        i, j = np.divmod(np.arange((n + 1) ** 2), n + 1)
        i, j = i[i + j <= n], j[i + j <= n]
        chosen = triangles[parts == n]
        corners.append(np.repeat(chosen, len(i), axis=0))
        weights.append(np.tile(np.stack([i, j, n - i - j], axis=1) / n, (len(chosen), 1)))
    return np.concatenate(corners), np.concatenate(weights)


def mean(values, corners, weights):
    """Values per point of the surface, (m,) or (m, 3), at such places."""
    return np.einsum("sc,sc...->s...", weights, values[corners])
