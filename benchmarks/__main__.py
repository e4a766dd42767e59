"""Run benchmarks and print their tables.

`python -m benchmarks [thesis] [beam] [parts] [peers] [1k] [6k] [48k] [200k]`: all but the peers by
default, all sizes by default. `peers` is asked for by name: it makes environments and takes a while.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from . import beam, parts, thesis
from .cantilever import SIZES
from .peers import run

BENCHMARKS: dict[str, Callable[[list[str]], None]] = {
    "thesis": lambda sizes: thesis.main(),
    "beam": beam.main,
    "parts": parts.main,
    "peers": run.main,
}


def main() -> None:
    """Run what the command line names."""
    words = sys.argv[1:]
    unknown = [word for word in words if word not in BENCHMARKS and word not in SIZES]
    if unknown:
        there = ", ".join((*BENCHMARKS, *SIZES))
        sys.exit(f"unknown benchmark or size {unknown[0]!r}; there are {there}")
    sizes = [word for word in words if word in SIZES] or list(SIZES)
    for name in [word for word in words if word in BENCHMARKS] or ["thesis", "beam", "parts"]:
        BENCHMARKS[name](sizes)


main()
