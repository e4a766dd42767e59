"""Groups of points that move as rigid bodies, for arrays of the host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .group_kernels import SUMS

#: The upper half of a symmetric matrix, row by row.
UPPER = np.triu_indices(3)


class HostGroups:
    """`Groups` of numpy arrays."""

    def __init__(self, members: Sequence[np.ndarray], masses: np.ndarray, pins: np.ndarray):
        # A group of all points is a slice: no array is copied to look at it.
        every = [slice(None) if len(p) == len(masses) else p for p in members]
        self._members: list[tuple[Any, np.ndarray]] = [(p, masses[p][:, None]) for p in every]
        self._masses, self._pins = masses[:, None], pins

    def table(self, rows: Any) -> np.ndarray:
        """The rows as an array."""
        return np.array(rows)

    def sums(self, x: np.ndarray, v: Any, load: Any, dt: float, pivots: np.ndarray) -> np.ndarray:
        """Sums by group."""
        d, out = x.shape[1], np.zeros((len(self._members), SUMS))
        for (p, m), pivot, s in zip(self._members, pivots, out, strict=True):
            r = self._arms(x[p], m, pivot, s[:3])
            first = m * r
            s[9 : 9 + d] = first.sum(axis=0)
            s[12:18] = _square(r.T @ first)[UPPER]
            if v is not None:
                push, moving = load[p], m * v[p]
                s[3 : 3 + d], s[6 : 6 + d] = moving.sum(axis=0), push.sum(axis=0)
                s[18:] = axial(_square((moving + dt * push).T @ r))
        return out

    def covariance(
        self, x: np.ndarray, shape: np.ndarray, pivots: np.ndarray, others: np.ndarray
    ) -> np.ndarray:
        """Sums of products of two shapes."""
        out = np.zeros((len(self._members), SUMS))
        for (p, m), pivot, other, s in zip(self._members, pivots, others, out, strict=True):
            b, a = self._arms(x[p], m, pivot, s[:3]), self._arms(shape[p], m, other, s[3:6])
            s[9:18] = _square(b.T @ (m * a)).ravel()
        return out

    def place(self, carries: np.ndarray, x: np.ndarray, pins: np.ndarray | None) -> np.ndarray:
        """Points moved."""
        d = x.shape[1]
        out: np.ndarray = x.copy()
        for (p, _), c in zip(self._members, carries, strict=True):
            rotation = c[6:15].reshape(3, 3)[:d, :d]
            out[p] = c[3 : 3 + d] + (x[p] - c[:d]) @ rotation.T
        if pins is not None:
            out[self._pins] = pins[self._pins]
        return out

    def turn(self, carries: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Vectors turned."""
        d = v.shape[1]
        out: np.ndarray = v.copy()
        for (p, _), c in zip(self._members, carries, strict=True):
            out[p] = v[p] @ c[6:15].reshape(3, 3)[:d, :d].T
        out[self._pins] = 0.0
        return out

    def spin(self, carries: np.ndarray, shape: np.ndarray) -> np.ndarray:
        """The load of spinning."""
        d, out = shape.shape[1], np.zeros_like(shape)
        for (p, m), c in zip(self._members, carries, strict=True):
            turn = cross_matrix(c[15:])
            out[p] = -m * ((shape[p] - c[3 : 3 + d]) @ (turn @ turn)[:d, :d].T)
        return out

    def motions(
        self, columns: Sequence[Sequence[float]], x: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Rigid motions and their momenta."""
        d, out = x.shape[1], np.zeros((len(columns), *x.shape))
        for q, row in zip(out, np.asarray(columns), strict=True):
            p = self._members[int(row[0])][0]
            q[p] = row[4 : 4 + d] + (x[p] - row[1 : 1 + d]) @ cross_matrix(row[7:])[:d, :d].T
        out[:, self._pins] = 0.0
        return out, self._masses * out

    @staticmethod
    def _arms(x: np.ndarray, m: np.ndarray, pivot: np.ndarray, total: np.ndarray) -> np.ndarray:
        """Points from their centre; `total` is set to the sum of m x."""
        d = x.shape[1]
        total[:d] = m[:, 0] @ x
        centre = total / pivot[0] if pivot[0] > 0.0 else pivot[1:]
        return np.asarray(x - centre[:d])


def axial(matrix: np.ndarray) -> np.ndarray:
    """The sum of a x b, from that of b a^T."""
    return np.array([matrix[k - 1, k - 2] - matrix[k - 2, k - 1] for k in range(3)])


def _square(matrix: np.ndarray) -> np.ndarray:
    """A matrix of the plane as one of space."""
    if len(matrix) == 3:
        return matrix
    out = np.zeros((3, 3))
    out[:2, :2] = matrix
    return out


def cross_matrix(w: np.ndarray) -> np.ndarray:
    """The matrix of w x."""
    x, y, z = w
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
