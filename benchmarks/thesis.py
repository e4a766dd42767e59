"""The thesis's method against ours on Example 2: time per step at no higher objective.

Both minimise (2.22) from the same state with tau = 1, dt = 0.05. The thesis's steepest descent with
centred differences gets as many iterations as it had in `ITERATIONS`; its objective is compared
with the one that the library's Newton reaches. Source: [young2007] chapters 3 and 4.
"""

from __future__ import annotations

import importlib
import sys
import time
from pathlib import Path

import numpy as np

ITERATIONS = 2000
STEPS = 20


def main() -> None:
    """Print both methods and their ratio."""
    import pliant as pl

    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "studies"))
    examples = importlib.import_module("young-2007.examples")
    stress = importlib.import_module("young-2007.stress_method")
    ours = importlib.import_module("young-2007.ours")
    descent = importlib.import_module("young-2007.descent")

    example = examples.annulus()
    body = ours.body(example, pl.EnergyMinimising(tau=1.0))
    scene = pl.Scene([body])
    scene.run(seconds=example.dt, dt=example.dt, progress=False)  # compiles
    body.place(example.start)
    body.velocity = 0.0
    began = time.perf_counter()
    take = scene.run(seconds=STEPS * example.dt, dt=example.dt, progress=False)
    fast = (time.perf_counter() - began) / STEPS

    objective = stress.StressObjective(
        example, example.start, np.zeros_like(example.start), tau=1.0, dt=example.dt
    )
    v = take.velocities[1]
    kinetic = 0.5 * float((example.masses[:, None] * v**2).sum())
    reached = kinetic + float(example.mesh.potential(take.positions[1])) / example.dt
    began = time.perf_counter()
    result = descent.steepest_descent(
        objective.value,
        np.zeros((len(example.mesh.cells), 3)),
        gradient=objective.gradient,
        step=1.0,
        gradient_tolerance=0.0,
        iteration_limit=ITERATIONS,
    )
    slow = time.perf_counter() - began

    print("\nExample 2 of the thesis, 414 triangles, first step, tau = 1")
    print(f"{'method':>34} {'time per step':>14} {'objective':>16}")
    print(f"{f'descent, {ITERATIONS} iterations':>34} {slow:>12.3f} s {result.value:>16.10f}")
    print(f"{'Newton (mean of 20 steps)':>34} {fast:>12.4f} s {reached:>16.10f}")
    print(f"{'ratio':>34} {slow / fast:>12.0f} x")
    if reached > result.value * (1.0 + 1e-9):
        sys.exit("the fast method did not reach the objective of the slow one")
    if slow < 100.0 * fast:
        sys.exit("the fast method is less than 100 times faster")
