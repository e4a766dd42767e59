"""A body that follows a cue track."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pliant.backend import one_thread
from pliant.errors import Advice, SolverError, UnstableError, prefixed
from pliant.given import gravity_of, is_due, one_each
from pliant.mesh import Mesh
from pliant.problem import State, System

from .cues import Change, Cues, Hold, Reach, Weight
from .prepared_body import PreparedBody

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Reached:
    """What became of a pose that was to be reached.

    at [s]: when; left: share of the way that was left then, of the point that was farthest off; None
    before. work [J]: artificial, of the force that brought the body there and of its fading out.
    """

    at: float
    left: float | None
    work: float
    key: Reach
    pose: Array
    force: Array
    way: float


class CuedBody(PreparedBody):
    """A body that can be directed."""

    def __init__(self, mesh: Mesh, masses: Array, *, name: str):
        self._cued: tuple[Hold | Weight | Reach, ...] = ()
        self._reached: tuple[Reached, ...] = ()
        self._gravity: Array | None = None
        self._blend: tuple[Array, float, Array] | None = None  # the last of `constant_load`
        super().__init__(mesh, masses, name=name)

    def direct(self, cues: Cues) -> None:
        """Follow a cue track from now on, beside keys that it has."""
        if not isinstance(cues, Cues):
            raise TypeError(f"direct: got {type(cues).__name__}; expected pl.Cues()")
        waiting = list(self._cued)
        for key in cues.keys:
            if isinstance(key, Change):
                continue
            if isinstance(key, Reach):
                pose = one_each(key.pose, self.positions.shape, what="reach")
                waiting.append(replace(key, pose=pose))
            elif isinstance(key, Weight) and key.gravity is not None:
                waiting.append(replace(key, gravity=gravity_of(key.gravity, self.dim)))
            else:
                if isinstance(key, Hold) and key.where is not None:
                    self.pins.release(key.where)  # of a copy: refuses what is no point
                waiting.append(key)
        self._cued = tuple(sorted(waiting, key=lambda key: key.at))
        for key in cues.keys:
            if isinstance(key, Change):
                self.change_damping(key.damping, at=key.at)

    def cue_report(self) -> tuple[Reached, ...]:
        """What became of the poses that were to be reached so far, with the artificial work spent."""
        return self._reached

    def planned(self, begin: float, end: float) -> bool:
        """Whether a change waits for a time between two [s]."""
        return any(begin <= key.at < end for key in self._cued) or super().planned(begin, end)

    def apply_events(self, time: float) -> None:
        """Make the changes that wait for a time [s]."""
        super().apply_events(time)
        due = [key for key in self._cued if is_due(key.at, time)]
        self._cued = self._cued[len(due) :]
        for key in due:
            if isinstance(key, Hold):
                (self.release if key.released else self.fix)(key.where)
                self._system = None
            elif isinstance(key, Weight):
                self._gravity = key.gravity
                self._changed()
        for key in due:  # after pins and weights of the same time
            if isinstance(key, Reach):
                self._set_out(key, time)

    def loads_at(self, x: Array, time: float, gravity: Array) -> Array:
        """All forces [N] on the body at x that do not depend on velocities, (n, d)."""
        return self._blended(super().loads_at(x, time, self._weighed(gravity)), time)

    def constant_load(self, time: float, gravity: Array) -> Array:
        """The forces [N] that depend on time only, (n, d); the same array while they stay."""
        own = super().constant_load(time, self._weighed(gravity))
        share = self._brought(time)
        known = self._blend
        if known is None or known[0] is not own or known[1] != share:
            known = self._blend = (own, share, self._blended(own, time))
        return known[2]

    def following_loads(self, x: Any, time: float) -> Sequence[Any]:
        """The forces [N] that depend on positions, on the body at x. Arrays live where x does."""
        found, share = super().following_loads(x, time), self._brought(time)
        return [(1.0 - share) * np.asarray(force) for force in found] if share else found

    @property
    def loads_resident(self) -> bool:
        """Whether a device can compute the loads on it that follow its surface or its velocity."""
        return not self._reached and super().loads_resident

    def account(self, before: State, time: float, gravity: Array) -> None:
        """Count the artificial work of a step that ended at a time [s]; before: its start."""
        if not self._reached:
            return
        system = self.system()
        x, origin = self._state.to_host(system).x, before.to_host(system).x
        found = []
        for k, one in enumerate(self._reached):
            share = self._brought(time) if k == len(self._reached) - 1 else 0.0
            left, work = one.left, one.work
            if left is None and is_due(one.at, time):
                left = _farthest((x - one.pose) * system.free[:, None]) / max(one.way, 1e-300)
            if share:
                physical = super().loads_at(x, time, self._weighed(gravity))
                work += share * float(np.vdot(one.force - physical, x - origin))
            found.append(replace(one, left=left, work=work))
        self._reached = tuple(found)

    def _brought(self, time: float) -> float:
        """The share of the artificial force at a time [s]."""
        return self._reached[-1].key.share(time) if self._reached else 0.0

    def _blended(self, load: Array, time: float) -> Array:
        """Loads [N], of which those that hold a pose take the place of a share."""
        share = self._brought(time)
        return (1.0 - share) * load + share * self._reached[-1].force if share else load

    def _weighed(self, gravity: Array) -> Array:
        return gravity if self._gravity is None else self._gravity

    def _set_out(self, key: Reach, time: float) -> None:
        """Let the dead force with which the pose is an equilibrium replace physical loads."""
        system: System = self.system()
        pose, x = self.pin_positions(time, key.pose), self._state.to_host(system).x
        pose[self.pinned] = x[self.pinned]
        if system.has_free_part:
            raise UnstableError(
                Advice(
                    f"{self.name}: reach: nothing holds it, no force in it brings it to a place; "
                    "expected some points held, as by ",
                    "body.fix(...) or Cues().hold(...)",
                    "fix = ... or hold in cues",
                )
            )
        force = np.asarray(system.force(pose, np.zeros_like(pose), system.unrestricted))
        force *= ~self.pinned[:, None]
        try:
            with one_thread():
                system.require_upright(pose)
                system.require_stable(pose, locked=False)
        except SolverError as error:
            raise type(error)(prefixed(f"{self.name}: reach: in this pose ", error)) from None
        self._changed()
        way = _farthest(x - pose)
        self._reached = (*self._reached, Reached(key.by, None, 0.0, key, pose, force, way))


def _farthest(way: Array) -> float:
    return float(np.linalg.norm(way, axis=1).max(initial=0.0))
