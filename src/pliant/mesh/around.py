"""How a surface is deformed around each of its points, told by its own faces."""

from __future__ import annotations

import numpy as np

from .arrays import Floats, Indices
from .surface import Surface


def maps_around(surface: Surface, before: Floats, after: Floats) -> Floats:
    """Linear maps of the surroundings of points that went from `before` (m, 3) to `after` (..., m, 3).

    (..., m, 3, 3): at each point the mean over the corners there, by the area between their two edges.
    A corner takes both edges along, and its unit normal to its unit normal. Where all corners of a
    point are flat to nothing it is the identity.
    """
    following = surface.following
    leading = np.empty_like(following)
    leading[following] = np.arange(len(following))
    corners = surface.corners[np.stack([np.arange(len(following)), following, leading], axis=1)]
    start, area = _frames(before, corners)
    sound = area > 1e-14 * area.max()
    corners, start, area = corners[sound], start[sound], area[sound]
    maps = area[:, None, None] * (_frames(after, corners)[0] @ np.linalg.inv(start))
    found = np.zeros((len(before), *after.shape[:-2], 3, 3))
    np.add.at(found, corners[:, 0], np.moveaxis(maps, -3, 0))
    found = np.moveaxis(found, 0, -3)
    total = np.bincount(corners[:, 0], area, len(before))
    bare = total == 0.0
    found[..., bare, :, :] = np.eye(3)
    return np.asarray(found / np.where(bare, 1.0, total)[:, None, None])


def _frames(x: Floats, corners: Indices) -> tuple[Floats, Floats]:
    """Two edges and the unit normal of corners as columns (..., t, 3, 3), and twice their areas."""
    a, b, c = (x[..., points, :] for points in corners.T)
    normal = np.cross(b - a, c - a)
    area = np.linalg.norm(normal, axis=-1)
    unit = normal / np.maximum(area, 1e-300)[..., None]
    return np.stack([b - a, c - a, unit], axis=-1), area
