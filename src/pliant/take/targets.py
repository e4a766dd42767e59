"""The shape that each frame of a track is compared with, and from when on rest is counted."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from pliant.backend import HostSpace, Spaces
from pliant.problem import Parts

from .measure import distances
from .topology import at_frame

if TYPE_CHECKING:
    from .track import Track


class Targets:
    """The rest shapes of one track.

    A frame is compared with the last rest shape: a body is at rest when it has arrived, not when it
    follows a shape that still moves. Three things are compared with the rest shape of each frame
    instead: frames before the clock started, parts that swing on a hinge and so never stop, and
    bodies whose pins or loads go on changing. Rigid motion is left out, but for what has landed and for
    what ties hold: there it is motion like any other.
    """

    def __init__(self, track: Track):
        self._track = track
        labels = np.asarray(track.components)
        self.labels: np.ndarray = labels - labels.min()  # (n,), from 0; -1 is a part of its own
        self.parts = self._made_parts(labels)
        self._cut_parts: dict[int, Parts] = {}  # by the first frame of a topology

    def _made_parts(self, labels: np.ndarray) -> Parts:
        track = self._track
        host = Spaces(HostSpace(track.masses, ~track.pinned))
        swing = track.asked.get("swing", True)
        parts = Parts(track.mesh.points, labels, host, swing=swing)
        if track.rest is not None:
            parts.set_hinge_direction_at_rest(track.rest)
        return parts

    def parts_of(self, frame: int) -> Parts:
        """The parts that the body has in a frame: what is cut later moves as one until then."""
        if not self._track.several:
            return self.parts
        own = at_frame(self._track.several, frame)
        if own.later is None:
            return self.parts
        if own.first not in self._cut_parts:
            self._cut_parts[own.first] = self._made_parts(own.part_of_last)
        return self._cut_parts[own.first]

    @cached_property
    def since(self) -> float:
        """When pins, loads or matter changed for the last time so that the clock started [s]."""
        changed = self._changed
        if self.lands:
            return float(changed[-1])
        key = max(self._key, float(self._track.times[0]))
        for frame in reversed(self._changes):
            if self._counts(frame):
                return max(float(changed[frame]), key)
        return key

    @property
    def _key(self) -> float:
        """When the key of the wish acted [s]: with the first step from its time on."""
        at = float(self._track.asked.get("since", -np.inf))
        steps = np.asarray(self._track.solver["time"])
        after = np.flatnonzero(steps >= at - 1e-9 * max(1.0, abs(at)))
        return float(steps[after[0]]) if at > self._track.times[0] and len(after) else at

    @cached_property
    def begin(self) -> int:
        """The first frame that counts: the one at, or else before, the start of the clock.

        Of what lands it is the one after: before its first touch it was on its way from afar.
        """
        times = self._track.times
        if self.lands:
            return min(int(np.searchsorted(times, self.since - 1e-9)), len(times) - 1)
        return max(0, int(np.searchsorted(times, self.since + 1e-9, side="right")) - 1)

    @property
    def lands(self) -> bool:
        """Whether the body has touched something, and counts from then; all of its motion counts."""
        touched = bool(self._changed[-1] > self._track.times[0])
        return touched and bool(self._track.asked.get("lands", False))

    @property
    def changing(self) -> bool:
        """Whether pins or loads change until the end, so that the clock cannot start."""
        times = self._track.times
        if self.lands:
            return False
        return len(times) > 1 and bool(self._changed[-1] >= times[-2] > times[0])

    def displacement(self, frame: int, rest: np.ndarray | None = None) -> np.ndarray:
        """A frame relative to its rest shape, without rigid motion and in the body's own axes."""
        rests = self._track.rests
        first = goal = rest
        if rests is not None and rest is None:
            first, goal = self._first, self.target(frame)
        if first is None or goal is None:
            raise ValueError(
                "this take has no rest shape; expected a run with pl.Settle, or the shape itself: "
                "take.distance(rest=scene.equilibrium().positions[0])"
            )
        if self.lands or self._track.asked.get("tied", False):
            return np.asarray(self._track.position_frames[frame] - goal)
        parts = self.parts if frame >= self.begin else self.parts_of(frame)
        aligned = parts.align(self._track.position_frames[frame], first)
        return np.asarray(aligned - parts.align(goal, aligned))

    def target(self, frame: int) -> np.ndarray:
        """The rest shape that a frame is compared with [m], (n, d)."""
        rests = self._track.rests
        assert rests is not None
        if self.lands:
            return self._last
        if frame < self.begin or self._moving.all():
            return rests[frame]
        if not self._moving.any():
            return self._last
        goal: np.ndarray = self._last.copy()
        goal[self._moving] = rests[frame][self._moving]
        return goal

    @cached_property
    def _first(self) -> np.ndarray:
        assert self._track.rests is not None
        return self._track.rests[0]

    @cached_property
    def _last(self) -> np.ndarray:
        assert self._track.rests is not None
        return self._track.rests[-1]

    @cached_property
    def _moving(self) -> np.ndarray:
        """Mask of the points whose rest shape goes on moving, (n,)."""
        creeps = bool(self._changed[-1] > self.since)
        moving = np.full(len(self.labels), creeps)
        for part in self.parts.parts:
            if part.rank and not part.translates:
                moving[part.points] = True
        return moving

    @cached_property
    def _changed(self) -> np.ndarray:
        """When something had changed last in each frame [s]; of old takes what pins tell."""
        track = self._track
        if track.changed is not None:
            return np.asarray(track.changed)
        changed = np.full(len(track.times), track.times[0])
        if track.pinned.any():
            before: np.ndarray | None = None  # of all frames they would fill hundreds of MB
            for k, x in enumerate(track.position_frames):
                pins = x[track.pinned]
                if before is not None:
                    moved = not np.allclose(pins, before, rtol=0.0, atol=1e-9 * track.size)
                    changed[k] = track.times[k] if moved else changed[k - 1]
                before = pins
        return changed

    @property
    def _changes(self) -> list[int]:
        """The frames before which something changed."""
        return [int(k) + 1 for k in np.flatnonzero(np.diff(self._changed) > 0.0)]

    def _counts(self, frame: int) -> bool:
        """Whether the rest shape has still gone far after a change, not counting rigid motion."""
        rests = self._track.rests
        if rests is None:
            return True
        left = _rigidly_nearest(rests[frame - 1], self._last, self._track.masses, self.labels)
        within = self._track.asked.get("within", 0.01)
        return bool((self._apart(left) > within * self._largest).any())

    @cached_property
    def _largest(self) -> np.ndarray:
        """The largest distance of each part to the rest shapes of all frames [m], (parts,)."""
        assert self._track.rests is not None
        pairs = enumerate(zip(self._track.position_frames, self._track.rests, strict=True))
        rows = [self._apart(x - self.parts_of(k).align(rest, x)) for k, (x, rest) in pairs]
        return np.asarray(np.max(rows, axis=0))

    def _apart(self, u: np.ndarray) -> np.ndarray:
        return distances(u, self._track.masses, self.labels)


def _rigidly_nearest(
    a: np.ndarray, b: np.ndarray, masses: np.ndarray, labels: np.ndarray
) -> np.ndarray:
    """What is left of a - b when each part of a has been moved rigidly next to b, (n, d)."""
    left = np.zeros_like(a)
    for part in range(int(labels.max()) + 1):
        here = labels == part
        m, p, q = masses[here, None], a[here], b[here]
        p, q = p - (m * p).sum(axis=0) / m.sum(), q - (m * q).sum(axis=0) / m.sum()
        u, _, vt = np.linalg.svd((m * q).T @ p)
        flip = np.ones(a.shape[1])
        flip[-1] = np.sign(np.linalg.det(u @ vt))
        left[here] = p @ (u * flip @ vt).T - q
    return left
