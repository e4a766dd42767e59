"""Pairs of cells that may touch soon. They are searched now and then, not in every step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .hashing import overlapping

Box = tuple[np.ndarray, np.ndarray]
Pairs = tuple[np.ndarray, np.ndarray]
NOTHING: Pairs = (np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))


class Neighbours:
    """All pairs of a first and a second set of cells that are within reach of each other.

    first, second (m, k): the points of each cell; reach [m], (m,): how far around itself each can
    touch; keeps: which pairs (i, j) count, as a mask; labels: of which part each is, (m,), if only
    pairs of different parts count. Pairs up to twice `margin` [m] further apart are listed too, so
    that the list holds until a point has moved by `margin`. Source: [verlet1967].
    """

    def __init__(
        self,
        first: np.ndarray,
        second: np.ndarray,
        reach: tuple[np.ndarray, np.ndarray],
        *,
        margin: float,
        keeps: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None,
        labels: tuple[np.ndarray, np.ndarray] | None = None,
    ):
        self.first, self.second, self.margin = first, second, margin
        self._keeps, self._labels = keeps, labels
        self._reach = [r[:, None] + margin for r in reach]
        self._used = np.unique(np.concatenate([first.ravel(), second.ravel()]))
        #: Where was searched and what was found, replaced together: an interrupt may come any time.
        self._found: tuple[np.ndarray | None, Pairs] = (None, NOTHING)

    @property
    def pairs(self) -> Pairs:
        """Numbers of cells of the first and of the second set; a new list is another object."""
        return self._found[1]

    def stencils(self) -> np.ndarray:
        """The points of all pairs, those of the first cell first, (pairs, k)."""
        i, j = self.pairs
        return np.concatenate([self.first[i], self.second[j]], axis=1)

    @property
    def where(self) -> np.ndarray | None:
        """The positions of points at which pairs were searched last [m]; never changed."""
        return self._found[0]

    def update(self, x: np.ndarray) -> None:
        """Search again if points have moved too far."""
        here, there = x[self._used], self.where
        if not np.isfinite(here).all():
            return  # what has blown up is told by the step
        if there is not None:
            moved = here - there
            if np.einsum("ij,ij->i", moved, moved).max() <= self.margin**2:
                return
        self._found = (here, self._search(x))

    def remember(self, where: np.ndarray | None) -> None:
        """Set the pairs that were found at these positions."""
        if where is self.where:
            return
        if where is None:
            self._found = (None, NOTHING)
            return
        if where.ndim != 2 or len(where) != len(self._used) or not np.isfinite(where).all():
            raise ValueError(f"positions of shape {where.shape}; expected {len(self._used)}")
        x = np.zeros((self._used[-1] + 1, where.shape[1]))
        x[self._used] = where
        self._found = (where, self._search(x))

    def _search(self, x: np.ndarray) -> Pairs:
        boxes: list[Box] = [
            (x[cells].min(axis=1) - r, x[cells].max(axis=1) + r)
            for cells, r in zip((self.first, self.second), self._reach, strict=True)
        ]
        if self._labels is None:
            i, j = overlapping(*boxes)
        else:
            # Most cells are near their own part only, and can be skipped.
            (a, b), (own, other) = boxes, self._labels
            i, j = _near_other(a, own, b, other), _near_other(b, other, a, own)
            found = overlapping((a[0][i], a[1][i]), (b[0][j], b[1][j]))
            i, j = i[found[0]], j[found[1]]
            apart = own[i] != other[j]
            i, j = i[apart], j[apart]
        if self._keeps is None:
            return i, j
        kept = self._keeps(i, j)
        return i[kept], j[kept]


def _near_other(box: Box, label: np.ndarray, others: Box, part: np.ndarray) -> np.ndarray:
    """The cells that meet the box around any part that is not their own."""
    parts = int(max(label.max(), part.max())) + 1
    low = np.full((parts, box[0].shape[1]), np.inf)
    high = -low
    np.minimum.at(low, part, others[0])
    np.maximum.at(high, part, others[1])
    near = np.zeros(len(label), dtype=bool)
    for p in range(parts):
        meets = ((box[0] <= high[p]) & (low[p] <= box[1])).all(axis=1)
        near |= meets & (label != p)
    return np.flatnonzero(near)
