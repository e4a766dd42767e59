"""How a run is ended from outside, in the foreground and in the background."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import pliant as pl
from pliant.cli import main
from pliant.cli.termination import Termination
from tests.leftovers import MARK, processes

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals as posix has them")

SCENE = """
[run]
seconds = 1000
dt = 0.01

[body.bar]
mesh = { rectangle = { size = [2, 1], cells = [4, 2] } }
material = { young = 1e5, poisson = 0.3 }
settle = { rest_in = 0.4, bounces = 0 }
fix = "x < 0.01"
start = { offset = ["0.1*x", "0"] }
"""
#: Starts what it is given as shells start what runs in the background: Ctrl-C is ignored.
BACKGROUND = (
    "import os, signal, sys\n"
    "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])\n"
)


def wait_until(true, seconds=120.0):
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def begun(tmp_path, start):
    """A long run that has written a few frames: `begun(background)`."""
    (tmp_path / "bar.toml").write_text(SCENE)
    environment = os.environ | {"PYTHONPATH": str(Path(pl.__file__).parents[1])}

    def begin(background):
        command = ["-m", "pliant", "run", "bar.toml"]
        before = ["-c", BACKGROUND] if background else []
        child = start(
            [sys.executable, *before, *command],
            cwd=tmp_path,
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        wait_until(lambda: child.poll() is not None or frame(tmp_path, 3).exists())
        assert child.poll() is None
        return child

    return begin


def frame(folder, number):
    return folder / "bar.zarr" / "times" / str(number)


@pytest.mark.parametrize("background", [False, True])
def test_sigterm_keeps_the_frames_as_ctrl_c_does(begun, tmp_path, background):
    child = begun(background)
    child.terminate()
    said = child.communicate(timeout=60)[1]
    assert child.returncode == 143
    assert "--resume" in said and "Traceback" not in said
    kept = pl.Take.read(tmp_path / "bar.zarr")
    assert len(kept) >= 4 and str(len(kept)) in said


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_interrupt_while_an_object_is_deleted_is_not_lost(monkeypatch, number):
    """Python drops it there: a run with SIGTERM at such a moment went on for ever."""
    monkeypatch.setattr(signal, "getsignal", lambda _: signal.SIG_DFL)  # whatever pytest has set

    class Deleted:
        def __del__(self):
            signal.raise_signal(number)
            time.sleep(0.0)  # the handler runs here

    before = sys.unraisablehook
    ignored = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with Termination() as termination, pytest.raises(KeyboardInterrupt):
            Deleted()
            for _ in range(3000):
                time.sleep(0.01)
    finally:
        signal.signal(signal.SIGINT, ignored)
    assert termination.code(130) == {signal.SIGTERM: 143, signal.SIGINT: 130}[number]
    assert sys.unraisablehook is before


def test_what_runs_in_the_background_goes_on_after_ctrl_c(begun, tmp_path):
    child = begun(True)
    child.send_signal(signal.SIGINT)
    frames = len(pl.Take.read(tmp_path / "bar.zarr"))
    wait_until(lambda: child.poll() is not None or frame(tmp_path, frames + 5).exists())
    assert child.poll() is None


def test_ctrl_c_before_the_first_step_is_130_and_sigterm_143(monkeypatch):
    from pliant import scenefile as scene

    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):

        def read(*of, number=number, **how):
            signal.raise_signal(number)

        monkeypatch.setattr(scene, "read", read)
        ignored = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            with pytest.raises(SystemExit) as left:
                main(["run", "bar.toml"])
        finally:
            signal.signal(signal.SIGINT, ignored)
        assert left.value.code == code
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_the_handler_of_another_program_is_left_alone():
    def theirs(number, frame):
        pass

    before = signal.signal(signal.SIGTERM, theirs)
    try:
        with Termination() as ending:
            assert signal.getsignal(signal.SIGTERM) is theirs
            assert ending.code(130) == 130
        assert signal.getsignal(signal.SIGTERM) is theirs
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_command_may_be_called_from_a_thread():
    codes = []

    def call():
        try:
            main(["--version"])
        except SystemExit as left:
            codes.append(left.code)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    assert codes == [0]


def test_what_tests_start_is_found_with_all_that_it_starts(start):
    nested = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'input()'])"
    start([sys.executable, "-c", nested], stdin=subprocess.PIPE)
    mark = os.environ[MARK]
    wait_until(lambda: len(processes(mark)) >= 2, seconds=30)
