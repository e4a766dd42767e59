"""Columns that hold recorded motion within an error: an SVD of all of it, gathered block by block."""

from __future__ import annotations

import numpy as np

Array = np.ndarray
#: What blocks lose beforehand, as a share of the error that is allowed.
BEFOREHAND = 0.1


class Gathered:
    """Rows of many numbers, kept as coordinates of orthonormal columns that are added as they need them.

    What is left out of each block is at most the share `error` of the mean block so far, in the root
    of the sum of squares.
    """

    def __init__(self, size: int, error: float):
        self._columns = np.zeros((size, 0))
        self._error, self._energy, self._blocks = error, 0.0, 0

    @property
    def columns(self) -> Array:
        """The columns, (size, k)."""
        return self._columns

    def add(self, rows: Array) -> Array:
        """Take rows, (m, size); returns their coordinates, (m, k)."""
        self._blocks += 1
        self._energy += float((rows**2).sum())
        allowed = self._error**2 * self._energy / self._blocks
        found = rows @ self._columns
        left = rows - found @ self._columns.T
        if (left**2).sum() <= allowed:
            return np.asarray(found)
        found, left = self._again(found, left)
        _, values, across = np.linalg.svd(left, full_matrices=False)
        # What remains when so many are kept.
        remains = np.append(np.cumsum(values[::-1] ** 2)[::-1], 0.0)
        new = across[: int(np.argmax(remains <= allowed))]
        self._columns = np.column_stack([self._columns, new.T])
        return np.column_stack([found, left @ new.T])

    def _again(self, found: Array, left: Array) -> tuple[Array, Array]:
        """A second projection, so that new columns are orthogonal to rounding."""
        more = left @ self._columns
        return found + more, left - more @ self._columns.T


def widened(rows: Array, size: int) -> Array:
    """Coordinates of fewer columns, with zeros for those that came later, (..., size)."""
    more = [(0, 0)] * (rows.ndim - 1) + [(0, size - rows.shape[-1])]
    return np.pad(rows, more)


def principal(positions: Array, velocities: Array) -> tuple[Array, Array]:
    """Singular values, (k,), as shares of all, and directions (k, k) of coordinates, strongest first.

    positions, velocities: rows of coordinates, (m, k). Velocities are weighed so that both count alike.
    """
    gram = positions.T @ positions
    fast = velocities.T @ velocities
    if np.trace(fast) > 0.0:
        gram = gram / max(np.trace(gram), 1e-300) + fast / np.trace(fast)
    values, turn = np.linalg.eigh(gram)
    values, turn = np.maximum(values[::-1], 0.0), turn[:, ::-1]
    return np.sqrt(values / max(values.sum(), 1e-300)), turn


def rank_for(values: Array, error: float) -> int:
    """The least rank that leaves out no more than the error; values: shares, as of `principal`."""
    left = np.sqrt(np.append(np.cumsum(values[::-1] ** 2)[::-1], 0.0))
    return max(1, int(np.argmax(left <= error)))
