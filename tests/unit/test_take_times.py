"""The times of a take grow from frame to frame, wherever it comes from."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from tests.moving import moving_take

BACK = [[0.0, 0.1, 0.05], [0.0, 0.1, 0.1], [6.3, 0.1, 0.2], [0.0, np.nan, 0.2], [0.0, 0.1, np.inf]]


@pytest.mark.parametrize("times", BACK)
def test_a_take_of_times_that_do_not_grow_is_not_made(times):
    track = moving_take(3, bodies=3).tracks[2]
    with pytest.raises(ValueError, match=r"take of plate: .* expected .* scene again"):
        replace(track, times=np.array(times))


@pytest.mark.parametrize("suffix", [".npz", ".zarr", ".obj", ".glb", ".pc2", ".html"])
def test_a_take_whose_times_were_changed_is_not_saved(suffix, tmp_path):
    take = moving_take(bodies=1)
    take.times[3] = 0.0
    with pytest.raises(ValueError, match="frame 3 at 0 s comes after frame 2 at 2.06667 s"):
        take.save(tmp_path / f"back{suffix}")
    assert not list(tmp_path.iterdir())


def test_a_saved_take_whose_times_go_back_is_neither_read_nor_converted(tmp_path):
    path = moving_take(bodies=1).save(tmp_path / "take.npz")
    with np.load(path) as file:
        arrays = dict(file)
    arrays["times"] = arrays["times"][::-1].copy()
    np.savez(path, **arrays)
    with pytest.raises(ValueError, match="frame 1"):
        pl.Take.read(path)
    run = subprocess.run(
        [sys.executable, "-m", "pliant", "convert", "take.npz", "out.glb"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(Path(pl.__file__).parents[1]), "PATH": ""},
    )
    assert run.returncode == 2 and not (tmp_path / "out.glb").exists()
    assert run.stderr.startswith("error: ") and "Traceback" not in run.stderr
