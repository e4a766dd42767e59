"""The sheet that everyone is timed on, and what is measured; needs nothing but numpy.

1 x 1 m, level, held at two corners, then left to gravity; n x n points on a regular grid of triangles,
frames of 1/60 s. 0.2 kg/m^2, the same at every point; stretch 2 kN/m, shear 1 kN/m (so that a sheet of
Poisson's ratio 0 is the same cloth at small strain), bend 1e-5 N m. Points but the corners are up to
0.1 mm off, as no sheet is so even that it cannot tell which way to fold.

stretch: of the edges of triangles, mean and largest, each averaged over the run; a step that is not
solved shows here first. depth: of the lowest point, after half a second and at the end.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from .contest import peak_memory

STRETCH, SHEAR, BEND, DENSITY = 2000.0, 1000.0, 1e-5, 0.2
GRAVITY, DT, FRAMES, CHUNK = 9.81, 1 / 60, 60, 5
#: Frames of a slow peer cost the same all along, so after this many seconds they are known [s].
ENOUGH = 60.0
#: Velocities are scaled by this in every frame of the run to rest, which has so many.
SLOWED, REST_FRAMES = 0.85, 300


@dataclass(frozen=True)
class Sheet:
    """n x n points, y up."""

    n: int

    @cached_property
    def _grid(self) -> np.ndarray:
        return np.arange(self.n**2).reshape(self.n, self.n)

    @cached_property
    def points(self) -> np.ndarray:
        """Undeformed [m], (n^2, 3)."""
        along = np.linspace(0.0, 1.0, self.n)
        x, z = np.meshgrid(along, along, indexing="ij")
        return np.stack([x, 0.0 * x, z], axis=-1).reshape(-1, 3)

    @cached_property
    def start(self) -> np.ndarray:
        """Where the points are at first [m]."""
        noise = np.random.default_rng(0).uniform(-1e-4, 1e-4, self.points.shape)
        return self.points + np.where(self.held[:, None], 0.0, noise)

    @cached_property
    def triangles(self) -> np.ndarray:
        """(2 (n-1)^2, 3)."""
        g = self._grid
        a, b, c, d = (q.ravel() for q in (g[:-1, :-1], g[1:, :-1], g[1:, 1:], g[:-1, 1:]))
        return np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])

    @cached_property
    def held(self) -> np.ndarray:
        """Mask of the two corners, (n^2,)."""
        mask = np.zeros(self.n**2, dtype=bool)
        mask[[self._grid[0, 0], self._grid[-1, 0]]] = True
        return mask

    @cached_property
    def _edges(self) -> tuple[np.ndarray, np.ndarray]:
        t = self.triangles
        both = np.unique(np.sort(np.concatenate([t[:, :2], t[:, 1:], t[:, ::2]]), axis=1), axis=0)
        return both, np.linalg.norm(np.diff(self.points[both], axis=1)[:, 0], axis=1)

    def stretches(self, x: np.ndarray) -> tuple[float, float]:
        """Mean and largest stretch of the edges."""
        both, lengths = self._edges
        found = np.linalg.norm(np.diff(x[both], axis=1)[:, 0], axis=1) / lengths - 1.0
        return float(found.mean()), float(found.max())


class Simulation(Protocol):
    """One simulator on one sheet, built by calling its class with it."""

    def advance(self, frames: int) -> None:
        """Simulate some frames."""
        ...

    def slow(self, factor: float) -> None:
        """Scale all velocities."""
        ...

    def positions(self) -> np.ndarray:
        """Where the points are [m], (n^2, 3)."""
        ...

    def notes(self) -> dict[str, Any]:
        """Settings and whatever else is worth a column."""
        ...


def measure(make: Callable[[Sheet], Simulation], n: int, *, rest: bool) -> dict[str, Any]:
    """Time one simulator on one size; `rest` adds the stretch when it hangs still."""
    make(Sheet(12)).advance(1)  # compiles
    case = Sheet(n)
    began = time.perf_counter()
    run = make(case)
    run.advance(1)
    setup = time.perf_counter() - began
    frames, wall, processor, seen, depths = 1, 0.0, 0.0, [], {}
    while frames < FRAMES and wall < ENOUGH:
        more = CHUNK - frames % CHUNK
        began, before = time.perf_counter(), time.process_time()
        run.advance(more)
        wall += time.perf_counter() - began
        processor += time.process_time() - before
        frames += more
        x = run.positions()
        if not np.isfinite(x).all():
            raise RuntimeError("blew up")
        seen.append(case.stretches(x))
        depths[frames] = -float(x[:, 1].min())
    frame = wall / (frames - 1)
    found = {
        "setup": max(setup - frame, 0.0),
        "frame": frame,
        "cpu": processor / (frames - 1),
        "frames": frames,
        "stretch": np.mean(seen, axis=0).tolist(),
        "half": depths.get(FRAMES // 2),
        "end": depths.get(FRAMES),
        "memory": peak_memory(),
        **run.notes(),
    }
    if rest:
        run = make(case)
        for _ in range(REST_FRAMES):
            run.advance(1)
            run.slow(SLOWED)
        found["rest"] = case.stretches(run.positions())
    return found


def answer(makes: dict[str, Callable[[Sheet], Simulation]]) -> None:
    """The command line of a simulator: N VARIANT REST, answered by one line of JSON."""
    n, variant, rest = sys.argv[1:]
    print(json.dumps(measure(makes[variant], int(n), rest=rest == "rest")))
