"""`make bench-gpu`: the beam under `Settle(rest_in=1)` on a CUDA device, and how well it is used.

4 x 1 x 1 m, E = 1e6, nu = 0.35, rho = 1000, gravity, dt = 1/60, released from a bend of 30 degrees.
Milliseconds per step are those of steps 2 to 61 with one frame at the end; set-up and the first step are
shown apart, compilation is not in them. The gradient left by a step is that of its objective, as a
share of what it was at the start of the step; rest time is measured on all frames of another run.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from . import parts

SIZES = {"100k": (51, 18, 18), "1M": (112, 39, 39)}
STEPS = 60
DT = 1 / 60


def main() -> None:
    """Print both tables for every size."""
    import warp as wp

    from pliant.backend import start

    start()
    if not wp.is_cuda_available():
        sys.exit("bench-gpu needs a CUDA device, and none was found")
    device = wp.get_device("cuda")
    print(f"{device.name}, Warp {wp.config.version}")
    scene(SIZES["100k"])[1].run(seconds=2 * DT, dt=DT, device="cuda", progress=False)  # compiles
    head = "size tets set-up first ms/step Newton CG gradient rest memory"
    print("{:>5} {:>8} {:>8} {:>8} {:>8} {:>7} {:>6} {:>9} {:>7} {:>9}".format(*head.split()))
    for name in sys.argv[1:] or SIZES:
        measure(name, device)
        body, stage = scene(SIZES[name])
        stage.run(seconds=DT, dt=DT, device="cuda", progress=False)
        parts.table(body, stage.gravity, "cuda")


def scene(cells: tuple[int, int, int]) -> tuple[Any, Any]:
    """The beam and its scene."""
    import pliant as pl

    mesh = pl.meshes.box((4, 1, 1), cells)
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.35), density=1000.0)
    body.fix(mesh.points[:, 0] < 1e-9)
    body.damping = pl.Settle(rest_in=1)
    turn, arm = mesh.points[:, 0] * np.radians(30) / 4, mesh.points[:, 1] - 0.5
    radius = 4 / np.radians(30)
    x = mesh.points.copy()
    x[:, 0] = (radius - arm) * np.sin(turn)
    x[:, 1] = 0.5 + radius - (radius - arm) * np.cos(turn)
    body.place(x)
    return body, pl.Scene([body], gravity=(0, -9.81, 0))


def measure(name: str, device: Any) -> None:
    """One row of the first table."""
    import warp as wp

    before = wp.get_mempool_used_mem_current(device)
    body, stage = scene(SIZES[name])
    began = time.perf_counter()
    body.system(device="cuda")
    setup = time.perf_counter() - began
    began = time.perf_counter()
    stage.run(seconds=DT, dt=DT, device="cuda", progress=False)
    first = time.perf_counter() - began
    began = time.perf_counter()
    take = stage.run(seconds=STEPS * DT, dt=DT, fps=1 / (STEPS * DT), device="cuda", progress=False)
    per_step = (time.perf_counter() - began) / STEPS
    memory = wp.get_mempool_used_mem_current(device) - before
    left = gradients_left(SIZES[name])
    _, stage = scene(SIZES[name])
    rest = stage.run(seconds=1.2, dt=DT, device="cuda", progress=False).rest_time()
    tets = len(body.mesh.cells["tet4"])
    print(
        f"{name:>5} {tets:>8} {setup:>7.2f}s {first:>7.2f}s {1e3 * per_step:>8.2f} "
        f"{take.solver['iterations'].mean():>7.2f} {take.solver['linear_iterations'].mean():>6.1f} "
        f"{left:>9.1e} {rest:>6.3f}s {memory / 1e9:>6.2f} GB",
        flush=True,
    )


def gradients_left(cells: tuple[int, int, int]) -> float:
    """The worst share of the gradient that a step left, over 60 steps."""
    from pliant.backend import norm
    from pliant.solvers import Newton

    shares: list[float] = []
    minimise = Newton.minimise

    def watched(self: Any, objective: Any, x: Any, linear: Any, **how: Any) -> Any:
        found, report = minimise(self, objective, x, linear, **how)
        origin = how["origin"]
        if origin is not None:
            v = objective.vectors
            at = objective.residual(origin)
            shares.append(norm(v, objective.residual(found)) / norm(v, at))
        return found, report

    _, stage = scene(cells)
    Newton.minimise = watched  # type: ignore[method-assign]
    try:
        stage.run(seconds=STEPS * DT, dt=DT, device="cuda", progress=False)
    finally:
        Newton.minimise = minimise  # type: ignore[method-assign]
    return max(shares)


if __name__ == "__main__":
    main()
