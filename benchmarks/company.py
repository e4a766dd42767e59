"""What a floor, springs and wind cost a beam, beside the same beam without them.

`python -m benchmarks.company [pairs] [word ...]`: both are stepped in turn in one process. The table has
the medians of their times, the median ratio (of time, and of CPU time, which a busy machine disturbs
less), and conjugate gradient iterations a step. Words choose among cases: a size, a damping, company.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

import pliant as pl
from pliant.energies import Energy
from pliant.energies.spring import SpringEnergy

STEPS, DT = 2, 1 / 60
SIZES = {"6k": (20, 7, 7), "48k": (40, 14, 14)}
DAMPINGS: dict[str, Callable[[], pl.Damping | None]] = {
    "none": lambda: None,
    "settle": lambda: pl.Settle(2.0),
    "settle-0": lambda: pl.Settle(2.0, 0),
    "settle-2": lambda: pl.Settle(2.0, 2),
}
FLOORS = {"far": -9.0, "lying": -0.0201, "pressed": -0.1}
#: What the beam has, and what is put beside it.
COMPANIONS = [(floor,) for floor in FLOORS] + [("spring",), ("wind",)]
COMPANIONS += [(with_, floor) for with_ in ("spring", "wind") for floor in ("far", "lying")]


class Tied(pl.Body):
    """A beam with springs from its lower edge to its upper one at the free end."""

    def energies(self, *, device: str) -> Sequence[Energy]:
        """Those of matter, and the springs."""
        x = self.mesh.points
        end = x[:, 0] > x[:, 0].max() - 1e-9
        low, high = (np.flatnonzero(end & (np.abs(x[:, 1] - y) < 1e-9)) for y in (0.0, 1.0))
        pairs = np.stack([low, high], axis=1)
        springs = SpringEnergy(
            x,
            pairs,
            stiffness=np.full(len(pairs), 1e5),
            rest=np.full(len(pairs), 1.0),
            device=device,
        )
        return [*super().energies(device=device), springs]


def beam(size: str, damping: str, company: Sequence[str]) -> pl.Scene:
    """A cantilever in company."""
    mesh = pl.meshes.box((4, 1, 1), SIZES[size])
    kind = Tied if "spring" in company else pl.Body
    material = pl.StableNeoHookean(young=1e6, poisson=0.35)
    body = kind(mesh, material, damping=DAMPINGS[damping]())
    body.fix(mesh.points[:, 0] < 1e-9)
    if damping != "none":
        body.place(mesh.points + 0.03 * mesh.points[:, :1] ** 2 * [0, 1, 0])
    if "wind" in company:
        body.push(wind=(3.0, 0.0, 1.0))
    scene = pl.Scene([body], gravity=(0, -0.5, 0))
    for floor in FLOORS.keys() & set(company):
        scene.add(pl.HalfSpace((0, FLOORS[floor], 0), (0, 1, 0)))
    return scene


class Racer:
    """One scene that is stepped when it is its turn."""

    def __init__(self, size: str, damping: str, company: Sequence[str]):
        self._scene = beam(size, damping, company)
        self._scene.run(seconds=DT, dt=DT, progress=False)
        self.times: list[float] = []
        self.efforts: list[float] = []
        self.iterations: list[int] = []

    def turn(self) -> None:
        """Step, and note the time and the iterations of each step."""
        began, worked = time.perf_counter(), time.process_time()
        reports = [self._scene.step(DT)[0] for _ in range(STEPS)]
        self.times.append((time.perf_counter() - began) / STEPS)
        self.efforts.append((time.process_time() - worked) / STEPS)
        self.iterations += [report.linear_iterations for report in reports]


def race(size: str, damping: str, company: Sequence[str], pairs: int) -> str:
    """A row of the table: with the last of the company, beside without it."""
    alone, together = racers = [Racer(size, damping, c) for c in (company[:-1], company)]
    for k in range(pairs):
        for racer in racers[:: 1 if k % 2 else -1]:
            racer.turn()
    pairings = [(alone.times, together.times), (alone.efforts, together.efforts)]
    ratios = [
        f"{statistics.median(b / a for a, b in zip(*pairing, strict=True)):.3f}"
        for pairing in pairings
    ]
    times = [f"{1e3 * statistics.median(r.times):.2f}" for r in racers]
    counts = [f"{statistics.mean(r.iterations):.1f}" for r in racers]
    case = " ".join((size, damping, *company))
    return " | ".join((f"| {case}", *times, *ratios, *counts)) + " |"


def main() -> None:
    """Race all that are wanted."""
    words = sys.argv[1:]
    pairs = int(words.pop(0)) if words and words[0].isdigit() else 45
    print("| case | alone [ms] | together [ms] | ratio | of CPU time | CG alone | CG together |")
    print("|---|---|---|---|---|---|---|")
    groups = [set(SIZES), set(DAMPINGS), {word for c in COMPANIONS for word in c}]
    for size, damping, company in product(SIZES, DAMPINGS, COMPANIONS):
        wanted = [group & set(words) or group for group in groups]
        if size in wanted[0] and damping in wanted[1] and set(company) <= wanted[2]:
            print(race(size, damping, company, pairs), flush=True)


if __name__ == "__main__":
    main()
