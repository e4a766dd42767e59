"""`pliant run` where a take is already: frames are lost only to someone who said so."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.cli import main
from pliant.io import folder

SCENE = """
[run]
seconds = 0.1
dt = 0.02
[body.bar]
mesh = { rectangle = { size = [2, 1], cells = [4, 2] } }
material = { model = "StableNeoHookean", young = 1e5, poisson = 0.3 }
settle = { rest_in = 0.4, bounces = 0 }
fix = "x < 0.01"
start = { offset = ["0.1*x", "0"] }
"""


def leave(*arguments: str) -> int:
    try:
        main([*arguments])
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bar.toml").write_text(SCENE)


def contents(path: Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in path.rglob("*") if p.is_file()}


def test_a_take_is_not_overwritten_unasked(capsys):
    assert leave("run", "bar.toml") == 0
    before = contents(Path("bar.zarr"))
    assert leave("run", "bar.toml", "--seconds", "0.04") == 2
    told = capsys.readouterr().err
    assert "bar.zarr has 6 frames" in told and "--overwrite" in told and "--resume" in told
    assert contents(Path("bar.zarr")) == before
    assert leave("run", "bar.toml", "--seconds", "0.04", "--overwrite") == 0
    assert len(pl.Take.read("bar.zarr")) == 3
    assert leave("run", "bar.toml", "--resume", "--overwrite") == 2


def test_frames_of_an_interrupted_export_are_not_overwritten_unasked(capsys):
    def stop(done, total):
        if done == 3:
            raise KeyboardInterrupt

    from pliant import scenefile as scene_files

    setup = scene_files.read("bar.toml").build()
    with pytest.raises(KeyboardInterrupt):
        setup.scene.run(seconds=0.1, dt=0.02, into="bar.part.zarr", progress=stop)
    assert leave("run", "bar.toml", "-o", "bar.npz") == 2
    assert "bar.part.zarr has 4 frames" in capsys.readouterr().err
    assert leave("run", "bar.toml", "-o", "bar.npz", "--resume") == 0
    assert len(pl.Take.read("bar.npz")) == 6 and not Path("bar.part.zarr").exists()
    assert leave("run", "bar.toml", "-o", "bar.npz") == 0  # exports are overwritten


def test_a_run_that_was_never_begun_cannot_be_taken_up(capsys):
    assert leave("run", "bar.toml", "--resume") == 2
    told = capsys.readouterr().err
    assert "no interrupted run of bar.zarr" in told and "without --resume" in told
    assert leave("run", "bar.toml", "-o", "r.npz", "--resume") == 2
    assert "no interrupted run of r.npz" in capsys.readouterr().err


def answer_on_a_terminal(word: str) -> tuple[int, str]:
    """Run with a terminal of its own, and answer its question."""
    outer, inner = pty.openpty()
    source = str(Path(pl.__file__).parents[1])
    child = subprocess.Popen(
        [sys.executable, "-m", "pliant", "run", "bar.toml", "--seconds", "0.04"],
        stdin=inner,
        stdout=inner,
        stderr=inner,
        env=os.environ | {"PYTHONPATH": source},
    )
    os.close(inner)
    os.write(outer, f"{word}\n".encode())
    told = b""
    try:
        while True:
            found = os.read(outer, 4096)
            if not found:
                break
            told += found
    except OSError:  # the other end of a terminal is closed
        pass
    finally:
        os.close(outer)
        code = child.wait(timeout=120)
    return code, told.decode()


@pytest.mark.parametrize(("word", "code", "frames"), [("n", 2, 6), ("y", 0, 3)])
def test_on_a_terminal_it_asks(word, code, frames):
    assert leave("run", "bar.toml") == 0
    left, told = answer_on_a_terminal(word)
    assert "bar.zarr has 6 frames of an earlier run; overwrite them?" in told
    assert left == code and len(pl.Take.read("bar.zarr")) == frames


def test_frames_that_do_not_agree_are_kept_and_said(monkeypatch):
    """Someone moved a frame after the checkpoint: it stays, and the run does not go on from it."""
    monkeypatch.setattr(folder, "CHECKPOINT_SHARE", 0.0)
    assert leave("run", "bar.toml") == 0
    frame = Path("bar.zarr/body0/positions/3.0.0")
    frame.write_bytes((np.frombuffer(frame.read_bytes()) + 0.01).tobytes())
    before = pl.Take.read("bar.zarr").positions
    from pliant import scenefile as scene_files

    setup, store = scene_files.read("bar.toml").build(), folder.TakeFolder("bar.zarr")
    assert store.resume(setup.scene) == 0.0  # the only checkpoint is that of the first frame
    with pytest.raises(ValueError, match=r"frame 3, .* 0\.01 m from where it was") as caught:
        setup.scene.run(seconds=0.14, dt=0.02, into=store)
    np.testing.assert_array_equal(pl.Take.read("bar.zarr").positions, before)
    np.testing.assert_array_equal(caught.value.take.positions, before)
