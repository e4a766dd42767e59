"""Processor time and memory of a process and its children, as Linux counts them."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE")
TICK = os.sysconf("SC_CLK_TCK")


def reset_peak() -> None:
    """Forget the most memory that this process had."""
    # Without it the peak is that of all cases so far, and only the watcher's own looks count.
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def peak() -> int:
    """The most memory of this process since `reset_peak` [bytes]."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


def family_of(pid: int) -> list[int]:
    """A process and its descendants."""
    found = [pid]
    for process in found:
        try:
            for task in os.listdir(f"/proc/{process}/task"):
                children = Path(f"/proc/{process}/task/{task}/children").read_text()
                found += [int(child) for child in children.split()]
        except OSError:
            pass  # it has ended meanwhile
    return found


def cpu_of(pid: int) -> float:
    """Processor time of a process, its living descendants, and those it waited for [s]."""
    total = 0
    for process in family_of(pid):
        try:
            told = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            total += sum(int(ticks) for ticks in told[11:15])
        except OSError:
            pass
    return total / TICK


def memory_of(pid: int) -> int:
    """Memory that a process and its descendants have now [bytes]."""
    total = 0
    for process in family_of(pid):
        with contextlib.suppress(OSError, IndexError):
            total += int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return total * PAGE
