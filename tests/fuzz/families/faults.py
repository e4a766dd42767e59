"""Faults made on purpose, one per number: they prove that the fuzzer finds what it looks for."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import pliant as pl
from pliant.cli import run as run_command
from pliant.given import steady

from ..calling import Caller, unsound
from ..verdict import Verdict
from . import arguments


class Faults:
    """Each case is one fault; `FAULTS` says what the fuzzer calls it."""

    def __init__(self, home: Path):
        pass

    def at(self, number: int, caller: Caller) -> Verdict:
        """Commit the fault of a number."""
        return list(FAULTS.values())[number](caller)


def _foreign(caller: Caller) -> Verdict:
    return caller.call(lambda: np.zeros(3).reshape(2, 2))


def _undocumented(caller: Caller) -> Verdict:
    return caller.call(lambda: 1 // 0)


def _refused(caller: Caller) -> Verdict:
    return caller.call(lambda: pl.Settle(-1.0))


def _quoted(caller: Caller) -> Verdict:
    """A message of ours that repeats one of numpy."""

    def give() -> None:
        steady(np.nan, (3,), what="could not broadcast input array")

    return caller.call(give)


def _outside(caller: Caller) -> Verdict:
    return caller.call(lambda: (caller.fence.precious / "secret.bin").write_bytes(b"x"))


def _link(caller: Caller) -> Verdict:
    take = caller.fence.work / "take.zarr"
    take.mkdir()
    (take / "0").symlink_to(caller.fence.precious / "secret.bin")
    caller.fence.closes(take)
    return caller.call(lambda: (take / "0").read_bytes())


def _fifo(caller: Caller) -> Verdict:
    take = caller.fence.work / "take.zarr"
    take.mkdir()
    os.mkfifo(take / "0")
    caller.fence.closes(take)
    return caller.call(lambda: (take / "0").read_bytes())


def _busy(caller: Caller) -> Verdict:
    while True:
        pass


def _waits(caller: Caller) -> Verdict:
    time.sleep(1e6)
    return Verdict("ok")


def _memory(caller: Caller) -> Verdict:
    for _ in range(100):
        np.ones(2**26)  # half a gigabyte at a time
    return Verdict("ok")


def _dies(caller: Caller) -> Verdict:
    os.abort()


def _nan(caller: Caller) -> Verdict:
    take = arguments.scene().run(seconds=0.02, dt=0.01, progress=False)
    take.tracks[0].positions[1, 0, 0] = np.nan
    return unsound(take)


def _times(caller: Caller) -> Verdict:
    take = arguments.scene().run(seconds=0.02, dt=0.01, progress=False)
    take.times[:] = take.times[::-1].copy()
    return unsound(take)


def _warning(caller: Caller) -> Verdict:
    return caller.call(lambda: warnings.warn("overflow encountered in multiply", RuntimeWarning, 1))


def _traceback(caller: Caller) -> Verdict:
    """A command that fails in a way that nobody thought of."""
    known: Any = run_command.changes
    run_command.changes = lambda settings, **given: os.environ["NOWHERE"]
    try:
        return caller.command("run", "x.toml")
    finally:
        run_command.changes = known


FAULTS: dict[str, Callable[[Caller], Verdict]] = {
    "ValueError, the message is not ours": _foreign,
    "undocumented ZeroDivisionError": _undocumented,
    "": _refused,
    "ValueError, the message speaks of 'could not broadcast'": _quoted,
    "wrote outside": _outside,
    "followed a link out of the take": _link,
    "opened what is no regular file": _fifo,
    "a hang": _busy,
    "a hang ": _waits,
    "too much memory": _memory,
    "the worker died with code -6": _dies,
    "a silent NaN": _nan,
    "times that do not grow": _times,
    "a warning that is not ours": _warning,
    "traceback of KeyError": _traceback,
}
