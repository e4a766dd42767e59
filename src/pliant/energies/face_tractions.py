"""Tractions on the faces between cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import warp as wp

from .protocol import Energy


class FaceTractions:
    """The mean traction on each face between two cells, by the forces of the cells on their corners.

        P = 1/V sum_a f_a (X_a - X)^T,      t = (V P N - V' P' N') / (V + V')

    energies: of cells that share no points, corner a of cell c being point c width + a. rest: where
    corners are in it [m], (cells, width, r); r is 2 for what lies flat. volumes [m^3], (cells,). cells,
    slots: those of `SharedFaces`. N: the normals out of the cells at rest, in sheets along them.
    """

    def __init__(
        self,
        energies: Sequence[Energy],
        rest: np.ndarray,
        volumes: np.ndarray,
        cells: np.ndarray,
        slots: np.ndarray,
        *,
        device: Any = "cpu",
    ):
        self.energies, self._cells, self._slots = energies, cells, slots
        self._levers = (rest - rest.mean(axis=1, keepdims=True)) / volumes[:, None, None]
        centres = rest[cells].mean(axis=2)
        corners = rest[cells[:, :, None], slots]  # (faces, 2, corners, r)
        self._normals = np.stack(
            [normals(corners[:, i].mean(axis=1) - centres[:, i], corners[:, i]) for i in (0, 1)],
            axis=1,
        )
        own = volumes[cells]
        self._shares = own / own.sum(axis=1, keepdims=True)
        self._device = device

    def at(self, x: np.ndarray) -> np.ndarray:
        """Tractions on the first cells of all faces [Pa], (faces, d); x: corners (cells, width, d)."""
        vec: Any = wp.types.vector(x.shape[2], wp.float64)
        flat = np.ascontiguousarray(x.reshape(-1, x.shape[2]))
        y: Any = wp.array(flat, dtype=vec, device=self._device)
        g: Any = wp.zeros(len(flat), dtype=vec, device=self._device)
        for energy in self.energies:
            energy.add_gradient(y, g)
        stress = np.einsum("cad,car->cdr", g.numpy().reshape(x.shape), self._levers)
        both = np.einsum("fidr,fir->fid", stress[self._cells], self._normals)
        shares = self._shares * [1.0, -1.0]
        return np.asarray(np.einsum("fi,fid->fd", shares, both))

    def opening(self, x: np.ndarray) -> np.ndarray:
        """What of the tractions pulls faces apart or shifts their sides [Pa], (faces,).

        Pressure on a face does not count.
        """
        t = self.at(x)
        centres = x[self._cells].mean(axis=2)
        corners = x[self._cells[:, :, None], self._slots].mean(axis=1)
        n = normals(centres[:, 1] - centres[:, 0], corners)
        pressed = np.minimum(np.einsum("fd,fd->f", t, n), 0.0)
        return np.asarray(np.linalg.norm(t - pressed[:, None] * n, axis=1))


def normals(ways: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Unit normals of faces, (faces, d), that point as the ways do; zero where these lie in the face.

    corners: (faces, k, d). In sheets the normal of an edge is that in the plane of the way.
    """
    size, left = np.linalg.norm(ways, axis=1), ways
    along = _unit(corners[:, 1] - corners[:, 0])
    left = left - _along(left, along)
    if corners.shape[1] > 2:
        second = corners[:, 2] - corners[:, 0]
        left = left - _along(left, _unit(second - _along(second, along)))
    # Sides that are folded onto each other have no direction from one to the other.
    flat = np.linalg.norm(left, axis=1) < 0.1 * size
    return np.where(flat[:, None], 0.0, _unit(left))


def _along(v: np.ndarray, direction: np.ndarray) -> np.ndarray:
    return np.asarray(np.einsum("fd,fd->f", v, direction)[:, None] * direction)


def _unit(v: np.ndarray) -> np.ndarray:
    size = np.linalg.norm(v, axis=1, keepdims=True)
    return np.asarray(v / np.where(size > 0.0, size, 1.0))
