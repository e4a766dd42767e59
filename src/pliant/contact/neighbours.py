"""Pairs that may touch soon: searched now and then, not in every step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .hashing import overlapping


class Neighbours:
    """All pairs of a first and a second set of cells that are within reach of each other.

    first, second (m, k): the points of each cell; reach [m], (m,): how far around itself each can
    touch; keeps: which pairs (i, j) count, as a mask. Pairs up to twice `margin` [m] further apart are
    listed too, so that the list holds until a point has moved by `margin`. Source: [verlet1967].
    """

    def __init__(
        self,
        first: np.ndarray,
        second: np.ndarray,
        reach: tuple[np.ndarray, np.ndarray],
        *,
        keeps: Callable[[np.ndarray, np.ndarray], np.ndarray],
        margin: float,
    ):
        self.first, self.second, self._keeps, self.margin = first, second, keeps, margin
        self._reach = [r[:, None] + margin for r in reach]
        self._used = np.unique(np.concatenate([first.ravel(), second.ravel()]))
        self._where: np.ndarray | None = None
        self._pairs = (np.zeros(0, dtype=np.int64),) * 2

    def update(self, x: np.ndarray) -> bool:
        """Search again if points have moved too far; whether the list is a new one."""
        here = x[self._used]
        if not np.isfinite(here).all():
            return False  # what has blown up is told by the step
        if self._where is not None:
            moved = here - self._where
            if np.einsum("ij,ij->i", moved, moved).max() <= self.margin**2:
                return False
        self._where = here.copy()
        boxes = [
            (x[cells].min(axis=1) - r, x[cells].max(axis=1) + r)
            for cells, r in zip((self.first, self.second), self._reach, strict=True)
        ]
        i, j = overlapping(*boxes)
        kept = self._keeps(i, j)
        self._pairs = i[kept], j[kept]
        return True

    @property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Numbers of cells of the first and of the second set."""
        return self._pairs
