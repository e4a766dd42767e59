"""`pliant run`, `convert` and `doctor`, as a user calls them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.cli import main

SCENE = """
[run]
seconds = 0.5
dt = 0.02

[body.bar]
mesh = { rectangle = { size = [2, 1], cells = [4, 2] } }
material = { model = "StableNeoHookean", young = 1e5, poisson = 0.3 }
settle = { rest_in = 0.4, bounces = 0 }
fix = "x < 0.01"
start = { offset = ["0.1*x", "0"] }
"""


def leave(*arguments) -> int:
    """The exit code of a command."""
    try:
        main([str(a) for a in arguments])
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


@pytest.fixture
def scene(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "bar.toml"
    path.write_text(SCENE)
    return path


def test_run_writes_the_take_and_says_what_came(scene, capsys):
    assert leave("run", scene) == 0
    said = capsys.readouterr().out
    assert "bar: asked to rest in 0.4\u00a0s with no bounce, measured 0.4" in said
    assert "bar.zarr" in said
    take = pl.Take.read("bar.zarr")
    assert len(take) == 26 and take.rest_time() == pytest.approx(0.4, rel=0.03)
    assert take.about["run"]["dt"] == 0.02 and take.about["run"]["stepper"] == "Implicit"
    assert take.about["scene"] == SCENE and take.about["scene_folder"] == str(scene.parent)


def test_run_can_measure_by_the_farthest_point(scene, capsys):
    assert leave("run", scene, "--measure", "farthest", "--overwrite") == 0
    said = capsys.readouterr().out
    take = pl.Take.read("bar.zarr")
    assert f"measured {take.rest_time(measure='farthest'):.3f}\u00a0s" in said
    assert "by its farthest point)" in said
    assert leave("run", scene, "--measure", "mean", "--overwrite") == 2


def test_options_change_the_scene_and_several_files_are_written(scene, tmp_path):
    out = [tmp_path / "deep" / "a.npz", tmp_path / "a.obj"]
    changes = ["--set", "body.settle.rest_in=0.2", "--seconds", "0.3", "--dt", "0.01"]
    assert leave("run", scene, "-o", out[0], "-o", out[1], *changes) == 0
    take = pl.Take.read(out[0])
    assert len(take) == 31 and take.rest_time() == pytest.approx(0.2, rel=0.03)
    assert "rest_in = 0.2" in take.about["scene"]
    assert list(tmp_path.glob("a_*.obj")) and not list(tmp_path.rglob("*.zarr"))


def test_progress_as_json_has_one_line_per_step(scene, capsys):
    assert leave("run", scene, "--progress", "json") == 0
    lines = [json.loads(s) for s in capsys.readouterr().out.splitlines()]
    lines = [line for line in lines if "frame" in line]
    assert [line["frame"] for line in lines] == list(range(1, 26))
    assert all(line["of"] == 25 and line["seconds_left"] >= 0 for line in lines)


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["nowhere.toml"], "no scene file"),
        (["bar.toml", "-o", "a.xyz"], "expected one of"),
        (["bar.toml", "-o", "a.abc"], "usdc"),
        (["bar.toml", "--dt", "-1"], "dt"),
        (["bar.toml", "--device", "tpu"], "device"),
        (["bar.toml", "--set", "body.settle.rest=1"], "rest_in"),
        (["bar.toml", "--set", "rest_in"], "="),
        (["bar.toml", "--resume"], "bar.zarr"),
    ],
)
def test_mistakes_are_one_line(scene, capsys, arguments, words):
    assert leave("run", *arguments) == 2
    said = capsys.readouterr().err.strip()
    assert words in said and len(said.splitlines()) == 1 and "Traceback" not in said
    assert not list(scene.parent.glob("*.zarr"))  # refused before anything was simulated


def test_ctrl_c_keeps_the_frames_and_resume_goes_on(scene, start):
    environment = os.environ | {"PYTHONPATH": str(Path(pl.__file__).parents[1])}
    command = [sys.executable, "-m", "pliant", "run", str(scene), "--dt", "0.001"]
    child = start(
        [*command, "--seconds", "1000"], env=environment, stderr=subprocess.PIPE, text=True
    )
    folder = scene.parent / "bar.zarr"
    deadline = time.monotonic() + 120
    while not (folder / "checkpoint.npz").exists():
        assert child.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    said = child.communicate(timeout=60)[1]
    assert child.returncode == 130 and "--resume" in said and "Traceback" not in said
    kept = pl.Take.read(folder)
    assert np.isfinite(kept.positions).all() and str(len(kept)) in said
    seconds = f"{kept.times[-1] + 0.05:.3f}"
    again = subprocess.run(
        [*command, "--seconds", seconds, "--resume"],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert again.returncode == 0, again.stderr
    whole = pl.Take.read(folder)
    assert whole.times[-1] == pytest.approx(float(seconds)) and len(whole) == len(kept) + 50
    assert (np.abs(np.diff(whole.times) - 0.001) < 1e-9).all()
    other = scene.parent / "other.zarr"
    once = [*command, "--seconds", seconds, "-o", str(other)]
    assert subprocess.run(once, env=environment, capture_output=True).returncode == 0
    np.testing.assert_array_equal(whole.positions, pl.Take.read(other).positions)


def test_convert_writes_other_formats(scene, tmp_path, capsys):
    assert leave("run", scene) == 0
    assert leave("convert", "bar.zarr", "b.npz", "b.pc2") == 0
    np.testing.assert_array_equal(
        pl.Take.read("b.npz").positions, pl.Take.read("bar.zarr").positions
    )
    assert (tmp_path / "b.pc2").exists()
    assert leave("convert", "b.npz", "both.html", "--beside", "bar.zarr") == 0
    assert leave("convert", "b.npz", "both.pc2", "--beside", "bar.zarr") == 2
    assert leave("convert", "bar.toml", "b.npz") == 2
    assert leave("convert", "b.npz", "b.pc2", "--curve") == 2
    assert leave("convert", "b.npz", "film.gif", "--curve", "--slow", "0") == 2
    assert leave("convert", "b.npz", "b.xyz") == 2


def test_doctor_tests_this_machine(capsys):
    assert leave("doctor") == 0
    said = capsys.readouterr().out
    assert "cpu" in said and "works: rest time within" in said and "numpy" in said


def test_a_missing_extra_is_a_mistake_with_its_cure(scene, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pxr", None)
    assert leave("run", scene, "-o", "a.usdc") == 2
    said = capsys.readouterr().err
    assert "pip install 'pliant[usd]'" in said and "Traceback" not in said


def test_doctor_names_the_extra_that_is_missing(capsys, monkeypatch):
    """Brackets are markup to rich, which swallowed [mesh]."""
    from pliant.cli import doctor

    monkeypatch.setattr(doctor, "_version", lambda name: None)
    monkeypatch.setattr(doctor, "devices", lambda: iter(()))
    assert leave("doctor") == 0
    assert "pip install 'pliant[mesh]'" in capsys.readouterr().out


def test_files_that_were_written_are_named_as_they_are(scene, tmp_path, capsys):
    assert leave("run", scene, "--seconds", "0.04", "-o", "b.obj", "-o", "b.pc2") == 0
    told = capsys.readouterr().out
    assert "written  b_0000.obj to b_0002.obj (3 files)" in told
    assert "written  b.pc2, b_0000.obj" in told
    assert leave("run", scene, "--seconds", "0.04", "-o", "c.zarr") == 0
    capsys.readouterr()
    assert leave("convert", "c.zarr", "c.obj", "c.vtu", "c.npz") == 0
    lines = [line.removeprefix("written  ") for line in capsys.readouterr().out.splitlines()]
    assert lines[1:] == ["c.pvd to c_0002.vtu (4 files)", "c.npz"]
    for line in lines:
        assert (tmp_path / line.split(" ")[0]).exists()


@pytest.mark.parametrize("name", ["cloth", "mesh", "settle"])
def test_a_body_cannot_be_called_as_a_field(scene, capsys, name):
    scene.write_text(SCENE.replace("[body.bar]", f"[body.{name}]"))
    assert leave("check", scene) == 2
    told = capsys.readouterr().err
    assert f"a body is called '{name}', which is the name of a field of bodies" in told
    assert f"[body.my_{name}]" in told
