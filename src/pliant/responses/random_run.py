"""A long run of random pushes, each begun before the last has died out."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pliant.bodies import Deformable
from pliant.control import Settle
from pliant.problem import State
from pliant.scene import Scene
from pliant.take import Show, progress_bar

from .body_state import BodyState
from .compression import BEFOREHAND, Gathered, principal, rank_for
from .entries import Entries, energy_metric
from .excite import Excite
from .hand import Hand
from .recorded import RecordedResponses

Array = np.ndarray
#: The free responses to states of such columns and sizes: `RandomRun.free` of all of them.
Free = Callable[[Array, Array], Array]
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


@dataclass(frozen=True, eq=False)
class ResponseRecording:
    """What is recorded: the scene of one body, pushes, and how long and how well.

    dt [s]: of steps. frames: so many steps of a response are kept. error: what is left out at most, as a
    share of the motion.
    """

    scene: Scene
    pushes: tuple[Excite, ...]
    dt: float
    frames: int
    error: float

    @property
    def kinds(self) -> int:
        """Ways in which a response can begin: by a push, or by none."""
        return len(self.pushes) + 1

    def run(self) -> RandomRun:
        """A run of it; the pushes are loads of the body from now on."""
        return RandomRun(self)


class RandomRun:
    """A run of the scene of one body: each push once from rest, then pushes at random, with a seed.

    A response is kept for `frames` steps of dt [s]. The next push comes at a random moment of it, before
    it has died out, so that entries begin in many states. Each response depends on state and push
    alone: clocks begin anew with the push.
    """

    def __init__(self, recording: ResponseRecording):
        scene, pushes = recording.scene, recording.pushes
        self._scene, self._body, self._pushes = scene, scene.bodies[0], pushes
        self._dt, self._frames, self._error = recording.dt, recording.frames, recording.error
        self._kinds = recording.kinds
        self._hand = Hand(self._body, pushes)
        self._seen = BodyState(self._body, self._body.rest_shape(scene.gravity))
        self._gathered = Gathered(self._seen.size, BEFOREHAND * recording.error)

    def record(
        self, count: int, *, seed: int | Sequence[int], from_rest: bool = True, progress: Show
    ) -> RecordedResponses:
        """Record so many entries, or those until Ctrl-C.

        from_rest: each push comes once from rest first. Else the run begins with a response that is not
        kept.
        """
        random, body = np.random.default_rng(seed), self._body
        kinds: list[int] = []
        kept: list[tuple[Array, Array]] = []
        rest, still = self._seen.rest, np.zeros_like(self._seen.rest)
        first = self._kinds if from_rest else 0
        with progress_bar(count, "recording", progress) as advance:
            try:
                if not from_rest:
                    self._go_to(rest, still)
                    body.take_up(
                        self._response(int(random.integers(self._kinds - 1)), self._cut(random))[1]
                    )
                while len(kept) < count:
                    for kind in random.permutation(self._kinds)[: count - len(kept)]:
                        if len(kept) < first:
                            self._go_to(rest, still)
                        rows, state = self._response(int(kind), self._cut(random))
                        kept.append((self._gathered.add(rows[0]), self._gathered.add(rows[1])))
                        kinds.append(int(kind))
                        body.take_up(state)
                        advance()
            except KeyboardInterrupt:
                if len(kept) < self._kinds:
                    raise
                log.warning("interrupted: %d of %d entries are kept", len(kept), count)
        return RecordedResponses.of(kinds, kept, self._gathered.columns)

    def found(self, recorded: RecordedResponses, free: Free) -> Found:
        """Columns for what was recorded, and the free response of what is in them."""
        z, fast = recorded.z, recorded.fast
        size = z.shape[-1]
        values, turn = principal(z.reshape(-1, size), fast.reshape(-1, size))
        # Positions and velocities are half of all each: alone neither is off by more than the error.
        turn = turn[:, : rank_for(values, self._error / np.sqrt(2.0))]
        states = np.concatenate([z @ turn, fast @ turn], axis=-1)
        before, after = states[:, 0], states[:, 1:]
        directions = recorded.columns @ turn
        columns = self._seen.columns(directions)
        metric = energy_metric(self._seen.stiffness(directions), after.reshape(-1, after.shape[2]))
        r = turn.shape[1]
        far = [np.sqrt((after[..., own] ** 2).mean() * r) for own in (slice(r), slice(r, None))]
        small = SMALL * np.repeat([way or 1.0 for way in far], r)
        entries = Entries(recorded.kinds, before, after, free(columns, small), metric)
        return Found(entries, self._seen.rest, columns, values, self._goals(directions))

    def free(self, columns: Array, small: Array, which: Sequence[int], progress: Show) -> Array:
        """What becomes of a small state, (frames, len(which), 2 r): a run for each of its numbers.

        columns: of points, (n d, r). small (2 r,): how large each number is. which: those that are
        asked for.
        """
        r, rest = columns.shape[1], self._seen.rest
        directions = self._seen.directions(columns)
        out = np.zeros((self._frames + 1, len(which), 2 * r))
        self._hand.push(self._kinds - 1, self._scene.time, self._dt)
        with progress_bar(len(which), "free responses", progress) as advance:
            for row, j in enumerate(which):
                way = small[j] * columns[:, j % r].reshape(rest.shape)
                at_rest = j // r  # a place, or a velocity
                self._go_to(rest + (1 - at_rest) * way, at_rest * way)
                out[0, row, j] = 1.0
                for frame in range(1, self._frames + 1):
                    self._scene.step(self._dt)
                    parts = [part @ directions / small[j] for part in self._seen.read()]
                    out[frame, row] = np.concatenate(parts)
                advance()
        return out

    def in_points(self, recorded: RecordedResponses) -> RecordedResponses:
        """The same with what points move by for its columns, which mean the same in every process."""
        return replace(recorded, columns=self._seen.columns(recorded.columns))

    def in_states(self, recorded: RecordedResponses) -> RecordedResponses:
        """The same with columns of this body's own numbers."""
        return replace(recorded, columns=self._seen.directions(recorded.columns))

    def _cut(self, random: np.random.Generator) -> int:
        """After how many steps the next push comes."""
        return int(random.integers(self._frames // 8, self._frames + 1))

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
