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
    """Print the table; columns are found anew, and not taken from disk."""
    print("| tetrahedra | body | columns [s] | q [us] | scene.step [us] ", end="")
    print("| surface [us] | all points [us] | full step [ms] | full / q | full / scene.step |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PLIANT_CACHE"] = folder
        for size in sizes:
            for row in rows(size):
                print(row, flush=True)


def rows(size: str) -> Iterable[str]:
    """`pl.Modal` in 60 modes, stiff, and `pl.Subspace` in 24 coordinates, limp."""
    for name, young in (("`pl.Modal`", 5e7), ("`pl.Subspace`", 2e6)):
        full = beam(size, young)
        whole = pl.Scene(full, gravity=GRAVITY, contact=False)
        slow = spent(lambda: whole.step(DT), 2)  # noqa: B023
        made = pl.Modal(full, modes=60) if young > 1e7 else pl.Subspace(full)
        began = time.process_time()
        system = made.system()
        found = time.process_time() - began
        scene = pl.Scene(made, gravity=GRAVITY)
        step = spent(lambda: scene.step(DT), 50)  # noqa: B023
        bare = step
        if name == "`pl.Modal`":
            problem = BodyProblem(made.name, system, made.damping)
            loads = Loads.of(made, made.state.x, 1.0, scene.gravity)
            bare = spent(lambda: ReducedStep().step(problem, made.state, loads, DT), 200)  # noqa: B023
        outside = np.unique(made.skin.nodes)
        columns = system.basis.columns.reshape(*made.mesh.points.shape, -1)[outside]
        columns = np.ascontiguousarray(columns.reshape(3 * len(outside), -1))
        q = made.coordinates
        surface = spent(lambda: made.mesh.points[outside].ravel() + columns @ q, 50)  # noqa: B023
        points = spent(lambda: made.positions, 20)  # noqa: B023
        yield (
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
