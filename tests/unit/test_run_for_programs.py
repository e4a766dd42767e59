"""`pliant run` as other programs start it: lines of JSON, and an end when they are gone."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import pliant as pl
from pliant.cli import main
from pliant.mesh.skin import Skin

SCENE = """
[run]
seconds = 0.5
dt = 0.02
fps = 10

[body.bar]
mesh = { rectangle = { size = [2, 1], cells = [4, 2] } }
material = { young = 1e5, poisson = 0.3 }
settle = { rest_in = 0.4, bounces = 0 }
fix = "x < 0.01"
start = { offset = ["0.1*x", "0"] }
"""
RUN = [sys.executable, "-m", "pliant", "run", "bar.toml", "--progress", "json", "--end-with-input"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(Path(pl.__file__).parents[1]))
    (tmp_path / "bar.toml").write_text(SCENE)
    return tmp_path


def wait_until(true, seconds=60.0):
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_every_line_is_json_and_says_what_is_done(folder, capsys):
    with pytest.raises(SystemExit) as left:
        main(["run", "bar.toml", "-o", "a.npz", "-o", "a.pc2", "--progress", "json"])
    assert left.value.code == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    steps = [line for line in lines if "step" in line]
    assert [line["step"] for line in steps] == list(range(1, 26))
    assert [line["frame"] for line in steps] == [k // 5 for k in range(1, 26)]
    assert {(line["of"], line["steps"]) for line in steps} == {(5, 25)}
    assert steps[-1]["seconds_left"] == 0.0
    assert len(pl.Take.read("a.npz")) == 5 + 1  # the start is frame 0
    first = lines.index(steps[0])
    assert [line["doing"] for line in lines[:first]] == [
        "reading bar.toml",
        "preparing the first step",
    ]
    after = lines[first + 25 :]
    assert [line["doing"] for line in after[:2]] == ["writing a.npz", "writing a.pc2"]
    assert after[2]["result"].startswith("bar: asked to rest in 0.4")
    assert [line["written"] for line in after[3:]] == ["a.npz", "a.pc2"]


def test_an_open_input_changes_nothing(folder, start):
    pipe = subprocess.PIPE
    child = start([*RUN, "-o", "a.npz"], stdin=pipe, stdout=pipe, stderr=pipe)
    _, errors = child.stdout.read(), child.stderr.read()
    assert child.wait(timeout=60) == 0 and errors == b""
    assert (folder / "a.npz").exists()


@pytest.mark.skipif(os.name != "posix", reason="kills as posix does, and looks into /proc")
def test_ends_when_who_started_it_is_killed(folder, start):
    """A program that ignores Ctrl-C, starts a long run, and is killed without a word."""
    starter = (
        "import signal, subprocess, sys, time; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "run = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,\n"
        "                       stderr=subprocess.DEVNULL)\n"
        "print(run.pid, flush=True); time.sleep(1000)"
    )
    command = [sys.executable, "-c", starter, *RUN, "--seconds", "100000", "--dt", "0.01"]
    parent = start(command, stdout=subprocess.PIPE, text=True)
    pid = int(parent.stdout.readline())
    wait_until(lambda: (folder / "bar.zarr" / "times" / "3").exists())
    assert Path(f"/proc/{pid}").exists()
    parent.send_signal(signal.SIGKILL)
    wait_until(lambda: _ended(pid), seconds=30)
    assert len(pl.Take.read("bar.zarr")) > 3  # as Ctrl-C: the frames are kept


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks into /proc")
def test_its_mesher_ends_with_it(folder, start):
    pytest.importorskip("pytetwild")
    ball = Skin.bare(pl.meshes.sphere(1.0, 12)).surface
    ball.write(folder / "ball.obj")
    long = 'mesh = { file = "ball.obj", edge_length = 0.03 }'  # minutes, if it were let
    text = SCENE.replace("mesh = { rectangle = { size = [2, 1], cells = [4, 2] } }", long)
    (folder / "bar.toml").write_text(text.replace('["0.1*x", "0"]', '["0.1*x", "0", "0"]'))
    environment = os.environ | {"PLIANT_CACHE": str(folder / "cache")}
    child = start(RUN, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                  stderr=subprocess.DEVNULL, text=True, env=environment)  # fmt: skip
    while "filling" not in child.stdout.readline():
        assert child.poll() is None
    children = Path(f"/proc/{child.pid}/task/{child.pid}/children")
    wait_until(lambda: children.read_text().split())
    (mesher,) = children.read_text().split()
    child.stdin.close()
    assert child.wait(timeout=30) != 0
    wait_until(lambda: _ended(mesher), seconds=10)


def test_ends_even_if_it_cannot_be_interrupted(folder, start):
    stubborn = (
        "import time; from pliant.cli import parent\n"
        "parent.SECONDS_TO_STOP = 0.2; parent.end_with_input()\n"
        "while True:\n"
        "    try:\n"
        "        print('waits', flush=True)\n"
        "        time.sleep(1000)\n"
        "    except KeyboardInterrupt: print('interrupted', flush=True)\n"
    )
    pipe = subprocess.PIPE
    child = start([sys.executable, "-c", stubborn], stdin=pipe, stdout=pipe, text=True)
    assert child.stdout.readline() == "waits\n"
    child.stdin.close()
    assert child.stdout.read() == "interrupted\nwaits\n"
    assert child.wait() == 130


def _ended(pid):
    """Gone, or dead and only not yet buried by whoever inherited it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True
