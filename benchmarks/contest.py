"""What is measured, in the same way for ours and for every peer. Needs nothing but numpy.

set-up: from the arrays of the mesh to the point where steps run at their usual pace, that is
building and the first frame less one usual frame; compilation was done before, on the smallest mesh.
frame: mean wall time of the frames after the first, over the same stretch of the same motion.
memory: peak of the process. small: the tip's drop under the small load over the static answer, after
a run in which the velocities are scaled down in every frame, with the settings that were timed.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from .cantilever import DT, GRAVITY, SMALL_GRAVITY, Cantilever

FRAMES = 30
CHUNK = 5
#: Frames of a slow peer cost the same all along, so after this many seconds they are known [s].
ENOUGH = 45.0
#: Nearly critical damping of the first mode (2 rad/s), which is exp(-2 * 2 / 60) per frame; after seven
#: seconds less than 1e-4 of the way is left.
SLOWED, REST_FRAMES = 0.94, 420


class Simulation(Protocol):
    """One simulator on one case, built by calling its class with (case, gravity)."""

    def advance(self, frames: int) -> None:
        """Simulate some frames."""
        ...

    def slow(self, factor: float) -> None:
        """Scale all velocities."""
        ...

    def positions(self) -> np.ndarray:
        """Where the points are [m], (n, 3)."""
        ...

    def notes(self) -> dict[str, Any]:
        """Version, settings and whatever else is worth a column."""
        ...


def measure(
    make: Callable[[Cantilever, float], Simulation],
    folder: Path,
    size: str,
    *,
    small: bool,
    rest: Callable[[Simulation], None] | None = None,
) -> dict[str, Any]:
    """Time one simulator on one size; `small` adds the small-load answer, which `rest` runs to."""
    make(Cantilever.read(folder, "1k"), GRAVITY).advance(1)  # compiles
    case = Cantilever.read(folder, size)
    began = time.perf_counter()
    run = make(case, GRAVITY)
    build = time.perf_counter() - began
    began = time.perf_counter()
    run.advance(1)
    first = time.perf_counter() - began
    frames, spent = 0, 0.0
    while frames < FRAMES and spent < ENOUGH:
        began = time.perf_counter()
        run.advance(CHUNK)
        spent += time.perf_counter() - began
        frames += CHUNK
    frame = spent / frames
    drop = case.drop(run.positions())
    if not np.isfinite(drop):
        raise RuntimeError("blew up")
    result = {
        "tets": len(case.tets),
        "build": build,
        "first": first,
        "setup": build + max(first - frame, 0.0),
        "frame": frame,
        "frames": frames,
        "per_second": frame / DT,
        "drop": drop if frames == FRAMES else None,
        "memory": peak_memory(),
        **run.notes(),
    }
    if small:
        run = make(case, SMALL_GRAVITY)
        (rest or come_to_rest)(run)
        result["small"] = case.drop(run.positions()) / case.static
    return result


def come_to_rest(run: Simulation) -> None:
    """Take the velocity away little by little; what is at rest then does not depend on how."""
    for _ in range(REST_FRAMES):
        run.advance(1)
        run.slow(SLOWED)


def peak_memory() -> float:
    """Of this process so far [GB]."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e9 if sys.platform == "darwin" else peak * 1024 / 1e9


def main(makes: dict[str, Callable[[Cantilever, float], Simulation]]) -> None:
    """The command line of a peer: FOLDER SIZE VARIANT SMALL, answered by one line of JSON."""
    folder, size, variant, small = sys.argv[1:]
    print(json.dumps(measure(makes[variant], Path(folder), size, small=small == "small")))
