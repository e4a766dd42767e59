"""A cue track: what is to happen to a body, and when."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pliant.control import Damping, Settle
from pliant.errors import described, is_finite, is_whole, shown

Array = np.ndarray
#: A pose counts as reached at this share of the way, in the norm of masses; promised is twice as much.
REACHED = 0.005


@dataclass(frozen=True)
class Hold:
    """Hold points where they are, or let them go; where: a mask, indices, or None for all."""

    at: float
    where: Any
    released: bool = False


@dataclass(frozen=True)
class Weight:
    """From a time on the gravity of one body is this [m/s^2]; None: that of the scene."""

    at: float
    gravity: Any


@dataclass(frozen=True, eq=False)
class Reach:
    """Be in a pose [m] at a time, from another on; then what forced it there fades out."""

    at: float
    pose: Any
    by: float
    blend: float

    def share(self, time: float) -> float:
        """The share of the artificial force at a time [s]."""
        if self.blend == 0.0:
            return float(time <= self.by * (1.0 + 1e-9))
        left = min(max((self.by + self.blend - time) / self.blend, 0.0), 1.0)
        return left * left * (3.0 - 2.0 * left)


@dataclass(frozen=True)
class Change:
    """Another damping from a time on."""

    at: float
    damping: Damping | None


class Cues:
    """What happens to a body and when: hold, release, wish, gravity, reach a pose, rest.

    Times are those of the scene [s], or frames if fps [1/s] is given. Each key returns a cue track with
    that key added. `body.direct(cues)` takes them up.

        cues = (
            pl.Cues(fps=24)
            .reach(bow, at=24)                     # from frame 0 on, and there at frame 24
            .rest(by=60, bounces=1)
        )
        body.direct(cues)

    A pose is reached by dead loads with which it is an equilibrium, under a wish to rest there: so the
    body arrives as softly as it settles, and physical loads take over as the dead ones fade out. Their
    work is artificial, and `body.cue_report()` tells it. Not for free bodies, and for poses that would
    buckle under such loads.
    """

    def __init__(self, fps: float | None = None):
        if fps is not None and not (is_finite(fps) and fps > 0.0):
            raise ValueError(f"Cues: got fps={shown(fps)}; expected frames per second > 0, or None")
        self._unit = 1.0 if fps is None else 1.0 / float(fps)
        self.keys: tuple[Hold | Weight | Reach | Change, ...] = ()
        self._end = 0.0

    def __repr__(self) -> str:
        said = ", ".join(f"{type(k).__name__.lower()} at {k.at:g} s" for k in self.keys)
        return f"<Cues: {said or 'none'}>"

    def hold(self, where: Any, *, at: float) -> Cues:
        """Hold points (mask or indices) where they are then."""
        return self._with(Hold(self._time("hold", at), where))

    def release(self, where: Any = None, *, at: float) -> Cues:
        """Let points go; all of them by default."""
        return self._with(Hold(self._time("release", at), where, released=True))

    def wish(self, damping: Damping | None, *, at: float) -> Cues:
        """Take another damping, as `body.change_damping` does."""
        if damping is not None and not isinstance(damping, Damping):
            raise TypeError(
                f"wish: got {type(damping).__name__}; expected e.g. pl.Settle(rest_in=1.0) or None"
            )
        return self._with(Change(self._time("wish", at), damping))

    def gravity(self, gravity: Any, *, at: float) -> Cues:
        """Give the body a gravity of its own [m/s^2]; None: that of the scene."""
        return self._with(Weight(self._time("gravity", at), gravity))

    def reach(
        self, pose: Any, *, at: float, start: float | None = None, blend: float | None = None
    ) -> Cues:
        """Be in a pose [m], (n, d), within 1 % of the way.

        start: when it sets out, by default with the end of the last `reach` or `rest`, or at 0. blend:
        how long the force that brought it there fades out afterwards; as long as the way by default.
        """
        by = self._time("reach", at)
        begin = self._end if start is None else self._time("reach", start, "start")
        if not begin < by:
            raise ValueError(
                f"reach: got at={shown(at)} and a start at {begin / self._unit:g}; expected the start "
                "before"
            )
        fade = by - begin if blend is None else self._time("reach", blend, "blend")
        found = self._with(
            Change(begin, Settle(by - begin, bounces=0, within=REACHED, swing=False))
        )
        return found._with(Reach(begin, pose, by, fade), end=by)

    def rest(self, *, by: float, bounces: int | None = 0) -> Cues:
        """Rest by a time: what faded until then is gone, and physical loads alone act.

        A `reach` before it fades out within a third of the time that is left.
        """
        end = self._time("rest", by, "by")
        if bounces is not None and not (is_whole(bounces) and bounces >= 0):
            raise ValueError(f"rest: got bounces={shown(bounces)}; expected 0, 1, 2, ... or None")
        if not self._end < end:
            raise ValueError(
                f"rest: got by={shown(by)}; expected a time after {self._end / self._unit:g}, that "
                "of the last key"
            )
        keys, begin = self.keys, self._end
        if keys and isinstance(keys[-1], Reach):
            blend = min(keys[-1].blend, (end - self._end) / 3.0)
            keys, begin = (*keys[:-1], replace(keys[-1], blend=blend)), self._end + blend
        found = Cues()
        found.keys, found._unit = keys, self._unit
        return found._with(
            Change(begin, Settle(end - begin, bounces=bounces, swing=False)), end=end
        )

    def _with(self, key: Hold | Weight | Reach | Change, end: float | None = None) -> Cues:
        found = Cues()
        found.keys, found._unit = (*self.keys, key), self._unit
        found._end = max(self._end, key.at) if end is None else end
        return found

    def _time(self, who: str, value: Any, what: str = "at") -> float:
        if not (is_finite(value) and value >= 0.0):
            raise ValueError(
                f"{who}: got {what}={described(value)}; expected a time of the scene, 0 or more"
            )
        return float(value) * self._unit
