"""What can befall a process that writes: a kill or a full disk at the n-th file that it touches.

Python tells an audit hook of every file that is opened for writing,
renamed or removed; the hook counts
those below a folder and strikes at the chosen one. Between two of them nothing on the disk changes.
"""

from __future__ import annotations

import errno
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

from .fence import CHANGES, WRITING


def prepare(kind: str, count: int, name: str = "") -> None:
    """Let a mishap happen at the `count`-th change of a file whose path has `name` in it."""
    if kind == "clock":
        _jumping_clock()
        return
    strike, seen = _strikes()[kind], [0]

    def hear(event: str, arguments: tuple[Any, ...]) -> None:
        changes = event in CHANGES
        if event == "open":
            changes = isinstance(arguments[2], int) and bool(arguments[2] & WRITING)
        if not changes or isinstance(arguments[0], int):
            return
        path = os.fsdecode(arguments[0])
        if name in path and not path.startswith(("/dev/", "/proc/")):
            seen[0] += 1
            if seen[0] >= count:
                strike(event, seen[0] == count, path)

    sys.addaudithook(hear)


def _strikes() -> dict[str, Callable[[str, bool, str], None]]:
    def kill(event: str, first: bool, path: str) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def interrupt(event: str, first: bool, path: str) -> None:
        if first:
            # Tests in the background have it ignored, and pass that on.
            signal.signal(signal.SIGINT, signal.default_int_handler)
            os.kill(os.getpid(), signal.SIGINT)

    def refuse(number: int) -> Callable[[str, bool, str], None]:
        def strike(event: str, first: bool, path: str) -> None:
            if event in (
                "open",
                "os.mkdir",
                "os.rename",
            ):  # a full disk still lets files be removed
                raise OSError(number, os.strerror(number), path)

        return strike

    def small(event: str, first: bool, path: str) -> None:
        """From now on no file can grow: as a disk that is full in the middle of a file."""
        if first:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))

    return {
        "kill": kill, "interrupt": interrupt, "small": small,
        "full": refuse(errno.ENOSPC), "read-only": refuse(errno.EROFS), "gone": refuse(errno.EIO),
    }  # fmt: skip


def _jumping_clock() -> None:
    """Clocks that go back and forth by hours at every look."""
    known = {name: getattr(time, name) for name in ("time", "monotonic", "perf_counter")}
    jumps = [0.0, 7200.0, -7200.0, 1e9, -1e9]
    looks = [0]

    def jumping(name: str) -> Callable[[], float]:
        def look() -> float:
            looks[0] += 1
            return float(known[name]()) + jumps[looks[0] % len(jumps)]

        return look

    for name in known:
        setattr(time, name, jumping(name))
