"""Kills at random moments over streaming, checkpointing, resuming and exporting: no frame is lost."""

from __future__ import annotations

import random

import pytest

from .kills import FRAMES, Frames, exported, exported_folder, streamed_and_resumed, write_scene


@pytest.fixture(scope="module")
def takes(nursery, tmp_path_factory):
    """Two takes of the same scene, one shorter."""
    folder = tmp_path_factory.mktemp("takes")
    scene = write_scene(folder)
    for name, seconds in (("old.zarr", "0.05"), ("new.zarr", "0.1")):
        assert nursery.run(folder, "run", scene, "-o", name, "--seconds", seconds).code == 0
    return folder / "old.zarr", folder / "new.zarr"


@pytest.fixture(scope="module")
def whole(nursery, tmp_path_factory):
    """The frames of a run that was not killed."""
    folder = tmp_path_factory.mktemp("whole")
    assert nursery.run(folder, "run", write_scene(folder), "-o", "take.zarr").code == 0
    frames = Frames.of(folder / "take.zarr")
    assert len(frames.times) == FRAMES
    return frames


@pytest.mark.parametrize("seed", [1, 2])
def test_a_run_that_is_killed_and_resumed_keeps_every_frame(nursery, tmp_path, seed, whole):
    streamed_and_resumed(nursery, tmp_path, random.Random(seed), kills=3, whole=whole)


def test_an_export_that_is_killed_leaves_the_old_file_or_the_new(nursery, tmp_path, takes):
    rng = random.Random(3)
    for _ in range(3):
        exported(nursery, tmp_path, rng, *takes)


def test_a_take_written_over_another_is_the_old_one_or_the_new(nursery, tmp_path, takes):
    counts = [
        3,
        200,
        *range(900, 1100, 40),
    ]  # the last ones: while one takes the place of the other
    assert sum(exported_folder(nursery, tmp_path, k, *takes) for k in counts) >= 3


def test_an_overwrite_that_is_killed_can_be_made_again(nursery, tmp_path):
    """Whatever is left of the old take is still known as one."""
    scene = write_scene(tmp_path)
    again = ("run", scene, "-o", tmp_path / "take.zarr", "--overwrite", "--set", "run.seconds=0.01")
    assert nursery.run(tmp_path, *again).code == 0
    for change in range(1, 80, 13):
        assert nursery.run(tmp_path, *again, mishap=("kill", change)).code == -9
    assert nursery.run(tmp_path, *again).code == 0
    assert len(Frames.of(tmp_path / "take.zarr").times) == 3


@pytest.mark.slow
def test_seventy_kills_of_runs_and_resumed_runs(nursery, tmp_path, whole):
    hit, seed = 0, 100
    while hit < 70:
        rng = random.Random(seed)
        hit += streamed_and_resumed(nursery, tmp_path / str(seed), rng, kills=6, whole=whole)
        seed += 1
        assert seed < 200, f"only {hit} kills came in time"


@pytest.mark.slow
def test_thirty_kills_of_exports(nursery, tmp_path, takes):
    rng, hit = random.Random(4), 0
    for _ in range(150):
        hit += exported(nursery, tmp_path, rng, *takes)
        if hit >= 30:
            break
    assert hit >= 30
