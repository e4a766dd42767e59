"""A beam under `Settle(rest_in=1)`: set-up, milliseconds per step, memory.

4 x 1 x 1 m, E = 1e6, nu = 0.35, rho = 1000, gravity, dt = 1/60: a beam that sags by half its length,
released from a bend of 30 degrees. Set-up is the system, the equilibrium, the test of its stability,
the estimate of lambda and the first preconditioner; compilation apart. The first step is shown
apart: it starts far from its answer. Each size runs in its own process, so that the memory is its
own.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time

import numpy as np

SIZES = {"6k": (20, 7, 7), "48k": (40, 14, 14)}
STEPS = 30


def main() -> None:
    """Print one row per size."""
    print("\nbeam under Settle(rest_in=1), E = 1e6, gravity, dt = 1/60")
    print(
        f"{'size':>5} {'tets':>7} {'set-up':>9} {'first step':>11} {'ms/step':>9} {'Newton':>7} "
        f"{'CG':>6} {'memory':>9}"
    )
    for name in SIZES:
        subprocess.run([sys.executable, "-m", "benchmarks.beam", name], check=True)


def measure(name: str) -> None:
    """Run one size in this process and print its row."""
    import pliant as pl
    from pliant.damping.inertia import Inertia
    from pliant.runtime import one_thread
    from pliant.stepping import Rest

    def body(cells: tuple[int, int, int]) -> pl.Body:
        mesh = pl.meshes.box((4, 1, 1), cells)
        made = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.35), density=1000.0)
        made.fix(mesh.points[:, 0] < 1e-9)
        made.damping = pl.Settle(rest_in=1)
        turn, arm = mesh.points[:, 0] * np.radians(30) / 4, mesh.points[:, 1] - 0.5
        radius = 4 / np.radians(30)
        x = mesh.points.copy()
        x[:, 0] = (radius - arm) * np.sin(turn)
        x[:, 1] = 0.5 + radius - (radius - arm) * np.cos(turn)
        made.place(x)
        return made

    down = (0, -9.81, 0)
    pl.Scene([body((4, 1, 1))], gravity=down).run(seconds=0.05, dt=1 / 60)  # compiles
    beam = body(SIZES[name])
    scene = pl.Scene([beam], gravity=down)
    began = time.perf_counter()
    with one_thread():
        system = beam.system()
        load = beam.loads_at(beam.positions, 0.0, scene.gravity)
        rest = Rest(system, beam.positions, lambda x: load)
        u, g = beam.positions - rest.x, system.assembly.gradient(beam.positions) - load
        estimate = np.vdot(u, g) / (system.masses @ (u**2).sum(axis=1))
        weight = estimate * 0.01 ** (1 / 60) / (1 - 0.01 ** (1 / 60))
        objective = system.objective(Inertia(weight, beam.positions), load, system.still)
        system.linear.solve(
            objective.matrix(beam.positions, project=False),
            g[system.free].ravel(),
            rtol=0.1,
            complement=system.still,
            frames=objective.frames(beam.positions),
        )
    setup = time.perf_counter() - began
    beam.state.rest = rest
    began = time.perf_counter()
    scene.run(seconds=1 / 60, dt=1 / 60, progress=False)
    first = time.perf_counter() - began
    began = time.perf_counter()
    take = scene.run(seconds=STEPS / 60, dt=1 / 60, progress=False)
    per_step = (time.perf_counter() - began) / STEPS
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    cells = sum(len(s.stencils) for s in system.solids)
    print(
        f"{name:>5} {cells:>7} {setup:>7.2f} s {first:>9.2f} s {1e3 * per_step:>9.1f} "
        f"{take.solver['iterations'].mean():>7.1f} {take.solver['linear_iterations'].mean():>6.1f} "
        f"{memory:>6.2f} GB",
        flush=True,
    )


if __name__ == "__main__":
    measure(sys.argv[1])
