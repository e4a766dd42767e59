"""A long run of random pushes, each begun before the last has died out."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pliant.bodies import Deformable
from pliant.control import Settle
from pliant.problem import State
from pliant.scene import Scene
from pliant.take import Show, progress_bar

from .body_state import BodyState
from .compression import BEFOREHAND, Gathered, principal, rank_for, widened
from .entries import Entries, energy_metric
from .excite import Excite
from .hand import Hand

Array = np.ndarray
log = logging.getLogger("pliant")
#: How long a response is kept [s] of a body that has no wish.
USUAL = 1.0
#: By this share of a wish a response is longer than it.
BEYOND = 1.1
#: States whose free response is computed are this share of the motion away from rest.
SMALL = 0.02


@dataclass(frozen=True, eq=False)
class Found:
    """What a recording found.

    rest [m], (n, d). columns (n d, r): what points move by for coordinates z. values (k,): singular ones
    of all that was seen, as shares. goals (pushes, 2 r): where forces that stay lead to.
    """

    entries: Entries
    rest: Array
    columns: Array
    values: Array
    goals: Array


class RandomRun:
    """A run of the scene of one body: each push once from rest, then pushes at random, with a seed.

    A response is kept for `frames` steps of dt [s]. The next push comes at a random moment of it, before
    it has died out, so that entries begin in many states. Each response depends on state and push
    alone: clocks begin anew with the push.
    """

    def __init__(
        self,
        scene: Scene,
        body: Deformable,
        pushes: Sequence[Excite],
        *,
        dt: float,
        frames: int,
        error: float,
    ):
        self._scene, self._body, self._dt, self._frames = scene, body, dt, frames
        self._pushes, self._kinds, self._error = pushes, len(pushes) + 1, error
        self._hand = Hand(body, pushes)
        self._seen = BodyState(body, body.rest_shape(scene.gravity))
        self._gathered = Gathered(self._seen.size, BEFOREHAND * error)

    def run(self, count: int, *, seed: int, progress: Show) -> Found:
        """Record so many entries, or those until Ctrl-C, and the free response of what is in them."""
        kinds, kept = self._responses(count, seed, progress)
        z, fast = (self._whole(kept, part) for part in (0, 1))
        size = z.shape[-1]
        values, turn = principal(z.reshape(-1, size), fast.reshape(-1, size))
        # Positions and velocities are half of all each: alone neither is off by more than the error.
        turn = turn[:, : rank_for(values, self._error / np.sqrt(2.0))]
        states = np.concatenate([z @ turn, fast @ turn], axis=-1)
        before, after = states[:, 0], states[:, 1:]
        directions = self._gathered.columns @ turn
        columns = self._seen.columns(directions)
        metric = energy_metric(self._seen.stiffness(directions), after.reshape(-1, after.shape[2]))
        free = self._free(directions, columns, after, progress)
        entries = Entries(kinds, before, after, free, metric)
        return Found(entries, self._seen.rest, columns, values, self._goals(directions))

    def _responses(
        self, count: int, seed: int, progress: Show
    ) -> tuple[Array, list[tuple[Array, Array]]]:
        """The pushes and, of each, rows of z and z': before it, and in every frame from it on."""
        random, body = np.random.default_rng(seed), self._body
        kinds: list[int] = []
        kept: list[tuple[Array, Array]] = []
        rest, still = self._seen.rest, np.zeros_like(self._seen.rest)
        with progress_bar(count, "recording", progress) as advance:
            try:
                while len(kept) < count:
                    for kind in random.permutation(self._kinds)[: count - len(kept)]:
                        if len(kept) < self._kinds:  # each push once from rest
                            self._go_to(rest, still)
                        cut = int(random.integers(self._frames // 8, self._frames + 1))
                        rows, state = self._response(int(kind), cut)
                        kept.append((self._gathered.add(rows[0]), self._gathered.add(rows[1])))
                        kinds.append(int(kind))
                        body.take_up(state)
                        advance()
            except KeyboardInterrupt:
                if len(kept) < self._kinds:
                    raise
                log.warning("interrupted: %d of %d entries are kept", len(kept), count)
        return np.array(kinds), kept

    def _response(self, kind: int, cut: int) -> tuple[tuple[Array, Array], State]:
        """Rows of y and y', and the state of the body so many steps after the push."""
        seen = [self._seen.read()]
        self._body.restart_clock()
        self._hand.push(kind, self._scene.time, self._dt)
        seen.append(self._seen.read())
        state = self._body.state
        for step in range(1, self._frames + 1):
            self._scene.step(self._dt)
            seen.append(self._seen.read())
            state = self._body.state if step == cut else state
        y, fast = (np.array(rows) for rows in zip(*seen, strict=True))
        return (y, fast), state

    def _whole(self, kept: list[tuple[Array, Array]], part: int) -> Array:
        size = self._gathered.columns.shape[1]
        return np.stack([widened(rows[part], size) for rows in kept])

    def _free(self, directions: Array, columns: Array, after: Array, progress: Show) -> Array:
        """What becomes of a small state, (frames, 2 r, 2 r): one run for each of its numbers."""
        r = directions.shape[1]
        sizes = [np.sqrt((after[..., own] ** 2).mean() * r) for own in (slice(r), slice(r, None))]
        out = np.zeros((self._frames + 1, 2 * r, 2 * r))
        rest = self._seen.rest
        self._hand.push(self._kinds - 1, self._scene.time, self._dt)
        with progress_bar(2 * r, "free responses", progress) as advance:
            for j in range(2 * r):
                size = SMALL * (sizes[j // r] or 1.0)
                way = size * columns[:, j % r].reshape(rest.shape)
                at_rest = j // r  # a place, or a velocity
                self._go_to(rest + (1 - at_rest) * way, at_rest * way)
                out[0, j, j] = 1.0
                for frame in range(1, self._frames + 1):
                    self._scene.step(self._dt)
                    parts = [part @ directions / size for part in self._seen.read()]
                    out[frame, j] = np.concatenate(parts)
                advance()
        return out

    def _goals(self, directions: Array) -> Array:
        r = directions.shape[1]
        out = np.zeros((len(self._pushes), 2 * r))
        for kind, push in enumerate(self._pushes):
            if push.stays:
                self._hand.push(kind, -self._dt, self._dt)  # at time 0 it acts
                shape = self._body.rest_shape(self._scene.gravity)
                out[kind, :r] = self._seen.at(shape) @ directions
        return out

    def _go_to(self, x: Array, v: Array) -> None:
        self._body.place(x)
        self._body.velocity = v


def frames_of(body: Deformable, pushes: Sequence[Excite], each: float | None, dt: float) -> int:
    """How many steps of dt [s] a response is kept: until a wish is over, or as long as asked."""
    longest = max((push.seconds or 0.0 for push in pushes), default=0.0)
    if each is None:
        wish = body.damping
        each = longest + (BEYOND * wish.rest_in if isinstance(wish, Settle) else USUAL)
    return max(2, round(each / dt))
