"""Run benchmarks and print their tables.

`python -m benchmarks [thesis] [beam] [parts] [peers] [1k] [6k] [48k] [200k] [cloth] [40] [100]
[dampings] [models] [plastic] [pressing] [playback] [shapes] [sweeps] [touch] [reduced] [100k]
[hands] [stage] [meetings] [drape] [ten] [two]`: thesis, beam and parts by default, all sizes by
default. The others are asked for by name: peers, cloth and meetings make environments, dampings and
models write the tables of two guides, and hands takes SECONDS=60 for each of its loops.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from . import (
    beam,
    cloth,
    dampings,
    hands,
    models,
    parts,
    plastic,
    playback,
    pressing,
    reduced,
    shapes,
    stage,
    sweeps,
    thesis,
    touch,
)
from .cantilever import SIZES
from .meeting import CASES as MEETINGS
from .peers import run

BENCHMARKS: dict[str, Callable[[list[str]], None]] = {
    "thesis": lambda sizes: thesis.main(),
    "beam": beam.main,
    "parts": parts.main,
    "peers": run.main,
    "meetings": run.meet,
    "cloth": cloth.main,
    "dampings": lambda sizes: dampings.main(),
    "models": lambda sizes: models.main(),
    "touch": lambda sizes: touch.main(),
    "pressing": pressing.main,
    "shapes": lambda sizes: shapes.main(),
    "playback": playback.main,
    "sweeps": lambda sizes: sweeps.main(),
    "reduced": reduced.main,
    "hands": lambda sizes: hands.main(),
    "plastic": plastic.main,
    "stage": stage.main,
}
#: Sizes of the benchmarks that do not take those of the cantilever.
OWN_SIZES: dict[str, Sequence[str]] = {
    "cloth": cloth.SIZES,
    "meetings": MEETINGS,
    "reduced": tuple(reduced.CELLS),
    "plastic": tuple(plastic.SIZES),
}


def main() -> None:
    """Run what the command line names."""
    words = sys.argv[1:]
    known = (*BENCHMARKS, *SIZES, *(size for sizes in OWN_SIZES.values() for size in sizes))
    unknown = [word for word in words if word not in known]
    if unknown:
        there = ", ".join(known)
        sys.exit(f"unknown benchmark or size {unknown[0]!r}; there are {there}")
    for name in [word for word in words if word in BENCHMARKS] or ["thesis", "beam", "parts"]:
        sizes = OWN_SIZES.get(name, tuple(SIZES))
        BENCHMARKS[name]([word for word in words if word in sizes] or list(sizes))


main()
