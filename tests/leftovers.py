"""What a session of tests has started or written, and not taken away again."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: In the environment of every program that tests start, and of all that these start.
MARK = "PLIANT_TESTS"
#: What tools keep for their next run, and Python's helper that ends with its process.
CACHES = {".pytest_cache", ".ruff_cache", ".mypy_cache", ".hypothesis", "__pycache__"}
HELPER = "multiprocessing.resource_tracker"


def processes(mark: str) -> dict[int, str]:
    """The programs that run with this mark, by their number; where there is no /proc, none."""
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            marked = f"{MARK}={mark}".encode() in (place / "environ").read_bytes().split(b"\0")
            told = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # gone, or not ours to look at
            continue
        if marked and told and HELPER not in told:  # what is dead and not yet buried says nothing
            found[int(place.name)] = told.strip()
    return found


def end_processes(mark: str, patience: float = 2.0) -> dict[int, str]:
    """Those that do not end by themselves in so many seconds; they are killed."""
    deadline = time.monotonic() + patience
    while (found := processes(mark)) and time.monotonic() < deadline:
        time.sleep(0.05)
    for pid in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return found


def files() -> set[Path]:
    """What is in the repository's own folder and where we are; caches of tools left out."""
    return {p for place in {ROOT, Path.cwd()} for p in place.iterdir() if p.name not in CACHES}
