"""How often surfaces go around points."""

from __future__ import annotations

import numpy as np

#: A surface whose winding number is not whole to this is not closed.
WHOLE = 1e-6


def winding(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """How often facets (m, d, d) go around points (k, d): 1 inside of a closed surface, 0 outside.

    The sum of their solid angles over that of all directions; of open surfaces it is not whole.
    Source: [vanoosterom1983].
    """
    a = corners[None] - points[:, None, None]  # (k, m, d, d)
    if points.shape[1] == 2:
        u, v = a[:, :, 0], a[:, :, 1]
        across = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
        turns = np.arctan2(across, (u * v).sum(axis=2)) / (2.0 * np.pi)
    else:
        length = np.linalg.norm(a, axis=3)
        u, v, w = a[:, :, 0], a[:, :, 1], a[:, :, 2]
        volume = np.einsum("kmi,kmi->km", u, np.cross(v, w))
        below = length.prod(axis=2)
        for p, q, far in ((u, v, 2), (v, w, 0), (w, u, 1)):
            below = below + np.einsum("kmi,kmi->km", p, q) * length[:, :, far]
        turns = np.arctan2(volume, below) / (2.0 * np.pi)
    out: np.ndarray = turns.sum(axis=1)
    return out


def goes_around(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Which points (k, d) a closed surface of facets (m, d, d) goes around; none if it is open."""
    if not len(corners):
        return np.zeros(len(points), dtype=bool)
    found = winding(points, corners)
    whole = np.abs(found - np.round(found)) < WHOLE
    out: np.ndarray = whole & (np.abs(np.round(found)) >= 1.0)
    return out
