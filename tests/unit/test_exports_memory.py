"""Exports hold a few frames at a time, however long the take."""

import subprocess
import sys
from pathlib import Path

import pytest

#: A take of 200 frames that take no memory themselves: each begins one point later in one array.
SCRIPT = """
import resource, sys
import numpy as np
import pliant as pl
from pliant.take import Take
from tests.moving import moving

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

mesh = pl.meshes.rectangle(size=(1, 1), cells=(100, 100))
track = moving(mesh, "sheet", np.arange(2) / 30)
shape = (200, *mesh.points.shape)
walk = np.random.default_rng(0).random((shape[0] + shape[1], 2))
track.positions = np.lib.stride_tricks.as_strided(walk, shape, (16, 16, 8))
track.velocities = -track.positions[:1].repeat(200, axis=0)
track.times = np.arange(200) / 30
take = Take([track], dt=1 / 30)
if sys.argv[1].endswith(".usdc"):
    from pliant.io import usd_stage
    usd_stage._BYTES_AT_ONCE = 4e6
Take([moving(mesh, "sheet", np.arange(2) / 30)], dt=1 / 30).save(sys.argv[1])  # loads libraries
before = peak()
size = take.save(sys.argv[1]).stat().st_size
print(size, peak() - before)
"""


@pytest.mark.parametrize("suffix", [".usdc", ".glb"])
def test_memory_does_not_grow_with_frames(tmp_path, suffix):
    pytest.importorskip("resource")  # not on Windows
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, tmp_path / f"a{suffix}"],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],  # for `tests.moving`
    )
    assert run.returncode == 0, run.stderr
    size, growth = map(int, run.stdout.split())
    assert size > 24e6  # 200 frames of 10,201 points
    # Measured: at most 2 MB; over 60 MB where samples wait for the end.
    assert growth < 0.5 * size


def test_looking_for_the_clock_keeps_no_frames():
    """Of an old take, whose clock is found by its pins, those of one frame are in memory at a time."""
    import tracemalloc
    from dataclasses import replace

    import numpy as np

    import pliant as pl
    from pliant.take import LazyFrames
    from tests.moving import moving

    mesh, count = pl.meshes.rectangle(size=(1, 1), cells=(40, 40)), 120
    track = moving(mesh, "sheet", np.arange(2) / 30)
    frames = LazyFrames((count, *mesh.points.shape), lambda k: mesh.points + 1e-3 * k)
    pinned = np.ones(len(mesh), dtype=bool)
    track = replace(
        track, times=np.arange(count) / 30, positions=frames, pinned=pinned, rests=[mesh.points]
    )
    tracemalloc.start()
    try:
        assert track.changing  # every pin moves until the end
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    one = mesh.points.nbytes
    # Some frames' worth of what compares two of them; all of them are 120.
    assert peak < 40 * one
