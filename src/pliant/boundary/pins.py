"""Which points of a body are held or driven, and where to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pliant.given import over_time, select
from pliant.mesh import MeshChange


class Pins:
    """The fixed points of one body, and those that follow a path."""

    def __init__(self, points: int, dim: int):
        self._points, self._dim = points, dim
        self._fixed = np.zeros(points, dtype=bool)
        self._paths: list[tuple[np.ndarray, Callable[[float], np.ndarray]]] = []

    def copy(self) -> Pins:
        """The same pins, which change no longer with these."""
        found = Pins(self._points, self._dim)
        found._fixed, found._paths = self._fixed.copy(), list(self._paths)
        return found

    def after(self, change: MeshChange) -> Pins:
        """The same pins on a mesh that was cut: copies of pinned points, and what lies between them."""
        found = Pins(len(change.mesh), self._dim)
        found._fixed = change.members(self._fixed)
        for indices, path in self._paths:
            driven = np.zeros(self._points, dtype=bool)
            driven[indices] = True
            new = np.flatnonzero(change.members(driven))
            weights = change.points[new][:, indices]
            weights = weights.multiply((1.0 / weights.sum(axis=1))[:, None]).tocsr()
            found._paths.append((new, lambda t, p=path, w=weights: w @ p(t)))  # type: ignore[misc]
        return found

    @property
    def mask(self) -> np.ndarray:
        """Of the points that are fixed or driven, shape (n,)."""
        mask: np.ndarray = self._fixed.copy()
        for indices, _ in self._paths:
            mask[indices] = True
        return mask

    @property
    def fixed(self) -> bool:
        """Whether no point is driven."""
        return not self._paths

    @property
    def groups(self) -> list[np.ndarray]:
        """The points, by number, that move as one: those that are fixed, then those of each path."""
        fixed = np.flatnonzero(self._fixed)
        return [g for g in (fixed, *(indices for indices, _ in self._paths)) if len(g)]

    def fix(self, where: Any) -> None:
        """Hold points; driven ones stop."""
        indices = select(where, self._points, "fix")
        if any(np.isin(indices, driven).any() for driven, _ in self._paths):
            self.release(indices)
        self._fixed[indices] = True

    def release(self, where: Any) -> None:
        """Let points go; None: all."""
        gone = np.ones(self._points, dtype=bool)
        if where is not None:
            gone[:] = False
            gone[select(where, self._points, "release")] = True
        self._fixed &= ~gone
        kept = []
        for indices, path in self._paths:
            stay = ~gone[indices]
            if stay.all():
                kept.append((indices, path))
            elif stay.any():
                kept.append((indices[stay], lambda t, p=path, s=stay: p(t)[s]))  # type: ignore[misc]
        self._paths = kept

    def move(self, where: Any, path: Any) -> None:
        """Drive points along a path."""
        indices = select(where, self._points, "move")
        for driven, _ in self._paths:
            twice = np.intersect1d(driven, indices)
            if len(twice):
                raise ValueError(
                    f"move: points {twice[:10]} already follow a path; let them go first with "
                    "body.release(...)"
                )
        shape = (len(indices), self._dim)
        function = over_time(path, shape, what="move")
        self._paths.append((indices, lambda t: np.broadcast_to(function(t), shape)))

    def placed(self, x: np.ndarray, time: float) -> np.ndarray:
        """Positions with driven points where they are at a time."""
        x = x.copy()
        for indices, path in self._paths:
            x[indices] = path(time)
        return x
