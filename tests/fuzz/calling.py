"""Calls of pliant under judgement: of its Python interface and of its command line."""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pliant.cli import failures, main
from pliant.take import Take

from .fence import Fence, Trespass
from .judging import innermost, judge, where, words_not_ours
from .verdict import OK, Verdict, finding

#: What numpy and scipy warn of is their language; a user gets a refusal or nothing.
FOREIGN_WARNING = re.compile(
    r"encountered in|invalid value|Casting|ill-conditioned|Matrix is (exactly )?singular|deprecat"
)
CODES = (0, 1, 2, 130)
#: Begins a line that says what a case does.
DID = "case did: "


@dataclass
class Caller:
    """Calls pliant inside a fence."""

    fence: Fence

    def note(self, did: str) -> None:
        """Say what the case does, for the watcher, who may have to end it before it can answer."""
        os.write(2, f"{DID}{' '.join(did.split())}\n".encode(errors="replace"))

    def call(self, function: Callable[[], Any], keep: list[Any] | None = None) -> Verdict:
        """Judge a call of the Python interface; what it returns goes to `keep`."""
        stray: list[Verdict] = []
        with _overheard(stray), warnings.catch_warnings():
            warnings.showwarning = _judged_warnings(stray)
            try:
                with _watched(self.fence):
                    value = function()
                verdict = OK
                if keep is not None:
                    keep.append(value)
            except Trespass:
                verdict = OK  # said below
            except Exception as error:
                verdict = judge(error)
        return self._worst(verdict, stray)

    def command(self, *arguments: str | Path) -> Verdict:
        """Judge a call of the command line."""
        said, code = io.StringIO(), 0
        stray: list[Verdict] = []
        raised: list[BaseException] = []
        verdict = OK
        with _overheard(stray), _inside_main(raised, stray), contextlib.redirect_stderr(said):
            try:
                with _watched(self.fence), contextlib.redirect_stdout(io.StringIO()):
                    main([str(a) for a in arguments])
            except SystemExit as stop:
                code = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 99
            except Trespass:
                pass
            except Exception as error:
                verdict = finding(f"traceback of {type(error).__name__}", where(error), str(error))
        if verdict is OK:
            verdict = _judge_command(code, said.getvalue(), raised)
        return self._worst(verdict, stray)

    def _worst(self, verdict: Verdict, stray: Sequence[Verdict]) -> Verdict:
        broken = self.fence.broken()
        if broken:
            what, _, path = broken.partition(": ")
            return finding(what, "the fence", path)
        return verdict if verdict.found or not stray else stray[0]


def _judge_command(code: int, said: str, raised: Sequence[BaseException]) -> Verdict:
    place = where(raised[0]) if raised else "the command line"
    if "Traceback (most recent call last)" in said:
        return finding("a printed traceback", place, said)
    if code not in CODES:
        return finding(f"exit code {code}", place, said)
    lines = said.splitlines()
    if code == 0 or code == 130:
        return OK
    for error in raised:
        verdict = judge(error)
        # The command line puts words of its own before what Python says of memory.
        if verdict.found and not isinstance(error, MemoryError):
            return verdict
    errors = [line for line in lines if line.startswith("error: ")]
    usage = [line for line in lines if line.startswith("Usage: ")]  # of typer: options misspelt
    if not errors and not usage:
        return finding("no line that begins with 'error: '", place, said)
    for line in errors:
        problem = words_not_ours(line.removeprefix("error: "))
        if problem and not line.startswith("error: not enough memory; "):
            return finding(f"exit code {code}, {problem}", place, line)
    return Verdict("refused", said=(errors or usage)[0][:300])


def _judged_warnings(stray: list[Verdict]) -> Callable[..., None]:
    """A place for warnings to go to: those that are not ours are findings."""

    def hear(message: Warning | str, *others: Any) -> None:
        if FOREIGN_WARNING.search(str(message)):
            place = innermost(sys._getframe())
            stray.append(finding("a warning that is not ours", place, str(message)))

    return hear


@contextlib.contextmanager
def _watched(fence: Fence) -> Iterator[None]:
    fence.watched = True
    try:
        yield
    finally:
        fence.watched = False


@contextlib.contextmanager
def _overheard(stray: list[Verdict]) -> Iterator[None]:
    """Collect exceptions of threads and of `__del__`, which reach no caller."""

    def of_thread(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None and not isinstance(args.exc_value, Trespass):
            kind = f"{args.exc_type.__name__} in a thread"
            stray.append(finding(kind, where(args.exc_value), str(args.exc_value)))

    def unraisable(args: Any) -> None:
        if isinstance(args.exc_value, Exception):
            kind = f"{args.exc_type.__name__} that nobody could catch"
            stray.append(finding(kind, where(args.exc_value), str(args.exc_value)))

    before = threading.excepthook, sys.unraisablehook
    threading.excepthook, sys.unraisablehook = of_thread, unraisable
    try:
        yield
    finally:
        threading.excepthook, sys.unraisablehook = before


@contextlib.contextmanager
def _inside_main(raised: list[BaseException], stray: list[Verdict]) -> Iterator[None]:
    """Keep the exceptions and warnings that the command line turns into lines."""
    before = failures.exit_code, failures.show_warning
    hear = _judged_warnings(stray)

    def exit_code(error: Exception) -> int:
        raised.append(error)
        return before[0](error)

    def show_warning(*given: Any) -> None:
        hear(*given)
        before[1](*given)

    failures.exit_code, failures.show_warning = exit_code, show_warning
    try:
        yield
    finally:
        failures.exit_code, failures.show_warning = before


def unsound(take: Take) -> Verdict:
    """Whether a take that was read or run has only finite numbers, and times that grow."""
    if take.times.dtype.kind != "f":
        return finding("what is no number", "take.times", f"times are {take.times!r:.200}")
    if len(take.times) == 0 or not np.isfinite(take.times).all():
        return finding("a silent NaN", "take.times", f"times are {take.times!r:.200}")
    if (np.diff(take.times) <= 0.0).any():
        return finding("times that do not grow", "take.times", f"times are {take.times!r:.200}")
    for track in take.tracks:
        seen = {"positions": track.positions, "velocities": track.velocities}
        seen |= {"masses": track.masses, "points": track.mesh.points}
        if track.rests is not None:
            seen["rests"] = np.asarray(track.rests)
        for name, array in seen.items():
            if np.asarray(array).dtype.kind not in "fiu":
                return finding("what is no number", f"take {name}", f"{track!r}, {array!r:.200}")
            if not np.isfinite(array).all():
                return finding("a silent NaN", f"take {name}", f"{track!r}")
        if len(track.positions) != len(take.times):
            return finding("frames without times", "take.positions", f"{track!r}")
    return OK
