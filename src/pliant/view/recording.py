"""What happens on the stage, as a take."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.bodies import Deformable
from pliant.problem import System
from pliant.scene import Scene
from pliant.solvers import Report
from pliant.take import InMemory, Recorder, Take

LONGEST_RECORDING = 60.0  # [s]; it then stops by itself
#: Bytes that the frames of a recording, or of a curve, take at most.
ROOM_FOR_FRAMES = 1 << 28


class Recording:
    """Collects every step from now on."""

    def __init__(self, scene: Scene, systems: Sequence[System], dt: float):
        frame = sum(2 * 8 * body.mesh.points.size for body in scene.bodies)
        self._room = max(2, min(int(LONGEST_RECORDING / dt), ROOM_FOR_FRAMES // frame))
        self._scene = scene
        self._store = InMemory()
        self._store.begin(scene, self._room, self._room, dt)
        self._recorder = Recorder(scene, systems, self._store)
        self._rests = [[_rest(body)] for body in scene.bodies]
        self.frames = 1

    @property
    def full(self) -> bool:
        """Whether no further step can be kept."""
        return self.frames == self._room

    def add(self, systems: Sequence[System], reports: Sequence[Report]) -> None:
        """Keep the present; a hand may have changed the systems."""
        self._recorder.step(systems, reports)
        self._recorder.frame()
        for rests, body in zip(self._rests, self._scene.bodies, strict=True):
            rests.append(_rest(body))
        self.frames += 1

    def take(self) -> Take:
        """The frames so far."""
        take = self._store.take()
        for track, rests in zip(take.tracks, self._rests, strict=True):
            if not track.several:  # a store that saw cuts has carried them
                track.rests = _filled(rests)
        return take


def _rest(body: Deformable) -> np.ndarray | None:
    rest = body.state.rest
    return None if rest is None else rest.x


def _filled(rests: Sequence[np.ndarray | None]) -> list[np.ndarray] | None:
    """One rest shape for every frame. Frames without one take the last before them, or the first."""
    known = [r for r in rests if r is not None]
    if not known:
        return None
    filled, last = [], known[0]
    for rest in rests:
        last = last if rest is None else rest
        filled.append(last)
    return filled
