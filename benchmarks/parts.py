"""What a step is made of, and how near each part is to the bandwidth of a plain copy.

Bytes are those that must be moved at least: what a part reads and writes, each once. A part far below
the bandwidth is bound by arithmetic, by additions to shared places, or by the time of a launch.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np


def main(sizes: Iterable[str]) -> None:
    """The cantilever on the CPU, at its rest shape under a small load."""
    import pliant as pl

    from .cantilever import DENSITY, POISSON, SIZES, SMALL_GRAVITY, YOUNG

    for size in sizes:
        mesh = pl.meshes.box((4, 1, 1), SIZES[size])
        if len(mesh) * 3 <= 400:
            continue  # too small for multigrid
        body = pl.Body(mesh, pl.StableNeoHookean(young=YOUNG, poisson=POISSON), density=DENSITY)
        body.fix(mesh.points[:, 0] < 1e-9)
        print(f"\n{size}, {len(mesh.cells['tet4'])} tetrahedra, CPU")
        table(body, np.array([0.0, -SMALL_GRAVITY, 0.0]), "cpu")


def table(body: Any, gravity: np.ndarray, device: str) -> None:
    """Print milliseconds, megabytes and the share of the copy's bandwidth for each part."""
    import warp as wp

    from pliant.backend import start
    from pliant.problem.inertia import Inertia

    start()
    copy = copy_bandwidth(device)
    system = body.system(device=device)
    x = system.to_device(body.positions)
    load = body.loads_at(body.positions, 0.0, gravity)
    objective = system.objective(Inertia(4.0, x), load, system.unrestricted)
    linear = system.linear
    linear.forget()  # fresh grids
    linear.assemble(objective, x, project=False)
    g = objective.residual(x)
    linear.solve(g, rtol=0.1)
    n, cells, blocks = len(body), len(body.mesh.cells["tet4"]), len(system.assembly.pattern)
    geometry = cells * (4 * 4 + 4 * 3 * 8 + 3 * 8)  # indices, shape gradients, weight and moduli
    points, entry = n * 3 * 8, 36 if wp.get_device(device).is_cuda else 72
    rows = {
        "value": (lambda: objective.value(x), geometry + points + 8 * cells),
        "gradient": (lambda: objective.residual(x), geometry + 5 * points),
        "Hessian": (lambda: objective.blocks(x, False), geometry + points + 2 * 72 * blocks),
        "frames": (lambda: objective.turns(x), geometry + points + 3 * n * 72),
        "V-cycle": (
            lambda: linear.estimate(objective, g),
            2 * blocks * (entry + 4) + 20 * n * entry / 3,
        ),
    }
    print(f"copies at {copy / 1e9:.0f} GB/s")
    print(f"{'part':>10} {'ms':>8} {'MB':>8} {'GB/s':>7} {'share':>7}")
    for part, (call, moved) in rows.items():
        seconds = fastest(call, device)
        rate = moved / seconds
        row = f"{part:>10} {1e3 * seconds:>8.3f} {moved / 1e6:>8.0f} {rate / 1e9:>7.1f}"
        print(f"{row} {rate / copy:>7.0%}", flush=True)


def copy_bandwidth(device: str) -> float:
    """Bytes per second, read and written, of a plain copy: 1 GB on CUDA, 200 MB on the CPU."""
    import warp as wp

    count = 250_000_000 if wp.get_device(device).is_cuda else 50_000_000
    a = wp.zeros(count, dtype=wp.float32, device=device)
    b = wp.empty_like(a)
    return 2 * 4 * count / fastest(lambda: wp.copy(b, a), device)


def fastest(call: Callable[[], Any], device: str) -> float:
    """Seconds of the fastest of twenty calls."""
    import warp as wp

    call()
    times = []
    for _ in range(20):
        wp.synchronize_device(device)
        began = time.perf_counter()
        call()
        wp.synchronize_device(device)
        times.append(time.perf_counter() - began)
    return min(times)
