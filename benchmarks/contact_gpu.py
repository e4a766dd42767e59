"""`make bench-gpu`: scenes with contact on a CUDA device.

Cloth: a sheet of 512 x 512 points, 1 m wide, falls 10 mm onto a soft box of 105k tetrahedra (E = 1e5,
nu = 0.3, 0.5 m) that stands on the floor. Pile: 100 boxes of 10k tetrahedra, 0.2 m wide, in five layers
of 20, each 5 mm above the one below. Friction 0.4, dt = 1/60, tolerance 1e-3, no damping. Set-up and the
first steps, in which kernels are compiled, are not counted. `gap` is the least height over the floor.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

DT = 1 / 60
FIRST, STEPS = 3, 10
#: Boxes in a layer of the pile.
LAYER = 20


def main() -> None:
    """Print a row for every scene."""
    import warp as wp

    from pliant.backend import start

    start()
    if not wp.is_cuda_available():
        sys.exit("bench-gpu needs a CUDA device, and none was found")
    print(f"{wp.get_device('cuda').name}, Warp {wp.config.version}")
    head = "scene points tets set-up ms/frame Newton CG gap"
    print("{:>8} {:>8} {:>8} {:>8} {:>9} {:>7} {:>7} {:>8}".format(*head.split()))
    for name in sys.argv[1:] or SCENES:
        measure(name, "cuda", SCENES[name]())


def draped(side: int = 512, cells: int = 26) -> Any:
    """The cloth above the box, and the floor."""
    import pliant as pl

    mesh = pl.meshes.box((0.5, 0.5, 0.5), (cells,) * 3)
    matter = pl.StableNeoHookean(young=1e5, poisson=0.3)
    lifted = pl.Mesh(mesh.points + [0, 0, 1e-3], mesh.cells)
    box = pl.Body(lifted, matter, density=1000.0, name="box")
    sheet = pl.meshes.rectangle((1.0, 1.0), (side - 1,) * 2)
    points = np.insert(sheet.points, 2, 0.511, axis=1) + [-0.243, -0.257, 0]
    how = {"stretch": 500.0, "shear": 200.0, "bend": 1e-4, "density": 0.2}
    cloth = pl.Cloth(pl.Mesh(points, sheet.cells), name="cloth", **how)
    return _on_floor([box, cloth])


def pile(count: int = 100, cells: int = 12) -> Any:
    """Boxes in layers of up to 20."""
    import pliant as pl

    mesh, bodies = pl.meshes.box((0.2, 0.2, 0.2), (cells,) * 3), []
    matter = pl.StableNeoHookean(young=1e5, poisson=0.3)
    for k in range(count):
        layer, place = divmod(k, LAYER)
        at = np.array([0.22 * (place % 5), 0.22 * (place // 5), 2e-3 + 0.205 * layer])
        at[:2] += 0.013 * layer * np.array([1.0, 0.7])  # not edge over edge
        moved = pl.Mesh(mesh.points + at, mesh.cells)
        bodies.append(pl.Body(moved, matter, density=1000.0, name=f"box {k}"))
    return _on_floor(bodies)


def _on_floor(bodies: list[Any]) -> Any:
    import pliant as pl

    contact = pl.Contact(friction=0.4, record=False)
    scene = pl.Scene(bodies, gravity=(0, 0, -9.81), contact=contact)
    scene.add(pl.HalfSpace((0, 0, 0), (0, 0, 1)))
    return scene


def measure(name: str, device: str, scene: Any) -> None:
    """One row of the table."""
    began = time.perf_counter()
    scene.run(seconds=FIRST * DT, dt=DT, fps=1 / (FIRST * DT), device=device, progress=False)
    setup = time.perf_counter() - began
    times: list[float] = []
    how: Any = {"fps": 1 / (STEPS * DT), "device": device}
    take = scene.run(
        seconds=STEPS * DT, dt=DT, progress=lambda *_: times.append(time.perf_counter()), **how
    )
    spent = (times[-1] - times[0]) / (STEPS - 1)  # without the checks before the first step
    solved = take[scene.bodies[0]].solver
    newton, cg = (float(np.mean([row[k] for row in solved])) for k in (1, 2))
    points = sum(len(b.mesh.points) for b in scene.bodies)
    tets = sum(len(b.mesh.cells.get("tet4", ())) for b in scene.bodies)
    lowest = min(float(b.positions[:, 2].min()) for b in scene.bodies)
    print(
        f"{name:>8} {points:8d} {tets:8d} {setup:6.1f} s {1e3 * spent:9.1f} {newton:7.1f} {cg:7.1f} "
        f"{1e3 * lowest:5.2f} mm",
        flush=True,
    )


SCENES = {"cloth": draped, "pile": pile}

if __name__ == "__main__":
    main()
