"""How much memory this process may use. What needs more is refused."""

from __future__ import annotations

import functools
import math
import os
from pathlib import Path

from pliant.errors import Advice, in_scene

#: Where Linux says how much memory a container may use, version 2 and version 1.
_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


@functools.cache
def memory() -> float:
    """Bytes of memory that this process may use; infinite where the system does not tell."""
    known = []
    if hasattr(os, "sysconf"):  # not on Windows
        known.append(float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES"))
    for name in _LIMITS:
        try:
            known.append(float(Path(name).read_text(encoding="ascii")))
        except (OSError, ValueError):  # there is no such file, or it says "max"
            continue
    return min(known, default=math.inf)


def require_memory(what: str, count: float, expected: str) -> None:
    """Refuse what takes more bytes than this machine has; `expected` says what to ask for instead."""
    if count > memory():
        said = (
            f"{what} takes at least {in_bytes(count)} of memory, and this machine has "
            f"{in_bytes(memory())}; expected "
        )
        raise ValueError(Advice(said, str(expected), in_scene(ValueError(expected))))


def in_bytes(count: float) -> str:
    """A number of bytes in words, such as "1.2 GB"."""
    units = ("B", "kB", "MB", "GB", "TB")
    unit = int(min(len(units) - 1, math.log(max(count, 1.0), 1000.0) + 1e-9))
    return f"{count / 1000.0**unit:.3g} {units[unit]}"
