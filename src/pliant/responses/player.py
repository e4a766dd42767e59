"""Plays a table: pushes come, and what follows is looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.errors import is_finite, is_whole, shown

if TYPE_CHECKING:
    from .table import Responses

Array = np.ndarray


class Player:
    """A body that is played back from a table, from its rest shape on.

        player = table.player()
        player.excite(0)             # the first of the recorded pushes, at the time that was shown last
        player.positions(0.5)        # [m], (points, d), half a second after the beginning

    A push takes the place of the one before it. After the end of a response the body goes on freely,
    from entries without a push; one that a force holds goes on to its rest shape under it. Times grow.
    """

    def __init__(self, table: Responses, points: Array):
        self._table, self._entries = table, table.entries
        d = table.rest.shape[1]
        rows = (d * points[:, None] + np.arange(d)).ravel()
        self._columns = np.ascontiguousarray(table.columns[rows])
        self._rest = np.ascontiguousarray(table.rest[points])
        self.reset()

    def reset(self) -> None:
        """Back to the rest shape, at time 0."""
        still = np.zeros((self._entries.after.shape[1], 2 * self._entries.rank))
        self._response, self._kind = still, len(self._table.excitations)
        self._begin = self._time = 0.0

    @property
    def time(self) -> float:
        """The time that was shown last [s]."""
        return self._time

    @property
    def state(self) -> Array:
        """z and z' at that time, (2 r,)."""
        return self._state(self._time)

    def excite(self, kind: int) -> None:
        """Give the push of this number, at the time that was shown last."""
        pushes = self._table.excitations
        if not (is_whole(kind) and 0 <= kind < len(pushes)):
            raise ValueError(
                f"excite: got {shown(kind)}; expected the number of a push, 0 to {len(pushes) - 1}"
            )
        state = self.state
        self._kind, self._begin = int(kind), self._time
        self._response = self._entries.response(self._kind, state)

    def positions(self, t: float) -> Array:
        """Where the points are at a time [s], (points, d) [m]."""
        z = self.coordinates(t)
        out: Array = self._rest + (self._columns @ z).reshape(self._rest.shape)
        return out

    def coordinates(self, t: float) -> Array:
        """z at a time [s], (r,): positions are rest + columns z."""
        if not (is_finite(t) and t >= self._time):
            raise ValueError(
                f"positions: got t={shown(t)}; expected a time of {self._time:g} s or later: what is "
                "past is not kept"
            )
        self._time = float(t)
        return self._state(self._time, fast=False)

    def _state(self, t: float, *, fast: bool = True) -> Array:
        """z and z' at a time, (2 r,), or z alone: between frames by the cubic that has both."""
        dt = self._table.dt
        last = len(self._response) - 1
        while t > self._begin + (last + 1e-9) * dt:
            self._go_on(last * dt)
        place = max(t - self._begin, 0.0) / dt
        k = min(int(place), last - 1)
        s, r = place - k, self._entries.rank
        (z0, v0), (z1, v1) = (self._response[i].reshape(2, r) for i in (k, k + 1))
        a, b = (1.0 + 2.0 * s) * (1.0 - s) ** 2, s * (1.0 - s) ** 2 * dt
        c, e = s * s * (3.0 - 2.0 * s), s * s * (s - 1.0) * dt
        z: Array = a * z0 + b * v0 + c * z1 + e * v1
        if not fast:
            return z
        return np.concatenate([z, self._rate(s, z1 - z0, v0, v1)])

    def _rate(self, s: float, way: Array, v0: Array, v1: Array) -> Array:
        """z' between two frames: exact at both."""
        mean = way / self._table.dt
        return (1 - s) * (1 - 3 * s) * v0 + s * (3 * s - 2) * v1 + 6 * s * (1 - s) * mean

    def _go_on(self, seconds: float) -> None:
        """What follows the end of a response."""
        state, entries = self._response[-1], self._entries
        self._begin += seconds
        pushes = self._table.excitations
        if self._kind < len(pushes) and pushes[self._kind].stays:
            goal = self._table.goals[self._kind]
            self._response = goal + (state - goal) @ entries.free
        else:
            self._kind = len(pushes)
            self._response = entries.response(self._kind, state)


def points_of(points: Any, count: int) -> Array:
    """The numbers of the points that a player shows: all of them, or some."""
    from pliant.given import select

    return np.arange(count) if points is None else select(points, count, "player(points)")
