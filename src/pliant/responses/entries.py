"""What followed pushes from recorded states, and what would follow from others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial import cKDTree

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Entries:
    """Recorded responses of a body, whose states are rows (z, z') of 2 r numbers.

    kinds (N,): which push each followed. before (N, 2 r): the state in which it came. after
    (N, frames, 2 r): that and what followed; an impulse is in it from the first frame. free (frames,
    2 r, 2 r): what becomes of a small state about rest, s @ free[k]. metric (2 r, 2 r): the squared
    length of s @ metric is the energy of a state.

        response(s) = after_j + (s - before_j) @ free,     j: the entry of the push nearest to s

    The first term alone would jump from one state to another. Source: [jamesfatahalian2003], whose
    summary in [deformablesurvey] compares positions only; states have velocities, too.
    """

    kinds: Array
    before: Array
    after: Array
    free: Array
    metric: Array

    def __len__(self) -> int:
        return len(self.kinds)

    @property
    def rank(self) -> int:
        """How many coordinates z has: r."""
        return int(self.before.shape[1]) // 2

    def nearest(self, kind: int, state: Array) -> int:
        """The entry of a push whose state was nearest, by energy."""
        numbers, tree = self._trees[kind]
        _, place = tree.query(state @ self.metric)
        return int(numbers[int(place)])

    def response(self, kind: int, state: Array) -> Array:
        """What follows a push in a state, (frames, 2 r)."""
        j = self.nearest(kind, state)
        return np.asarray(self.after[j] + (state - self.before[j]) @ self.free)

    def first(self, count: int) -> Entries:
        """A table of the first entries only."""
        return self.some(slice(count))

    def some(self, which: slice) -> Entries:
        """A table of some of the entries."""
        kinds, before, after = self.kinds[which], self.before[which], self.after[which]
        return Entries(kinds, before, after, self.free, self.metric)

    @cached_property
    def _trees(self) -> dict[int, tuple[Array, cKDTree]]:
        found = {}
        for kind in np.unique(self.kinds):
            numbers = np.flatnonzero(self.kinds == kind)
            found[int(kind)] = (numbers, cKDTree(self.before[numbers] @ self.metric))
        return found


def energy_metric(stiffness: Array, states: Array) -> Array:
    """The metric of energy, (2 r, 2 r), of a stiffness [1/s^2], (r, r), in coordinates of mass one.

    Velocities count so much that in the states, (k, 2 r), both parts have the same energy in the mean:
    so it is in a swing without a damping, and `Settle` may make bodies lighter or heavier.
    """
    r = len(stiffness)
    values, turn = np.linalg.eigh(0.5 * (stiffness + stiffness.T))
    root = turn * np.sqrt(np.maximum(values, 0.0))
    away = float(((states[:, :r] @ root) ** 2).sum())
    fast = float((states[:, r:] ** 2).sum())
    out = np.zeros((2 * r, 2 * r))
    out[:r, :r] = root
    out[r:, r:] = (np.sqrt(away / fast) if fast > 0.0 and away > 0.0 else 1.0) * np.eye(r)
    return out
