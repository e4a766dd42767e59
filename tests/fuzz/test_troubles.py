"""Full and read-only disks, two writers, an interrupt, a jumping clock: one line, nothing lost."""

from __future__ import annotations

import os
import signal
import subprocess
import time

import pytest

from pliant.take import Take

from .kills import FRAMES, Frames, wish, write_scene
from .nursery import Nursery


@pytest.fixture(scope="module")
def reference(nursery, tmp_path_factory):
    """The take of a run that nothing befell."""
    folder = tmp_path_factory.mktemp("reference")
    assert nursery.run(folder, "run", write_scene(folder), "-o", "take.zarr").code == 0
    return Frames.of(folder / "take.zarr")


def check_one_line(said: str) -> None:
    lines = [line for line in said.splitlines() if line.strip()]
    assert len(lines) == 1 and lines[0].startswith("error: "), said


#: What happens to the disk, and at which change of a file: while arrays are made, and later.
DISKS = [("full", 150), ("read-only", 40), ("gone", 333), ("small", 150)]
MORE = [
    (kind, count) for kind, _ in DISKS for count in (60, 200, 500) if (kind, count) not in DISKS
]


@pytest.mark.parametrize(
    "kind, count", [*DISKS, *(pytest.param(*case, marks=pytest.mark.slow) for case in MORE)]
)
def test_a_disk_that_fails_in_a_run_keeps_the_frames(nursery, tmp_path, reference, kind, count):
    scene, take = write_scene(tmp_path), tmp_path / "take.zarr"
    ended = nursery.run(tmp_path, "run", scene, "-o", take, mishap=(kind, count, "take.zarr"))
    assert ended.code == 2
    check_one_line(ended.said)
    assert "take.zarr" in ended.said  # which file
    kept = Frames.of(take)
    kept.check()
    reference.check_holds(kept)
    # When there is space again the run goes on.
    again = nursery.run(tmp_path, "run", scene, "-o", take, *wish(take))
    assert again.code == 0, again.said
    last = Frames.of(take)
    last.check_holds(kept)
    assert len(last.times) == FRAMES


EXPORTS = [("full", ".npz"), ("small", ".usdc")]
SLOW = [(k, s) for k in ("full", "small") for s in (".npz", ".glb", ".html", ".usdc", ".vtkhdf")]


@pytest.mark.parametrize(
    "kind, suffix",
    [*EXPORTS, *(pytest.param(*c, marks=pytest.mark.slow) for c in SLOW if c not in EXPORTS)],
)
def test_a_disk_that_fails_in_an_export_keeps_the_file_of_before(nursery, tmp_path, suffix, kind):
    scene, out = write_scene(tmp_path), tmp_path / f"out{suffix}"
    for name, seconds in (("old.zarr", "0.05"), ("new.zarr", "0.1")):
        assert nursery.run(tmp_path, "run", scene, "-o", name, "--seconds", seconds).code == 0
    assert nursery.run(tmp_path, "convert", "old.zarr", out).code == 0
    before = out.read_bytes()
    ended = nursery.run(tmp_path, "convert", "new.zarr", out, mishap=(kind, 1, str(tmp_path)))
    assert ended.code == 2 and out.read_bytes() == before
    check_one_line(ended.said)
    assert out.name in ended.said
    assert not list(tmp_path.glob(".writing-*"))


def test_a_folder_that_cannot_be_written_is_refused_before_the_run(nursery, tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir()
    scene = write_scene(tmp_path)
    if os.geteuid() == 0:  # permissions mean nothing to root
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", closed], capture_output=True
        )
        if mounted.returncode:
            pytest.skip("root may write everywhere, and nothing can be mounted here")
    else:
        closed.chmod(0o500)
    try:
        ended = nursery.run(tmp_path, "run", scene, "-o", closed / "take.zarr")
    finally:
        if os.geteuid() == 0:
            subprocess.run(["umount", closed], check=True)
        else:
            closed.chmod(0o700)
    assert ended.code == 2 and "closed" in ended.said
    check_one_line(ended.said)


def test_an_interrupt_while_a_frame_is_written_keeps_the_others(nursery, tmp_path, reference):
    scene, take = write_scene(tmp_path), tmp_path / "take.zarr"
    ended = nursery.run(tmp_path, "run", scene, "-o", take, mishap=("interrupt", 500, "take.zarr"))
    assert ended.code == 130 and "--resume" in ended.said and "Traceback" not in ended.said
    kept = Frames.of(take)
    assert len(kept.times) > 1
    reference.check_holds(kept)


def test_a_clock_that_jumps_changes_nothing(nursery, tmp_path, reference):
    scene, take = write_scene(tmp_path), tmp_path / "take.zarr"
    ended = nursery.run(
        tmp_path, "run", scene, "-o", take, "--progress", "json", mishap=("clock", 0)
    )
    assert ended.code == 0 and ended.said == ""
    found = Frames.of(take)
    found.check_holds(reference)
    assert len(found.times) == FRAMES


def test_a_second_writer_is_refused_and_the_first_goes_on(nursery, tmp_path, reference):
    scene, take = write_scene(tmp_path), tmp_path / "take.zarr"
    second = nursery
    with Nursery() as first:
        # Longer than the others, so that it is stopped before its end.
        child = first.start(tmp_path, "run", scene, "-o", take, "--seconds", "1.5")
        deadline = time.monotonic() + 60.0
        while not (take / "times" / "3").exists():
            assert time.monotonic() < deadline
            time.sleep(0.001)
        os.kill(child, signal.SIGSTOP)  # so that it cannot end before the others come
        try:
            for wish in ([], ["--resume"]):
                ended = second.run(tmp_path, "run", scene, "-o", take, *wish)
                assert ended.code == 2, ended
                check_one_line(ended.said)
            ended = second.run(tmp_path, "convert", take, take)
            assert ended.code == 2, ended
            seen = Frames.of(take)
            assert len(seen.times) >= 4  # readers are welcome
            assert second.run(tmp_path, "convert", take, "seen.npz").code == 0
        finally:
            os.kill(child, signal.SIGCONT)
        assert first.wait().code == 0
    last = Frames.of(take)
    last.check_holds(reference)
    assert len(last.times) == 301
    assert len(Take.read(tmp_path / "seen.npz")) == len(seen.times)
