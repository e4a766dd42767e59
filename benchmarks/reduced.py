"""What a reduced body costs beside the full one: basis, step, frame. Processor time on one thread."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterable

import numpy as np

import pliant as pl
from pliant.problem import BodyProblem, Loads
from pliant.reduced import ReducedStep

#: Beams of 4 x 1 x 1 m by the number of their tetrahedra.
CELLS = {"1k": (10, 4, 4), "6k": (20, 7, 7), "48k": (40, 14, 14), "100k": (48, 19, 19)}
GRAVITY, DT = (0.0, -9.81, 0.0), 1 / 60


def main(sizes: Iterable[str]) -> None:
    """Print the table of stiff beams in 60 modes and limp ones in 24; columns are found anew."""
    print("| tetrahedra | body | columns [s] | q [us] | scene.step [us] ", end="")
    print("| surface [us] | all points [us] | full step [ms] | full / q | full / scene.step |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PLIANT_CACHE"] = folder
        for size in sizes:
            stiff, limp = beam(size, 5e7), beam(size, 2e6)
            print(row("`pl.Modal`", stiff, pl.Modal(stiff, modes=60)), flush=True)
            print(row("`pl.Subspace`", limp, pl.Subspace(limp, modes=8, size=24)), flush=True)


def row(name: str, full: pl.Body, made: pl.Modal) -> str:
    """A line of the table."""
    whole = pl.Scene(full, gravity=GRAVITY, contact=False)
    slow = spent(lambda: whole.step(DT), 2)
    began = time.process_time()
    system = made.system()
    found = time.process_time() - began
    scene = pl.Scene(made, gravity=GRAVITY)
    bare = step = spent(lambda: scene.step(DT), 50)
    if not isinstance(made, pl.Subspace):
        problem = BodyProblem(made.name, system, made.damping)
        loads = Loads.of(made, made.state.x, 1.0, scene.gravity)
        bare = spent(lambda: ReducedStep().step(problem, made.state, loads, DT), 200)
    outside, q = np.unique(made.skin.nodes), made.coordinates
    columns = system.basis.columns.reshape(*made.mesh.points.shape, -1)[outside]
    columns = np.ascontiguousarray(columns.reshape(3 * len(outside), -1))
    surface = spent(lambda: made.mesh.points[outside].ravel() + columns @ q, 50)
    points = spent(lambda: made.positions, 20)
    return (
        f"| {len(full.mesh.cells['tet4'])} | {name} | {found:.1f} | {1e6 * bare:.0f} "
        f"| {1e6 * step:.0f} | {1e6 * surface:.0f} | {1e6 * points:.0f} | {1e3 * slow:.0f} "
        f"| {slow / bare:.0f} | {slow / step:.0f} |"
    )


def beam(size: str, young: float) -> pl.Body:
    """A beam that is held at one end."""
    mesh = pl.meshes.box((4, 1, 1), CELLS[size])
    body = pl.Body(mesh, pl.StableNeoHookean(young=young, poisson=0.3), damping=pl.Settle(0.75, 2))
    body.fix(mesh.points[:, 0] < 1e-9)
    return body


def spent(work: Callable[[], object], times: int) -> float:
    """The median processor time of doing something, after once [s]."""
    work()
    each = []
    for _ in range(times):
        began = time.process_time()
        work()
        each.append(time.process_time() - began)
    return float(np.median(each))
