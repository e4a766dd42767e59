"""How well a haptic loop of 1 kHz keeps its time, on three kinds of bodies, beside a stage or alone.

Lateness is that of this machine as it is now, so its load is printed too: numbers of an idle one say
what the loop can do, those of a busy one how much it is disturbed. `step` is wall time, as a hand has
it.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import ExitStack

import numpy as np

import pliant as pl
from pliant.haptics import HapticReport, Loop, Simulated, poking

#: How long each loop runs [s].
SECONDS = float(os.environ.get("SECONDS", "60"))
GRAVITY = (0.0, -9.81, 0.0)
DEPTH, RADIUS = 0.05, 0.2


def main() -> None:
    """Print the table."""
    print(f"{SECONDS:g} s at 1 kHz each, on {os.cpu_count()} cores\n")
    print("| body | beside it | load | late [us] p50 | p99 | p99.9 | most | a period late ", end="")
    print("| step [us] p50 | p99 | p99.9 | most | work [J] |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    for name, make in BODIES.items():
        for staged in (False, True):
            with ExitStack() as held:
                if staged:
                    folder = held.enter_context(tempfile.TemporaryDirectory())
                    scene = pl.Scene(beam(5e7), gravity=GRAVITY)
                    held.enter_context(pl.view.Stage(scene, port=0, folder=folder))
                report = felt(make())
                load = os.getloadavg()[0]
            print(row(name, "a stage" if staged else "nothing", load, report), flush=True)


def felt(body: pl.bodies.Deformable | pl.Probe) -> HapticReport:
    """What a loop has measured."""
    if isinstance(body, pl.Probe):
        at = (4.0, 1.0, 0.5)
        t = np.arange(0.0, SECONDS + 0.01, 0.01)
        hands = np.add.outer(DEPTH * np.cos(2.0 * np.pi * t), np.zeros(3))
        path = (t, np.array(at) + hands * [0.0, 1.0, 0.0])
        gravity = None
    else:
        body.place(body.rest_shape(GRAVITY))
        path, gravity = poking(body, depth=DEPTH, seconds=SECONDS), GRAVITY
    loop = Loop(body, device=Simulated(path), radius=RADIUS, gravity=gravity)
    return loop.run(seconds=SECONDS)


def beam(young: float) -> pl.Body:
    """A beam of 4 x 1 x 1 m, held at one end."""
    mesh = pl.meshes.box((4, 1, 1), (16, 4, 4))
    body = pl.Body(mesh, pl.StableNeoHookean(young=young, poisson=0.3), damping=pl.Settle(0.75, 2))
    body.fix(mesh.points[:, 0] < 1e-9)
    return body


def touched() -> pl.Probe:
    """A block of boundary elements of 1500 unknowns."""
    block = pl.BoundaryElements(pl.meshes.box((4, 1, 1), (21, 6, 5)), young=1e6, poisson=0.3)
    block.fix(block.mesh.points[:, 0] < 1e-9)
    return pl.Probe(block, radius=RADIUS)


BODIES: dict[str, Callable[[], pl.bodies.Deformable | pl.Probe]] = {
    "`pl.Modal`, 60 modes": lambda: pl.Modal(beam(5e7), modes=60),
    "`pl.Subspace`, 27 coordinates": lambda: pl.Subspace(beam(2e6), modes=8, size=24),
    "`pl.Probe`, 1500 unknowns": touched,
}


def row(name: str, beside: str, load: float, report: HapticReport) -> str:
    """A line of the table."""
    quantiles = (0.5, 0.99, 0.999, 1.0)
    late, cost = (1e6 * np.quantile(v, quantiles) for v in (report.late, report.cost))
    numbers = [f"{v:.0f}" for v in late] + [f"{100 * report.missed:.2g} %"]
    numbers += [f"{v:.0f}" for v in cost] + [f"{report.work:.0e}"]
    return f"| {name} | {beside} | {load:.1f} | {' | '.join(numbers)} |"
