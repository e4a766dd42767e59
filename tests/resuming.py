"""Runs that are stopped, and taken up by other objects."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pliant as pl
from pliant.io import again, folder
from pliant.take import Take, at_frame


def stopped_and_resumed(
    make: Callable[[], pl.Scene],
    path: Path,
    *,
    steps: int,
    dt: float,
    at: int,
    late: int = 3,
    stepper: Callable[[], Any] = pl.Implicit,
    device: str = "cpu",
) -> Take:
    """A take of a run that was stopped after `at` steps, its last checkpoint `late` steps before.

    The steps between are made again, and must be the frames that are there, on the CPU to the last
    bit.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folder, "CHECKPOINT_SHARE", float("inf"))

        def stop(done: int, of: int) -> None:
            if done == at - late:  # this frame is written, with its checkpoint
                patch.setattr(folder, "CHECKPOINT_SHARE", 0.0)
            if done == at:
                raise KeyboardInterrupt

        how = {"dt": dt, "stepper": stepper(), "device": device}
        with pytest.raises(KeyboardInterrupt):
            make().run(seconds=steps * dt, into=path, progress=stop, **how)
    scene, store = make(), folder.TakeFolder(path)
    there, compared, compare = Take.read(path), [], again.Again.compare
    assert store.resume(scene, device=device) == pytest.approx((at - late) * dt)

    def equal(self: Any, frame: int, time: float, positions: Any) -> None:
        for track, x in zip(there.tracks, positions, strict=True):
            if device == "cpu":
                own = at_frame(track.topologies, frame)  # a cut may follow
                np.testing.assert_array_equal(x, own.positions[frame - own.first])
        compare(self, frame, time, positions)
        compared.append(frame)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(again.Again, "compare", equal)
        how = {"dt": dt, "stepper": stepper(), "device": device, "progress": False}
        take = scene.run(seconds=(steps - at + late) * dt, into=store, **how)
    assert compared == list(range(at - late, at + 1))
    return take


def assert_same(found: Take, whole: Take) -> None:
    """Two takes are equal bit for bit, and something moves in them."""
    np.testing.assert_array_equal(found.times, whole.times)
    for here, there in zip(found.tracks, whole.tracks, strict=True):
        assert np.isfinite(there.positions).all()
        for name in ("positions", "velocities", "energies", "solver"):
            np.testing.assert_array_equal(getattr(here, name), getattr(there, name), name)
    assert np.ptp(whole.tracks[0].positions, axis=0).max() > 0.0
