"""`python -m benchmarks.company_gpu [device]`: what company costs a solid on a device, and cloth there.

The beam of `make bench-gpu` (100k tetrahedra, Settle(1)), alone and with a half-space far below, a
breeze, and springs to space at its end; and hanging cloths, with one linear solve a step and with
the default step. Milliseconds per step over rounds of 15 steps in which all cases take turns, and the
median over the rounds of what company costs.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import pliant as pl
from pliant.energies.spring import SpringEnergy

from .gpu import SIZES, scene

DT, STEPS = 1 / 60, 15


class Sprung(pl.Body):
    """A solid with springs between its own far corners."""

    def energies(self, *, device: str) -> Sequence[Any]:
        """Those of the solid, and the springs."""
        x = self.mesh.points
        ends = np.flatnonzero(x[:, 0] > x[:, 0].max() - 1e-9)[:16].reshape(-1, 2)
        rest = np.linalg.norm(np.diff(x[ends], axis=1)[:, 0], axis=1)
        more = SpringEnergy(x, ends, stiffness=np.full(len(ends), 1e4), rest=rest, device=device)
        return [*super().energies(device=device), more]


def beam(change: Callable[[Any, Any], None] | None = None, kind: Any = None) -> Any:
    """The scene of the beam with some company."""
    body, stage = scene(SIZES["100k"])
    if kind is not None:
        other = kind(body.mesh, body.material, density=1000.0, damping=body.damping)
        other.fix(body.pinned)
        other.place(body.positions)
        body, stage = other, pl.Scene([other], gravity=stage.gravity)
    if change is not None:
        change(body, stage)
    return stage


def sheet(points: int) -> Any:
    """A square cloth of points x points that hangs by two corners."""
    flat = pl.meshes.rectangle((1, 1), (points - 1, points - 1))
    mesh = pl.Mesh(np.insert(flat.points, 1, 0.0, axis=1), flat.cells)
    cloth = pl.Cloth(mesh, stretch=500.0, shear=200.0, bend=1e-4, density=0.2)
    cloth.fix([0, points - 1])
    return pl.Scene([cloth], gravity=(0, -9.81, 0))


CASES: dict[str, tuple[Callable[[], Any], Any]] = {
    "beam 100k": (beam, None),
    "beam 100k again": (beam, None),
    "beam 100k, far floor": (
        lambda: beam(lambda b, s: s.add(pl.HalfSpace((0, -9, 0), (0, 1, 0)))),
        None,
    ),
    "beam 100k, breeze": (lambda: beam(lambda b, s: b.push(wind=(1.0, 0.0, 0.0))), None),
    "beam 100k, springs": (lambda: beam(kind=Sprung), None),
    "beam 100k, all three": (
        lambda: beam(
            lambda b, s: (
                s.add(pl.HalfSpace((0, -9, 0), (0, 1, 0))),
                b.push(wind=(1.0, 0.0, 0.0)),
                None,
            )[-1],
            kind=Sprung,
        ),
        None,
    ),
    "cloth 200, linearised": (lambda: sheet(200), pl.LinearisedImplicit(1e-3)),
    "cloth 200": (lambda: sheet(200), None),
    "cloth 300": (lambda: sheet(300), None),
}


def measured(device: str, chosen: Sequence[str], rounds: int = 7) -> dict[str, Any]:
    """Milliseconds a step of every case, by round: all cases take their turns in each."""
    made = {name: case for name, case in CASES.items() if not chosen or name in chosen}
    scenes = {name: (make(), stepper) for name, (make, stepper) in made.items()}
    times: dict[str, list[float]] = {name: [] for name in scenes}
    for turn in range(rounds + 1):
        for name, (stage, stepper) in scenes.items():
            options = {"dt": DT, "device": device, "stepper": stepper, "progress": False}
            began = time.perf_counter()
            stage.run(seconds=STEPS * DT, fps=1 / (STEPS * DT), **options)
            if turn:  # the first round compiles and settles in
                times[name].append(1e3 * (time.perf_counter() - began) / STEPS)
    return {name: np.array(every) for name, every in times.items()}


def main() -> None:
    """Print a row for every case: the median, its range, and what it costs beside the beam alone."""
    device, chosen = (sys.argv[1] if len(sys.argv) > 1 else "cuda"), sys.argv[2:]
    times = measured(device, chosen)
    alone = times.get("beam 100k")
    for name, every in times.items():
        row = f"{name:24} {np.median(every):7.2f} ms ({every.min():.2f} to {every.max():.2f})"
        if alone is not None and name.startswith("beam"):
            row += f"  {np.median(every / alone):5.2f} of the beam alone"
        print(row, flush=True)


if __name__ == "__main__":
    main()
