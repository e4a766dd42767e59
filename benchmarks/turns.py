"""Cases that `compare` times: each is stepped a few frames at a time, when it is told to.

`python benchmarks/turns.py CASE` prints the seconds of set-up and one first step, then for every line it
reads the seconds of the next `STEPS` steps. Only names that every version of pliant has are used.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

import pliant as pl

STEPS = 6
DT = 1 / 60


def beam(
    cells: tuple[int, int, int], damping: pl.Damping | None, *, floor: float | None = None
) -> pl.Scene:
    """A cantilever; floor: the height of one [m]."""
    mesh = pl.meshes.box((4, 1, 1), cells)
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.35), damping=damping)
    body.fix(mesh.points[:, 0] < 1e-9)
    if damping is not None:
        body.place(mesh.points + 0.03 * mesh.points[:, :1] ** 2 * [0, 1, 0])
    scene = pl.Scene([body], gravity=(0, -0.5, 0))
    if floor is not None:
        scene.add(pl.HalfSpace((0, floor, 0), (0, 1, 0)))
    return scene


def sheet(n: int) -> pl.Scene:
    """Cloth on two corners."""
    flat = pl.meshes.rectangle((1, 1), (n - 1, n - 1))
    mesh = pl.Mesh(np.insert(flat.points, 1, 0.0, axis=1), flat.cells)
    cloth = pl.Cloth(mesh, stretch=2000.0, shear=1000.0, bend=1e-5, density=0.2)
    x = mesh.points
    cloth.fix((x[:, 0] < 1e-9) & ((x[:, 2] < 1e-9) | (x[:, 2] > 1 - 1e-9)))
    noise = np.random.default_rng(0).uniform(-1e-4, 1e-4, x.shape)
    cloth.place(x + np.where(cloth.pinned[:, None], 0.0, noise))
    return pl.Scene([cloth], gravity=(0, -9.81, 0))


def free_ball() -> pl.Scene:
    """A bar that flies and spins."""
    mesh = pl.meshes.box((1, 1, 1), (6, 6, 6))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3), damping=pl.Settle(1.0, 2))
    body.place(mesh.points * [1.1, 1.0, 1.0])
    body.velocity = np.cross([0.0, 0.0, 3.0], mesh.points - 0.5)
    return pl.Scene([body], gravity=(0, -9.81, 0))


CASES: dict[str, Callable[[], pl.Scene]] = {
    "tiny none": lambda: beam((4, 1, 1), None),
    "tiny settle": lambda: beam((4, 1, 1), pl.Settle(1.0, 0)),
    "1k none": lambda: beam((10, 4, 4), None),
    "1k settle 0": lambda: beam((10, 4, 4), pl.Settle(2.0, 0)),
    "1k settle 2": lambda: beam((10, 4, 4), pl.Settle(2.0, 2)),
    "6k none": lambda: beam((20, 7, 7), None),
    "6k settle 0": lambda: beam((20, 7, 7), pl.Settle(2.0, 0)),
    "6k settle 2": lambda: beam((20, 7, 7), pl.Settle(2.0, 2)),
    "6k far floor": lambda: beam((20, 7, 7), None, floor=-9.0),
    "6k on floor": lambda: beam((20, 7, 7), None, floor=-0.0201),
    "48k far floor": lambda: beam((40, 14, 14), None, floor=-9.0),
    "48k settle 0": lambda: beam((40, 14, 14), pl.Settle(2.0, 0)),
    "free settle 2": free_ball,
    "cloth 20": lambda: sheet(20),
    "cloth 40": lambda: sheet(40),
}


def made(case: str) -> pl.Scene:
    """A scene in which bodies touch obstacles only, as they did in all versions."""
    scene = CASES[case]()
    scene.contact = False
    return scene


def main() -> None:
    """Step when told to."""
    made(sys.argv[1]).run(seconds=DT, dt=DT, progress=False)  # compiles
    began = time.perf_counter()
    scene = made(sys.argv[1])
    scene.run(seconds=DT, dt=DT, progress=False)
    print(time.perf_counter() - began, flush=True)
    for _ in sys.stdin:
        began = time.perf_counter()
        scene.run(seconds=STEPS * DT, dt=DT, progress=False)
        print(time.perf_counter() - began, flush=True)


if __name__ == "__main__":
    main()
