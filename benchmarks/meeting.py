"""Bodies that meet, as everyone is timed on them, and what is measured; needs nothing but numpy.

drape: a sheet of 100 x 100 points, 1 x 1 m, falls on a sphere of 0.3 m. ten: ten boxes of 1080
tetrahedra, 0.2 m, fall into a pile of rows of four, three, two and one. two: a box of 6000 tetrahedra
falls on another one. Floors are level, friction 0.3, frames of 1/60 s. Boxes: 1e5 Pa, Poisson's ratio
0.3, 1000 kg/m^3; the sheet is that of `sheet`.

depth: how deep points are at most in an obstacle, or in another body, in any frame that is looked at.
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

from .sheet import Sheet

YOUNG, POISSON, DENSITY, FRICTION = 1e5, 0.3, 1000.0, 0.3
GRAVITY, DT, FRAMES, LOOKS = 9.81, 1 / 60, 30, 3
#: After so many seconds the frames of a slow one are known [s].
ENOUGH = 60.0
#: Centre and radius of the sphere, and how far things are above what they fall on [m].
CENTRE, RADIUS, ABOVE = np.array([0.52, -0.3, 0.51]), 0.3, 0.002
CASES = ("drape", "ten", "two")
#: Tetrahedra of a cell, by its corners (bits of x, y, z).
SIX = np.array([[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]])


@dataclass(frozen=True)
class Meeting:
    """A case by its name, y up; bodies are alike, and lie where `places` says."""

    name: str

    @property
    def sheet(self) -> bool:
        """Whether the body is a sheet over a sphere, and not boxes over a floor."""
        return self.name == "drape"

    @cached_property
    def _box(self) -> tuple[np.ndarray, np.ndarray]:
        n = {"ten": (6, 5, 6), "two": (10, 10, 10)}[self.name]
        axes = [np.linspace(0.0, 0.2, k + 1) for k in n]
        x = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
        at = np.arange(len(x)).reshape([k + 1 for k in n])
        corners = [
            at[i : i + n[0], j : j + n[1], k : k + n[2]].ravel()
            for k in (0, 1)
            for j in (0, 1)
            for i in (0, 1)
        ]
        return x, np.stack(corners, axis=1)[:, SIX].reshape(-1, 4)

    @cached_property
    def points(self) -> np.ndarray:
        """Undeformed points of one body [m]."""
        if self.sheet:
            return Sheet(100).points + [0.0, ABOVE, 0.0]
        return self._box[0]

    @cached_property
    def cells(self) -> np.ndarray:
        """Triangles of the sheet, or tetrahedra of the box."""
        if self.sheet:
            return Sheet(100).triangles
        return self._box[1]

    @cached_property
    def places(self) -> np.ndarray:
        """Where the bodies are [m], (k, 3)."""
        if self.sheet:
            return np.zeros((1, 3))
        up = 0.2 + ABOVE
        if self.name == "two":
            return np.array([[0.0, ABOVE, 0.0], [0.013, ABOVE + up, 0.009]])
        rows = [
            (0.22 * (j + 0.5 * k), ABOVE + up * k, 0.01 * k) for k in range(4) for j in range(4 - k)
        ]
        return np.array(rows)

    @cached_property
    def surface(self) -> np.ndarray:
        """Triangles of the surface of a box."""
        faces = self.cells[:, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]].reshape(-1, 3)
        _, at, count = np.unique(
            np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True
        )
        return faces[at[count == 1]]

    def depth(self, x: np.ndarray) -> float:
        """The deepest that a point of all bodies (k, n, 3) is in what it should not be in [m]."""
        if self.sheet:
            return max(0.0, float((RADIUS - np.linalg.norm(x[0] - CENTRE, axis=1)).max()))
        found = max(0.0, -float(x[:, :, 1].min()))
        outer = np.unique(self.surface)
        for i in range(len(x)):
            for j in range(len(x)):
                low, high = x[j].min(axis=0), x[j].max(axis=0)
                near = x[i, outer]
                near = near[((near > low) & (near < high)).all(axis=1)]
                if i != j and len(near):
                    found = max(found, _deepest(near, x[j], self.cells, self.surface))
        return found


def _deepest(p: np.ndarray, x: np.ndarray, tets: np.ndarray, faces: np.ndarray) -> float:
    """How deep points are in tetrahedra at most, by the distance from the surface."""
    a = x[tets[:, 0]]
    inverse = np.linalg.inv(np.stack([x[tets[:, k]] - a for k in (1, 2, 3)], axis=2))
    deepest = 0.0
    for q in p:
        w = np.einsum("tij,tj->ti", inverse, q - a)
        if ((w > 0.0).all(axis=1) & (w.sum(axis=1) < 1.0)).any():
            deepest = max(deepest, _distance(q, *(x[faces[:, k]] for k in range(3))))
    return deepest


def _distance(p: np.ndarray, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    """The distance of a point from triangles."""
    n = np.cross(b - a, c - a)
    square = np.einsum("ij,ij->i", n, n)
    s = np.einsum("ij,ij->i", n, np.cross(p - a, c - a)) / square
    t = np.einsum("ij,ij->i", n, np.cross(b - a, p - a)) / square
    inside = (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0)
    flat = np.abs(np.einsum("ij,ij->i", n, p - a)) / np.sqrt(square)
    best = float(flat[inside].min()) if inside.any() else np.inf
    for u, v in ((a, b), (b, c), (c, a)):
        e = v - u
        share = np.clip(np.einsum("ij,ij->i", p - u, e) / np.einsum("ij,ij->i", e, e), 0.0, 1.0)
        best = min(best, float(np.linalg.norm(p - u - share[:, None] * e, axis=1).min()))
    return best


class Simulation(Protocol):
    """One simulator on one meeting, built by calling its class with it."""

    def advance(self, frames: int) -> None:
        """Simulate some frames."""
        ...

    def positions(self) -> np.ndarray:
        """Where the points of all bodies are [m], (k, n, 3)."""
        ...

    def notes(self) -> dict[str, Any]:
        """Settings and whatever else is worth a column."""
        ...


def measure(make: Callable[[Meeting], Simulation], case: Meeting) -> dict[str, Any]:
    """Time one simulator on one meeting."""
    began = time.perf_counter()
    run = make(case)
    run.advance(1)  # compiles
    setup = time.perf_counter() - began
    frames, wall, processor, depths = 1, 0.0, 0.0, []
    while frames < FRAMES + 1 and wall < ENOUGH:
        began, before = time.perf_counter(), time.process_time()
        run.advance(LOOKS)
        wall += time.perf_counter() - began
        processor += time.process_time() - before
        frames += LOOKS
        x = run.positions()
        if not np.isfinite(x).all():
            raise RuntimeError("blew up")
        depths.append(case.depth(x))
    return {
        "setup": setup,
        "frame": wall / (frames - 1),
        "cpu": processor / (frames - 1),
        "frames": frames,
        "depth": max(depths),
        "middle": float(x[..., 1].mean()),
        **run.notes(),
    }


def answer(makes: dict[str, Callable[[Meeting], Simulation]]) -> None:
    """The command line of a simulator: CASE VARIANT, answered by one line of JSON."""
    name, variant = sys.argv[1:]
    print(json.dumps(measure(makes[variant], Meeting(name))))
