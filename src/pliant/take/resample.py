"""Takes at another frame rate: straight lines between the frames that were recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.errors import is_finite, shown

from .frames import Frames, LazyFrames, Picked
from .sewing import closed
from .topology import Topology, as_one, track_fields
from .track import ENERGIES, Track

if TYPE_CHECKING:
    from .take import Take

#: Frames this near to a time [share of a frame] are taken as they are.
_NEAR = 1e-6
_MOST = 10_000_000  # frames


@dataclass(frozen=True)
class Instants:
    """Times [s], (k,), each between two recorded frames, or on one.

    before, after (k,): the numbers of both frames; share (k,): how far it is from one to the other.
    """

    times: np.ndarray
    before: np.ndarray
    after: np.ndarray
    share: np.ndarray

    @classmethod
    def of(cls, times: np.ndarray, fps: float) -> Instants:
        """So many per second, from the first recorded time to the last."""
        step = float(np.diff(times).mean()) if len(times) > 1 else 1.0
        count = int((times[-1] - times[0] + _NEAR * step) * fps) + 1
        wanted = times[0] + np.arange(count) / fps
        after = np.clip(np.searchsorted(times, wanted), 0, len(times) - 1)
        before = np.maximum(after - 1, 0)
        gap = np.maximum(times[after] - times[before], 1e-300)
        share = np.where(after > before, (wanted - times[before]) / gap, 1.0)
        on_first, on_last = share < _NEAR, share > 1.0 - _NEAR
        after = np.where(on_first, before, after)
        return cls(
            wanted, np.where(on_last, after, before), after, np.where(after == before, 1.0, share)
        )

    def rows(self, values: np.ndarray) -> np.ndarray:
        """Values of frames, (frames, ...), at these times."""
        share = self.share.reshape(-1, *[1] * (values.ndim - 1))
        return np.asarray((1.0 - share) * values[self.before] + share * values[self.after])

    def frames(self, values: Frames, shape: tuple[int, ...]) -> LazyFrames:
        """Frames (frames, *shape), each made when it is asked for."""

        def make(k: int) -> np.ndarray:
            first, last = int(self.before[k]), int(self.after[k])
            start, end = np.asarray(values[first]), np.asarray(values[last])
            share = self.share[k]
            between = (1.0 - share) * start + share * end
            return np.array(end if first == last else between)

        return LazyFrames((len(self.times), *shape), make)


def resampled(take: Take, fps: float) -> Take:
    """The take with so many frames per second: see `Take.resampled`."""
    from .take import Take

    span = float(take.times[-1] - take.times[0])
    if not (is_finite(fps) and float(fps) > 0.0 and span * float(fps) < _MOST):
        raise ValueError(
            f"resampled: got fps={shown(fps)}; expected frames per second > 0, and fewer than {_MOST} "
            "in all, e.g. take.resampled(fps=24)"
        )
    at = Instants.of(take.times, float(fps))
    nearest = np.where(at.share < 0.5, at.before, at.after)
    return Take(
        [_track(track, at) for track in take.tracks],
        dt=take.dt,
        about=take.about | {"resampled": float(fps)},
        contacts=[take.contacts[int(k)] for k in nearest] if take.has_contacts else None,
        motions=[_motion(frames, at) for frames in take.motions],
    )


def _track(track: Track, at: Instants) -> Track:
    count_energies = None
    if track.count_energies is not None:

        def count_energies() -> np.ndarray:
            found = np.zeros(len(at.times), ENERGIES)
            for name in ENERGIES.names or ():
                found[name] = at.rows(track.energies[name])
            return found

    changed = track.changed
    if changed is not None:
        late = changed[at.after]
        changed = np.where(late <= at.times, late, changed[at.before])
    fields = {"several": ()} | track_fields(_topologies(track.topologies, at))
    return replace(track, times=at.times, count_energies=count_energies, changed=changed, **fields)


def _topologies(topologies: Sequence[Topology], at: Instants) -> list[Topology]:
    """Each mesh with the times that come after its first frame; one without any is left out."""
    found: list[Topology] = []
    change = None  # what made the next mesh of the last one that is kept
    for own in topologies:
        if own.change is not None:
            change = own.change if change is None else as_one([change, own.change])
        chosen = np.flatnonzero(
            (at.after >= own.first) & (at.after < own.first + len(own.positions))
        )
        if not len(chosen):
            continue
        found.append(_topology(own, chosen, at, topologies, change if found else None))
        change = None
    return found


def _topology(
    own: Topology, chosen: np.ndarray, at: Instants, all_: Sequence[Topology], change: Any
) -> Topology:
    part = Instants(*(each[chosen] for each in (at.times, at.before, at.after, at.share)))
    shape = own.mesh.points.shape
    which = part.after - own.first
    plastic = own.plastic
    if plastic is not None:
        known = np.maximum(part.before - own.first, 0)
        plastic = Instants(part.times, known, which, part.share).rows(plastic)
    return replace(
        own,
        first=int(chosen[0]),
        positions=part.frames(_WithSewn(own, all_, "positions"), shape),
        velocities=part.frames(_WithSewn(own, all_, "velocities"), shape),
        rests=None if own.rests is None else Picked(own.rests, which),
        plastic=plastic,
        change=change,
        later=None,
    )


class _WithSewn(Sequence[np.ndarray]):
    """Frames of a topology by their numbers in the take; those before it are cut as it is."""

    def __init__(self, own: Topology, all_: Sequence[Topology], what: str):
        self._own, self._all, self._what = own, all_, what

    def __len__(self) -> int:
        return self._own.first + len(self._own.positions)

    def __getitem__(self, frame: Any) -> Any:
        earlier = [t for t in self._all if t.first <= min(frame, self._own.first)]
        start = earlier[-1]
        values = np.asarray(getattr(start, self._what)[frame - start.first])
        for later in self._all:
            if start.first < later.first <= self._own.first and later.change is not None:
                values = closed(later.change).carried(values)
        return values


def _motion(frames: Frames, at: Instants) -> LazyFrames:
    """The motion of an obstacle: its points, or [R | shift], of which R stays a rotation."""
    shape = np.asarray(frames[0]).shape
    between = at.frames(frames, shape)
    if shape[1] != shape[0] + 1:
        return between

    def make(k: int) -> np.ndarray:
        pose = np.array(between[k])
        left, _, right = np.linalg.svd(pose[:, :-1])
        pose[:, :-1] = left @ right
        return pose

    return LazyFrames((len(at.times), *shape), make)
