"""Ours and MuJoCo's on a sheet held at two corners, in one run: `python -m benchmarks cloth 40 100`.

linearised: `pl.LinearisedImplicit(1e-3)`, one linear solve per step as MuJoCo does; a hundred times
tighter than its fastest setting. implicit: the default step, whose forces are those at its end, so
that the sheet does not stretch by having turned: three times less than either linearised one.
`rounds` runs in turn; of each the quickest counts.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from .child import ask
from .peers.environment import NotInstalled, interpreter
from .sheet import BEND, DENSITY, DT, GRAVITY, SHEAR, STRETCH, Sheet, answer

SIZES = ("40", "100")
#: Where the run to rest fits into the time limit.
RESTS = ("40",)
ROUNDS = 2
OURS = ("linearised", "implicit")
PEERS = {"MuJoCo": "fastest", "MuJoCo, solved": "solved"}
HEADER = (
    f"{'points':>9} {'who':<15} {'set-up':>8} {'ms/frame':>9} {'cpu ms':>8} {'s per s':>8} {'ratio':>6} "
    f"{'mean':>7} {'largest':>8} {'at rest':>16} {'depth at 1/2, 1 s':>18} {'memory':>8}  settings"
)


class Ours:
    """A cloth and its scene, through the public interface alone."""

    def __init__(self, case: Sheet, *, linearised: bool) -> None:
        import pliant as pl

        mesh = pl.Mesh(case.points, cells={"tri": case.triangles})
        self.body = pl.Cloth(mesh, stretch=STRETCH, shear=SHEAR, bend=BEND, density=DENSITY)
        self.body.masses = np.full(len(mesh), DENSITY / len(mesh))
        self.body.fix(case.held)
        self.body.place(case.start)
        self.scene = pl.Scene([self.body], gravity=(0, -GRAVITY, 0), contact=False)
        self.stepper = pl.LinearisedImplicit(1e-3) if linearised else pl.Implicit()
        self.solver: list[np.ndarray] = []

    def advance(self, frames: int) -> None:
        """One step per frame."""
        take = self.scene.run(seconds=frames * DT, dt=DT, stepper=self.stepper, progress=False)
        self.solver.append(take.solver)

    def slow(self, factor: float) -> None:
        """Scale all velocities."""
        self.body.velocity = factor * self.body.velocity

    def positions(self) -> np.ndarray:
        """Where the points are [m]."""
        return self.body.positions

    def notes(self) -> dict[str, Any]:
        """What the solver did."""
        steps = np.concatenate(self.solver)
        newton, cg = steps["iterations"].mean(), steps["linear_iterations"].mean()
        return {"settings": f"tolerance 1e-03, Newton {newton:.1f}, CG {cg:.1f} per step"}


def row(size: str, who: str, result: dict[str, Any], peer: dict[str, Any] | None) -> str:
    """One line of the table; `ratio` is the time of MuJoCo, solved, over its own."""
    if "failed" in result:
        return f"{size + ' x ' + size:>9} {who:<15} {result['failed']}"
    beside = peer is not None and "failed" not in peer
    ratio = f"{peer['frame'] / result['frame']:6.2f}" if peer is not None and beside else f"{'':>6}"
    mean, largest = result["stretch"]
    rest = "{:.2%} {:7.2%}".format(*result["rest"]) if "rest" in result else ""
    depth = [f"{d:.3f}" for d in (result["half"], result["end"]) if d is not None]
    return (
        f"{size + ' x ' + size:>9} {who:<15} {result['setup']:>6.2f} s {1e3 * result['frame']:>9.1f} "
        f"{1e3 * result['cpu']:>8.1f} {result['frame'] / DT:>8.2f} {ratio} {mean:>7.2%} {largest:>8.2%} "
        f"{rest:>16} {' '.join(depth):>18} {result['memory']:>5.2f} GB  {result['settings']}"
    )


def title() -> str:
    """What the table is about, and how busy the machine was."""
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"\nsheet 1 x 1 m held at two corners, {DENSITY} kg/m^2, stretch {STRETCH:g} N/m, "
        f"shear {SHEAR:g} N/m, bend {BEND:g} N m, frames of 1/60 s ({os.cpu_count()} cores{load})\n"
        "set-up: until frames take their usual time, without compilation; ratio: time per frame of "
        "MuJoCo, solved, over its own;\nmean, largest: stretch of edges over the run, and at rest; "
        f"depth of the lowest point [m]\n{HEADER}"
    )


def main(sizes: Sequence[str]) -> None:
    """Print one row per size and simulator, each the quickest of its rounds."""
    python: Path | None = None
    try:
        python = interpreter("mujoco")
    except NotInstalled as why:
        print(f"mujoco is left out, it cannot be installed here: {why}")
    print(title())
    for size in sizes:
        best: dict[str, dict[str, Any]] = {}
        for turn in range(ROUNDS):
            rest = "rest" if size in RESTS and turn == 0 else "-"
            for who in (*OURS, *(PEERS if python else ())):
                module, variant, home = (
                    ("benchmarks.cloth", who, None)
                    if who in OURS
                    else ("benchmarks.peers.mujoco_cloth", PEERS[who], python)
                )
                found = ask(module, size, variant, rest, python=home)
                before = best.get(who, found)
                if "failed" not in found and "failed" not in before:
                    found = {**before, **found} if found["frame"] < before["frame"] else before
                best[who] = found
        for who, result in best.items():
            print(row(size, who, result, best.get("MuJoCo, solved")), flush=True)


if __name__ == "__main__":
    answer({who: partial(Ours, linearised=who == "linearised") for who in OURS})
