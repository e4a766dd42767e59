"""Frames that a run which is taken up computes again.

A checkpoint may be older than the last complete frames. Those frames stay as they are on disk: no
frame is dropped. The run goes through them again from the checkpoint, and each must agree with what
it finds, so that what comes after belongs to what is there. On the CPU of the same machine they
have the same bits; the tolerance here is for other machines and for CUDA.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pliant.scene import Scene
from pliant.take import Take, at_frame

#: Rounding, as a share of a body's size: two solvers that round differently end this close.
SAME_RUN = 1e-9
#: The tolerance of steps that state none.
TOLERANCE = 1e-9


class Again:
    """The complete frames of a take from the one of its checkpoint on."""

    def __init__(self, path: Path, scene: Scene, there: Take, first: int):
        self._path, self._scene, self._there, self._first = path, scene, there, first

    def compare(self, frame: int, time: float, positions: Sequence[np.ndarray]) -> None:
        """Refuse to go on if a frame on disk is not the one that was computed again.

        Both runs may err by the step's tolerance, a share of the motion, in each step since the
        checkpoint.
        """
        settings, known = self._scene.settings, float(self._there.times[frame])
        tolerance = settings["tolerance"] or TOLERANCE
        if abs(known - time) > 1e-6 * settings["dt"]:
            raise ValueError(
                f"{self._path}: frame {frame} is at {known:g} s; expected {time:g} s: run the scene "
                "with the fps that it was run with"
            )
        fps = settings["fps"]
        steps = (frame - self._first) * (1 if fps is None else round(1.0 / (fps * settings["dt"])))
        for body, track, x in zip(self._scene.bodies, self._there.tracks, positions, strict=True):
            there, start = track.position_frames[frame], track.position_frames[self._first]
            moved = float(np.abs(there - start).max())
            size = float(np.ptp(body.mesh.points, axis=0).max())
            topology = at_frame(track.topologies, frame)
            own = topology.positions[frame - topology.first]
            apart = float(np.abs(own - x).max()) if own.shape == x.shape else np.inf
            if not apart <= 2 * steps * tolerance * moved + SAME_RUN * size:
                raise ValueError(
                    f"{self._path}: frame {frame}, computed again from the checkpoint at frame "
                    f"{self._first}, has {body.name} {apart:.2g} m from where it was; all frames are "
                    "kept as they are. Run the scene again with --overwrite, or to another name"
                )
