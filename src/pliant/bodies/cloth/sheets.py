"""Sheets of triangles in space: their flat shape and their hinges."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.conditions import derivatives
from pliant.given import floats
from pliant.mesh import Mesh, MeshError

#: How many times longer or shorter than in the flat shape a triangle of the mesh may be. No pattern of
#: cloth comes near it; other units than metres, and triangles across a seam, do.
UNLIKE = 10.0


def flat_coordinates(mesh: Mesh, uv: Any = None) -> np.ndarray:
    """Coordinates of the points in the flat shape [m], (n, 2): as given, or in the mesh's plane."""
    if uv is None:
        return _in_plane(mesh)
    expected = f"expected finite numbers of shape {(len(mesh), 2)} [m], two per point"
    try:
        flat = floats(uv)
    except (TypeError, ValueError):
        raise ValueError(f"Cloth: got uv of type {type(uv).__name__}; {expected}") from None
    if flat.shape != (len(mesh), 2):
        raise ValueError(f"Cloth: got uv of shape {flat.shape}; {expected}")
    bad = np.flatnonzero(~np.isfinite(flat).all(axis=1))
    if len(bad):
        raise ValueError(f"Cloth: got uv {flat[bad[0]].tolist()} of point {bad[0]}; {expected}")
    return flat


def areas(uv: np.ndarray) -> np.ndarray:
    """Areas of triangles in the flat shape [m^2]; uv: (t, 3, 2)."""
    a, b = uv[:, 1] - uv[:, 0], uv[:, 2] - uv[:, 0]
    found: np.ndarray = np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]) / 2
    flat = np.flatnonzero(~(found > 1e-12 * np.maximum((a * a).sum(1), (b * b).sum(1))))
    if len(flat):
        raise ValueError(
            f"Cloth: triangle {flat[0]} has no area in uv ({len(flat)} in all), so nothing is known "
            "of its threads; expected coordinates uv that spread every triangle"
        )
    return found


def require_near(x: np.ndarray, uv: np.ndarray) -> None:
    """Refuse triangles x (t, 3, 3) [m] that are far longer or shorter than in uv (t, 3, 2) [m]."""
    w = np.einsum("tij,tjd->tid", derivatives(uv), x[:, 1:] - x[:, :1])
    ratios = np.linalg.svd(w, compute_uv=False)  # along the two main directions, the longer first
    bad = np.flatnonzero((ratios[:, 0] > UNLIKE) | (ratios[:, 1] < 1.0 / UNLIKE))
    if len(bad):
        longest, shortest = ratios[bad[0]]
        ratio = longest if longest > UNLIKE else shortest
        raise ValueError(
            f"Cloth: triangle {bad[0]} is {ratio:.3g} times as long in the mesh as in uv ({len(bad)} of "
            f"{len(x)} are over {UNLIKE:g} or under {1 / UNLIKE:g}); expected uv in metres, "
            "e.g. uv=1e-3 * uv for millimetres, and no seam across triangles"
        )


def hinges(mesh: Mesh) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Edges that two triangles share: points (h, 4), the ends first, and the triangles of each.

    The second triangle of a pair runs along the edge the other way, so flat is an angle of zero.
    """
    t = np.asarray(mesh.cells["tri3"])
    half = np.concatenate([t[:, [0, 1, 2]], t[:, [1, 2, 0]], t[:, [2, 0, 1]]])  # ends, opposite
    cell = np.tile(np.arange(len(t)), 3)
    key = np.sort(half[:, :2], axis=1) @ np.array([len(mesh), 1])
    order = np.argsort(key, kind="stable")
    key, half, cell = key[order], half[order], cell[order]
    start = np.flatnonzero(np.r_[True, key[1:] != key[:-1]])
    count = np.diff(np.r_[start, len(key)])
    if (count > 2).any():
        most = start[np.argmax(count)]
        raise MeshError(
            f"Cloth: the edge between points {half[most, 0]} and {half[most, 1]} has {count.max()} "
            "triangles; expected one or two",
            {"tri3": cell[most : most + count.max()]},
        )
    one = start[count == 2]
    points = np.concatenate([half[one], half[one + 1, 2:]], axis=1)
    return points, (cell[one], cell[one + 1])


class Hinges:
    """The hinges of a sheet that tears, by the corners of triangles: these stay when it opens.

    points, sides: as of `hinges`, when nothing was open; faces: the two triangles of each face between
    two, (faces, 2).
    """

    def __init__(self, mesh: Mesh, faces: np.ndarray):
        t = np.asarray(mesh.cells["tri3"])
        points, (first, second) = hinges(mesh)
        cells = np.stack([first, first, first, second], axis=1)
        self._cells, self._slots = cells, np.argmax(t[cells] == points[..., None], axis=2)
        keys = [np.sort(pair, axis=1) @ [len(t), 1] for pair in (np.c_[first, second], faces)]
        order = np.argsort(keys[1])
        self._faces = order[np.searchsorted(keys[1], keys[0], sorter=order)]

    def left(
        self, mesh: Mesh, torn: np.ndarray
    ) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
        """Those on faces that have not begun to tear, as of `hinges`; torn: a mask over the faces."""
        keep = ~torn[self._faces]
        cells = self._cells[keep]
        points = np.asarray(mesh.cells["tri3"])[cells, self._slots[keep]]
        return points, (cells[:, 0], cells[:, 3])


def _in_plane(mesh: Mesh) -> np.ndarray:
    centred = mesh.points - mesh.points.mean(axis=0)
    _, size, axes = np.linalg.svd(centred, full_matrices=False)
    if size[2] > 1e-6 * size[0]:
        off = np.abs(centred @ axes[2]).max()
        raise ValueError(
            f"Cloth: the mesh is not flat (points up to {off:.3g} m from its plane), so it does not "
            "say how the cloth was woven; give the flat coordinates of its points, uv=array (n, 2)"
        )
    normal = axes[2]
    u = np.eye(3)[0 if abs(normal[0]) < 0.9 else 1]
    u = u - (u @ normal) * normal
    u /= np.linalg.norm(u)
    return np.stack([mesh.points @ u, mesh.points @ np.cross(normal, u)], axis=1)
