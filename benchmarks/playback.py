"""What a frame from a table of responses costs, and how errors fall with rank and entries."""

from __future__ import annotations

import time
from collections.abc import Iterable

import numpy as np

import pliant as pl
from pliant.responses import Player, ResponsesReport

from .cantilever import DENSITY, POISSON, SIZES

YOUNG = 5e7
FRAMES, PUSHES = 2000, 200


def main(sizes: Iterable[str]) -> None:
    """Print processor times of beams in 20 modes, and the report of the last."""
    print(
        "| tetrahedra | points | record [s] | table [MB] | push [us] | surface [us] | all points [us] |"
    )
    print("|---|---|---|---|---|---|---|")
    for size in sizes:
        report = row(size)
    print(f"\n{report}")


def row(size: str) -> ResponsesReport:
    """Record a beam, print its row, and return its report."""
    mesh = pl.meshes.box((4, 1, 1), SIZES[size])
    full = pl.Body(mesh, pl.StableNeoHookean(young=YOUNG, poisson=POISSON), density=DENSITY)
    full.fix(mesh.points[:, 0] < 1e-9)
    body = pl.Modal(full, modes=20, damping=pl.Rayleigh(mass=1.0))
    tip = np.flatnonzero(mesh.points[:, 0] > 4.0 - 1e-9)
    newtons = 2e4 / len(tip)
    pushes = [
        pl.Excite(on=tip, force=(0, -newtons, 0), seconds=0.2),
        pl.Excite(on=tip, impulse=(0, 0, 0.1 * newtons)),
    ]
    body.system()  # modes are found once, and kept
    began = time.process_time()
    table = pl.Responses.record(pl.Scene(body), pushes, seconds=120, progress=False)
    recorded = time.process_time() - began
    surface = np.unique(np.concatenate([f.ravel() for f in mesh.boundary.values()]))
    shown = [frame(table.player(points=points)) for points in (surface, None)]
    report = table.report()
    counts = f"{len(mesh.cells['tet4'])} | {len(mesh)} | {recorded:.1f} | {report.size / 1e6:.1f}"
    print(
        f"| {counts} | {push(table.player()):.0f} | {shown[0]:.0f} | {shown[1]:.0f} |", flush=True
    )
    return report


def frame(player: Player) -> float:
    """Microseconds of a frame."""
    player.excite(0)
    began = time.process_time()
    for k in range(FRAMES):
        player.positions(5e-4 * k)
    return 1e6 * (time.process_time() - began) / FRAMES


def push(player: Player) -> float:
    """Microseconds of a push."""
    began = time.process_time()
    for k in range(PUSHES):
        player.positions(0.05 * k)
        player.excite(k % 2)
    return 1e6 * (time.process_time() - began) / PUSHES
