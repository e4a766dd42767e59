"""What cuts bodies: planes, balls, limbs, sheets of triangles, and lines in the plane."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.errors import shown
from pliant.given import floats_or_nan
from pliant.mesh import CutSurface, Surface, closest, nearest

from .mesh_obstacle import MeshObstacle
from .obstacles import Capsule, HalfSpace, Obstacle

#: What is less than this share of the size of a sheet beyond its rim is on it.
BEYOND = 1e-9


class ObstacleBlade:
    """The surface of a plane, a ball or a capsule, as a `CutSurface`."""

    def __init__(self, obstacle: Obstacle):
        self._obstacle = obstacle

    def heights(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distances, and zeros: it has no rim."""
        return self._obstacle.nearest(x)[0], np.zeros(len(x))


class SheetBlade:
    """A sheet of triangles in space, or a line in the plane, closed or with a rim.

    points (p, d) [m]; facets (f, d): the points of each, all of one orientation.
    """

    def __init__(self, points: np.ndarray, facets: np.ndarray):
        self._corners, self._facets = points[facets], facets
        d = points.shape[1]
        sides = self._corners[:, 1:] - self._corners[:, :1]
        turned = sides[:, 0, ::-1] * [1, -1] if d == 2 else np.cross(sides[:, 0], sides[:, 1])
        #: Of facets, and of points the mean of those around, by area.
        self._normals, self._at_points = turned, np.zeros_like(points)
        np.add.at(self._at_points, facets, turned[:, None])
        # A side of a facet (an end of a line) that no other facet has is on the rim.
        without = np.array([[j for j in range(d) if j != i] for i in range(d)])
        keys = np.sort(facets[:, without], axis=2)
        _, which, count = np.unique(
            keys.reshape(-1, d - 1), axis=0, return_inverse=True, return_counts=True
        )
        if (count > 2).any() or not _one_way(facets[:, without], which.reshape(-1), count):
            raise ValueError(
                "cut: got a surface whose faces do not go one way around, or that branches; expected "
                "one whose normals are all on one side: pl.Surface.report() tells"
            )
        self._rim = (count[which] == 1).reshape(len(facets), d)
        self._rim_points = np.zeros(len(points), dtype=bool)
        self._rim_points[keys[self._rim]] = True
        self._size = float(np.linalg.norm(np.ptp(points, axis=0)))

    def heights(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Signed distances; beyond the rim those from the sheet as it would go on there."""
        facet, distance = nearest(self._corners, x)
        shares = closest(self._corners[facet], x)
        way = x - np.einsum("pv,pvd->pd", shares, self._corners[facet])
        off = shares <= 1e-12  # corners that the nearest place is away from
        normals = self._normals[facet]
        at_corner = off.sum(axis=1) == off.shape[1] - 1
        corner = self._facets[facet, shares.argmax(axis=1)]
        normals = np.where(at_corner[:, None], self._at_points[corner], normals)
        if x.shape[1] == 3:
            on_side = off.sum(axis=1) == 1
            both = self._at_points[self._facets[facet]] * (~off)[..., None]
            normals = np.where(on_side[:, None], both.sum(axis=1), normals)
        normals = normals / np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]
        along = np.einsum("pd,pd->p", way, normals)
        rim = np.where(at_corner, self._rim_points[corner], (self._rim[facet] & off).any(axis=1))
        heights = np.where(rim, along, np.where(along < 0.0, -distance, distance))
        beyond = np.where(rim, np.linalg.norm(way - along[:, None] * normals, axis=1), 0.0)
        return heights, np.where(beyond > BEYOND * self._size, beyond, 0.0)


def _one_way(sides: np.ndarray, which: np.ndarray, count: np.ndarray) -> bool:
    """Whether the two facets at each side between them go along it in opposite ways."""
    d = sides.shape[1]
    if d == 2:  # ends of a line: one facet begins and one ends there
        sign = np.tile([-1.0, 1.0], len(sides))
    else:  # the side without corner 1 is listed against the way around
        ahead = np.where(sides[..., 0] < sides[..., 1], 1.0, -1.0) * [1.0, -1.0, 1.0]
        sign = ahead.ravel()
    return bool((np.bincount(which, sign)[count == 2] == 0.0).all())


def blade_of(by: Any, dim: int, time: float) -> CutSurface:
    """What cuts a body of a dimension at a time [s]; refuses what cannot."""
    if isinstance(by, (HalfSpace, Capsule)):
        if by.dim != dim:
            raise ValueError(f"cut: got {by!r} in {by.dim}D; expected a surface in {dim}D")
        return ObstacleBlade(by.at(time) if by.moves else by)
    if isinstance(by, MeshObstacle):
        by = by.at(time).surface(np.zeros(3), 1.0)
    if isinstance(by, Surface) and dim == 3:
        sheet = by.welded()
        return SheetBlade(sheet.points, sheet.corners[sheet.triangles])
    if dim == 2 and isinstance(by, (list, tuple, np.ndarray)):
        line = floats_or_nan(by)
        if line.ndim == 2 and line.shape[1] == 2 and len(line) > 1 and np.isfinite(line).all():
            pairs = np.stack([np.arange(len(line) - 1), np.arange(1, len(line))], axis=1)
            return SheetBlade(line, pairs)
    other = "a pl.Surface" if dim == 3 else "points of a line, [[0, 0], [0, 1]]"
    raise TypeError(
        f"cut: got by={shown(by)}; expected a plane, such as "
        f"pl.HalfSpace({(0,) * dim}, {(1,) + (0,) * (dim - 1)}), a pl.Sphere, a pl.Capsule or {other}"
    )
