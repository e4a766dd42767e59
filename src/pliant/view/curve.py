"""How far a body is from rest since it was last let go."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from pliant.bodies import Deformable
from pliant.control import LandingState, Settle
from pliant.problem import System
from pliant.take import SAME_MOMENT, SOLVER, Changes, Track, asked, measure

from .recording import ROOM_FOR_FRAMES

#: A change that leaves the body within this share of its size from rest is not worth a curve.
STILL_ON_STAGE = 1e-6
#: The curve ends after so many times the asked time, or when its frames fill their room.
TIMES_SHOWN = 4.0
#: When a body rests is looked up again after so many steps.
AGAIN = 10


@dataclass
class Record:
    """The frames since a body was let go: what a take would have of it."""

    body: Deformable
    watch: Changes
    gravity: np.ndarray
    times: list[float]  # of the scene [s]
    positions: list[np.ndarray]
    rests: list[np.ndarray] = field(default_factory=list)
    changed: list[float] = field(default_factory=list)

    @property
    def bytes(self) -> int:
        """What the frames take."""
        return len(self.positions) * self.positions[0].nbytes

    def add(self, time: float, x: np.ndarray, rest: np.ndarray) -> None:
        """Keep a frame; the first one was before the damping looked for a rest shape."""
        self.watch.look(time, self.gravity)
        begun = not self.rests
        self.times.append(time)
        self.positions.append(x)
        self.rests += [rest, rest] if begun else [rest]
        last = self.times[0] if self.watch.last is None else self.watch.last
        self.changed += [self.times[0], last] if begun else [last]

    def track(self, system: System) -> Track:
        """The recording as a track, so that it is measured as every take is."""
        x = np.stack(self.positions)
        return Track(
            name=self.body.name,
            mesh=self.body.mesh,
            times=np.array(self.times),
            positions=x,
            velocities=np.zeros_like(x),
            count_energies=None,
            solver=np.zeros(0, SOLVER),
            rests=self.rests,
            masses=system.masses,
            pinned=system.pinned,
            components=self.body.components,
            asked=asked(self.body),
            skin=self.body.skin,
            changed=np.array(self.changed),
        )


@dataclass
class Curve:
    """Distances to rest [m] at times [s] since the last change or first touch, and what was asked for.

    `asked` is None for a body without `pl.Settle`, which has no moment to be marked. Distances are
    those of the part that is farthest from rest, each as a share of its own largest.
    """

    asked: float | None = None
    within: float = 0.01
    bounces: int | None = None
    times: list[float] = field(default_factory=list)
    _rows: list[np.ndarray] = field(default_factory=list)  # (parts,) each [m]
    _record: Record | None = None
    _looked: int = 0
    _rested: float | None = None
    landed: float | None = None  # when it touched first [s]
    _frames: list[np.ndarray] = field(default_factory=list)  # since then

    @classmethod
    def since(cls, body: Deformable, time: float, x: np.ndarray, gravity: np.ndarray) -> Curve:
        """A curve that begins now."""
        damping = body.damping
        if not isinstance(damping, Settle):
            return cls()
        record = Record(body, Changes(body, time, gravity), gravity, [time], [x.copy()])
        return cls(damping.rest_in, damping.within, damping.bounces, _record=record)

    def add(self, system: System, time: float, x: np.ndarray) -> None:
        """Measure after a step; the first one also tells where the curve began."""
        record = self._record
        if record is None or self.asked is None:
            return
        control = record.body.state.control
        if isinstance(control, LandingState) and control.clock is not None and system.has_free_part:
            self._add_landed(system, control, time - control.clock, x)
            return
        if record.body.state.rest is None:
            return
        if (
            self.times and self.times[-1] > TIMES_SHOWN * self.asked
        ) or record.bytes > ROOM_FOR_FRAMES:
            return
        home = system.to_host(record.body.state.rest.x)
        if not self.times:
            self._add(0.0, system, home, record.positions[0])
        record.add(time, x, home)
        self._add(time - record.times[0], system, home, x)
        if len(self.times) >= self._looked + AGAIN or self._rested is None:
            self._look(system)

    def _add_landed(
        self, system: System, control: LandingState, since: float, x: np.ndarray
    ) -> None:
        """Measure a body that has touched something: its curve begins there, and all motion counts."""
        assert control.clock is not None and control.first is not None and self.asked is not None
        if (
            self.landed is None or abs(since - self.landed) > SAME_MOMENT
        ):  # or its clock starts anew
            self.landed, self.times, self._frames = since, [0.0], [control.first]
        if self.times[-1] > TIMES_SHOWN * self.asked or self.times[-1] >= control.clock:
            return
        self.times.append(control.clock)
        self._frames.append(x)
        goal = control.first if control.rest is None else control.rest
        self._rows = [
            np.sqrt([system.masses @ ((y - goal) ** 2).sum(axis=1)]) for y in self._frames
        ]
        self._rested, far = None, np.flatnonzero(np.ravel(self._rows) > self.within * self.largest)
        if control.rest is not None and len(far) and far[-1] < len(self.times) - 1:
            self._rested = self.times[far[-1] + 1]

    def _add(self, time: float, system: System, rest: np.ndarray, x: np.ndarray) -> None:
        assert self._record is not None
        self.times.append(time)
        self._rows.append(measure.distances(x - system.align(rest, x), system.masses, self._labels))

    @cached_property
    def _labels(self) -> np.ndarray:
        assert self._record is not None
        labels = self._record.body.components
        return np.asarray(labels - labels.min())

    def _look(self, system: System) -> None:
        """Look up when it rested, once it seems to."""
        assert self._record is not None and self.asked is not None
        near = bool((self._rows[-1] <= self.within * self.largest).all())
        if near if not self.bounces else self.times[-1] >= self.asked * (1.0 - 1e-9):
            found = self._record.track(system).rest_time()
            self._looked, self._rested = len(self.times), found if np.isfinite(found) else None
        else:
            self._rested = None

    @property
    def largest(self) -> np.ndarray:
        """The largest distance of each part so far [m], (parts,)."""
        return np.asarray(np.max(self._rows, axis=0))

    @property
    def shares(self) -> np.ndarray:
        """What is left of the largest distance, in the part that has most left, (frames,)."""
        largest = self.largest
        moved = largest > 1e-3 * largest.max()
        return np.asarray((np.stack(self._rows)[:, moved] / largest[moved]).max(axis=1))

    def worth(self, size: float) -> bool:
        """Whether the body was away from rest at all since the curve began."""
        return bool(self._rows) and float(self.largest.max()) > STILL_ON_STAGE * size

    @property
    def rested(self) -> float | None:
        """When it came to rest [s], if it has: by the meaning that takes have."""
        return self._rested


def landing_words(body: Deformable) -> str:
    """Where a body that lands is on its way to rest; nothing of others."""
    control, wish = body.state.control, body.damping
    if not (isinstance(control, LandingState) and isinstance(wish, Settle)) or body.pinned.any():
        return ""
    if control.clock is None:
        return "in flight: its clock starts when it touches something"
    left = max(wish.rest_in - control.clock, 0.0)
    total = control.made + control.hops
    hops = f"hop {control.made} of {total}; " if total and control.made else ""
    return f"{hops}{left:.2f} s left of {wish.rest_in:.2f} s since it touched"
