"""What people do who have never seen pliant: one clear line each, and nothing lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant import scenefile as scene_files
from pliant.cli import main

SCENE = """
[run]
seconds = 0.1
dt = 0.02

[body.bar]
mesh = { rectangle = { size = [2, 1], cells = [4, 2] } }
material = { young = 1e5, poisson = 0.3 }
settle = { rest_in = 0.08, bounces = 0 }
fix = "x < 0.01"
start = { offset = ["0.1*x", "0"] }
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bar.toml").write_text(SCENE)
    return tmp_path


def leave(*arguments) -> int:
    """The exit code of a command."""
    with pytest.raises(SystemExit) as stop:
        main([str(a) for a in arguments])
    return int(stop.value.code or 0)


def told(capsys) -> str:
    """The one line that stands on standard error."""
    (line,) = capsys.readouterr().err.strip().splitlines()
    return line


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 cut off"])
def test_a_broken_archive_is_one_line(folder, capsys, content):
    (folder / "old.npz").write_bytes(content)
    assert leave("convert", "old.npz", "new.glb") == 2
    assert "old.npz is broken" in told(capsys)


@pytest.mark.parametrize(
    "name, words",
    [("there.glb", "is a folder"), ("bar.toml/a.glb", "is a file"), ("a" * 300 + ".npz", "long")],
)
def test_what_cannot_be_written_is_said_at_once(folder, capsys, name, words):
    (folder / "there.glb").mkdir()
    assert leave("run", "bar.toml", "-o", name) == 2
    assert words in told(capsys)
    assert not list(folder.glob("*.zarr"))


def test_an_export_leaves_the_take_beside_it(folder):
    assert leave("run", "bar.toml") == 0
    assert leave("run", "bar.toml", "--seconds", "0.04", "-o", "bar.npz") == 0
    assert len(pl.Take.read("bar.zarr")) == 6 and len(pl.Take.read("bar.npz")) == 3
    assert sorted(p.name for p in folder.iterdir()) == ["bar.npz", "bar.toml", "bar.zarr"]


def test_an_export_that_fails_keeps_the_frames(folder, capsys, monkeypatch):
    def fails(*_, **__):
        raise OSError(28, "No space left on device", "bar.npz")

    monkeypatch.setattr("pliant.io.npz._write_rows", fails)
    assert leave("run", "bar.toml", "-o", "bar.npz") == 2
    said = told(capsys)
    assert "no space left" in said and "pliant convert bar.part.zarr" in said
    assert len(pl.Take.read("bar.part.zarr")) == 6 and not (folder / "bar.npz").exists()


def test_two_runs_do_not_write_one_take(folder, capsys, start):
    code = (
        "from pliant.io import folder, scene\n"
        "store = folder.TakeFolder('bar.zarr')\n"
        "store.begin(scene.read('bar.toml').build().scene, 1, 1, 0.02)\n"
        "print('begun', flush=True)\n"
        "input()\n"
    )
    assert leave("run", "bar.toml") == 0
    other = start(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(Path(pl.__file__).parents[1])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert other.stdout.readline().strip() == "begun"
    capsys.readouterr()
    assert leave("run", "bar.toml") == 2
    assert "another run" in told(capsys)
    other.kill()  # however it ends, the next may write
    other.communicate()
    assert leave("run", "bar.toml") == 0 and len(pl.Take.read("bar.zarr")) == 6


def test_a_folder_killed_before_its_first_frame_has_none(folder, capsys):
    assert leave("run", "bar.toml") == 0
    (folder / "bar.zarr" / "times" / ".zarray").unlink()
    capsys.readouterr()
    assert leave("convert", "bar.zarr", "bar.glb") == 2
    assert "no complete frame" in told(capsys)
    (folder / "bar.zarr" / ".zattrs").write_text("{ half")
    assert leave("convert", "bar.zarr", "bar.glb") == 2
    assert "not a take" in told(capsys)


def test_an_empty_folder_may_become_a_take(folder):
    (folder / "bar.zarr").mkdir()
    assert leave("run", "bar.toml") == 0 and len(pl.Take.read("bar.zarr")) == 6


def test_memory_that_is_not_there_is_one_line(folder, capsys):
    (folder / "bar.toml").write_text(SCENE.replace("[4, 2]", "[10000000, 10000000]"))
    assert leave("run", "bar.toml") == 2
    assert "takes at least 3.6e+04 TB of memory" in told(capsys)


def test_warnings_are_one_line(folder, capsys, monkeypatch):
    def read(path, **more):
        warnings.warn("cells\nare bad", stacklevel=2)

    monkeypatch.setattr(pl.Take, "read", read)
    with pytest.raises(AttributeError):  # what is no mistake of the user's keeps its traceback
        main(["convert", "bar.toml", "bar.npz"])
    assert told(capsys) == "warning: cells are bad"


def test_a_scene_may_begin_with_a_byte_order_mark(folder):
    (folder / "bar.toml").write_text(SCENE, encoding="utf-8-sig")
    assert leave("run", "bar.toml", "-o", "bar.npz") == 0


def test_steps_of_picoseconds_are_checked_without_dividing_by_zero(folder, capsys):
    changes = ["run.dt=1e-12", "run.seconds=1e-9", "body.settle.rest_in=0.9"]
    assert leave("check", "bar.toml", *(a for c in changes for a in ("--set", c))) == 0
    assert "times lighter" in capsys.readouterr().out


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("settle = {", 'damping = "none" #', 'expected a table with model, e.g. { model = "Rayl'),
        ("x < 0.01", "x < 100", "bar.toml:10: body.bar.fix: holds every point"),
        (
            "seconds = 0.1",
            "seconds = 1e80",
            "bar.toml:3: run.seconds: 1e+80 s are 5.0e+81 steps",
        ),
        (
            "rectangle = { size = [2, 1], cells = [4, 2] } }",
            "box = { } }\nthickness = 0.1",
            "bar.toml:6: body.bar: Body: got thickness=0.1; expected it for 2D bodies only",
        ),
        (SCENE, "", "scene file 'bar.toml' is empty"),
        (
            SCENE,
            "# nothing yet",
            "body: is missing; expected bodies by name: a section for each, as [body.beam]",
        ),
    ],
)
def test_mistakes_that_were_told_badly(folder, capsys, old, new, words):
    (folder / "bar.toml").write_text(SCENE.replace(old, new))
    assert leave("check", "bar.toml") == 2
    assert words in told(capsys)


def test_times_and_rates_may_be_fractions(folder, capsys):
    options = ["--dt", "1001/48000", "--seconds", "1/4", "--set", "run.fps=24000/1001"]
    assert leave("run", "bar.toml", *options, "-o", "bar.npz") == 0
    take = pl.Take.read("bar.npz")
    np.testing.assert_allclose(np.diff(take.times), 1001 / 24000, rtol=1e-9)  # sums of dt
    capsys.readouterr()
    assert leave("run", "bar.toml", "--dt", "soon") == 2
    assert 'run.dt: got "soon"; expected dt > 0 [s]' in told(capsys)


def bar(name="bar", **options):
    mesh = pl.meshes.rectangle(size=(2, 1), cells=(4, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3), name=name, **options)
    body.fix(mesh.points[:, 0] < 1e-9)
    return body


def test_bodies_of_one_name_are_not_mistaken_for_each_other():
    one, other = bar(), bar()
    scene = pl.Scene([one, other])
    take = scene.run(seconds=0.1)
    assert take[other] is take.tracks[1] and repr(scene) == "<Scene of 'bar', 'bar' at 0.1 s>"
    with pytest.raises(KeyError, match="2 bodies are called 'bar'"):
        take["bar"]


def test_what_is_printed_is_short():
    scene = pl.Scene([bar()])
    scene.run(seconds=0.1)
    take = scene.run(seconds=0.1)
    assert repr(take) == "<Take: 7 frames, 0.1 s, 1 body>"
    assert repr(take.tracks[0]) == "<Track 'bar': 7 frames of 15 points>"


@pytest.mark.parametrize(
    "mistake, words",
    [
        (lambda: pl.Scene([bar()], gravity="down"), "gravity: got 'down'; expected 2 numbers"),
        (lambda: pl.Scene([bar()]).run(seconds=0.1, fps="24"), "got fps='24'; expected frames"),
        (lambda: pl.Scene([bar()]).run(seconds=0.1, into=3), "got into=3; expected the name of"),
        (lambda: bar(name=3), "got name=3; expected text"),
    ],
)
def test_wrong_types_are_told_in_python(mistake, words):
    with pytest.raises((TypeError, ValueError), match=words):
        mistake()


def full(*_, **__):
    raise OSError(28, "No space left on device")


def test_a_full_disk_names_the_file_and_leaves_no_half(folder, capsys, monkeypatch):
    pl.Scene([bar()]).run(seconds=0.1).save("a.npz")
    monkeypatch.setattr("pliant.io.npz._write_rows", full)
    assert leave("convert", "a.npz", "b.npz") == 2
    assert told(capsys) == "error: b.npz: no space left on device"
    monkeypatch.setattr(Path, "write_bytes", full)
    assert leave("run", "bar.toml") == 2
    assert "bar.zarr" in told(capsys)
    assert not list(folder.rglob("*.part")) and not list(folder.glob(".writing*"))


def test_hdf5_is_not_let_onto_a_full_disk(folder, monkeypatch):
    pytest.importorskip("h5py")
    take = pl.Scene([bar()]).run(seconds=0.1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10, 9, 1))
    with pytest.raises(OSError, match="0 MB are free"):
        take.save("a.vtkhdf")
    assert not (folder / "a.vtkhdf").exists()


def test_a_folder_that_is_closed_is_said_before_the_run(folder, capsys, monkeypatch):
    # Tests may run as root, who may write everywhere.
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != folder)
    assert leave("run", "bar.toml", "-o", "a.npz") == 2
    assert "nothing may be written to the folder" in told(capsys)


def test_a_run_stopped_at_once_can_be_taken_up(folder):
    def stop(done, total):
        if done == 2:
            raise KeyboardInterrupt

    setup = scene_files.read("bar.toml").build()
    with pytest.raises(KeyboardInterrupt):
        setup.scene.run(seconds=0.1, dt=0.02, into="bar.zarr", progress=stop)
    assert leave("run", "bar.toml", "--resume") == 0
    whole = scene_files.read("bar.toml").build().run()
    np.testing.assert_array_equal(pl.Take.read("bar.zarr").times, whole.times)
    found = pl.Take.read("bar.zarr").positions
    np.testing.assert_array_equal(found[:3], whole.positions[:3])  # as they were before the stop
    # Three more steps, each within 1e-3 of the motion, in two runs that may err to both sides.
    moved = np.abs(whole.positions - whole.positions[0]).max()
    assert np.abs(found - whole.positions).max() <= 2 * 3 * 1e-3 * moved
