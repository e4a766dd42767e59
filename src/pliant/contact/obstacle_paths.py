"""Where obstacles that move are at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pliant.given import unit_vectors

#: Of how many times places are kept: a step asks for its beginning and its end several times.
KEPT = 4


@dataclass(frozen=True, eq=False)
class ObstaclePlaces:
    """All obstacles of a contact surface at one time.

    points [m], (m, dim): those that are given. origins, normals (planes, dim): of planes. turns, shifts:
    the rigid motion of each plane from where it is without a path, x -> turn x + shift,
    (planes, dim, dim) and (planes, dim).
    """

    points: np.ndarray
    origins: np.ndarray
    normals: np.ndarray
    turns: np.ndarray
    shifts: np.ndarray

    @property
    def ends(self) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
        """Given points, and points and normals of planes."""
        return self.points, (self.origins, self.normals)

    def towards(self, other: ObstaclePlaces, share: float) -> ObstaclePlaces:
        """A share of the straight way to other places; `turns` and `shifts` are those of the others."""

        def between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
            return np.asarray((1.0 - share) * a + share * b)

        return ObstaclePlaces(
            between(self.points, other.points),
            between(self.origins, other.origins),
            unit_vectors(between(self.normals, other.normals)),
            other.turns,
            other.shifts,
        )

    def plane_motions(self, before: ObstaclePlaces) -> tuple[np.ndarray, np.ndarray]:
        """The rigid motions of planes since `before`: moves (k, dim) and turns (k, dim, dim)."""
        turns = np.einsum("pij,pkj->pik", self.turns, before.turns)
        return self.shifts - np.einsum("pij,pj->pi", turns, before.shifts), turns

    def farthest(self, before: ObstaclePlaces, x: np.ndarray) -> float:
        """The longest way of any of them since `before` [m]; of planes at points x (n, dim)."""
        ways = [np.linalg.norm(self.points - before.points, axis=1)]
        for move, turn in zip(*self.plane_motions(before), strict=True):
            ways.append(np.linalg.norm(x - (x - move) @ turn, axis=1))
        return float(np.concatenate(ways).max(initial=0.0))


class ObstaclePaths:
    """Where obstacles are at every time, by a function that finds it; the last few are kept."""

    def __init__(self, find: Callable[[float], ObstaclePlaces]):
        self._find = find
        self._known: dict[float, ObstaclePlaces] = {}

    def at(self, time: float) -> ObstaclePlaces:
        """The places at a time [s]."""
        if time not in self._known:
            found = self._find(time)
            while len(self._known) >= KEPT:
                del self._known[next(iter(self._known))]
            self._known[time] = found
        return self._known[time]
