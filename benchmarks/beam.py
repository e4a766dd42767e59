"""Ours on the cantilever: set-up, time per frame, iterations, residual, memory; then what was asked.

undamped: released straight under gravity, backward Euler, one step per frame, as the peers.
settle: `Settle(rest_in=1)`, released from a bend of 30 degrees, which makes every step about a hundred
times stiffer. Both through the public interface alone. The residual is the largest force left on a
point when a step was accepted, the worst of all steps; steps that did not converge would raise.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from . import contest
from .cantilever import DENSITY, DT, POISSON, STATIC, YOUNG, Cantilever
from .child import ask
from .report import HEADER, OURS, asked, row


class Undamped:
    """A body and its scene, from arrays, as far as the first step."""

    def __init__(self, case: Cantilever, gravity: float) -> None:
        import pliant as pl

        self.mesh = pl.Mesh(case.points, cells={"tet": case.tets})
        material = pl.StableNeoHookean(young=YOUNG, poisson=POISSON)
        self.body = pl.Body(self.mesh, material, density=DENSITY)
        self.body.fix(case.clamped)
        self.prepare()
        self.scene = pl.Scene([self.body], gravity=(0, -gravity, 0), contact=False)
        self.body.system()
        self.solver: list[np.ndarray] = []

    def prepare(self) -> None:
        """Damping and start shape."""

    def advance(self, frames: int) -> None:
        """One step per frame."""
        take = self.scene.run(seconds=frames * DT, dt=DT, progress=False)
        self.solver.append(take.solver)

    def slow(self, factor: float) -> None:
        """Scale all velocities."""
        self.body.velocity = factor * self.body.velocity

    def positions(self) -> np.ndarray:
        """Where the points are [m]."""
        return self.body.positions

    def notes(self) -> dict[str, Any]:
        """What the solver did; the first step is set-up."""
        steps = np.concatenate(self.solver)[1:]
        newton, cg = steps["iterations"].mean(), steps["linear_iterations"].mean()
        residual = float(steps["residual"].max())
        return {
            "settings": f"Newton {newton:.1f}, CG {cg:.1f} per step, residual {residual:.1e} N",
            "residual": residual,
            "converged": bool(np.isin(steps["reason"], ("converged", "rounding")).all()),
        }


class Settling(Undamped):
    """The same, asked to rest in one second."""

    def prepare(self) -> None:
        """Bent to a circle over 30 degrees."""
        import pliant as pl

        self.body.damping = pl.Settle(rest_in=1)
        points = self.mesh.points
        radius = 4 / np.radians(30)
        turn, arm = points[:, 0] / radius, radius + 0.5 - points[:, 1]
        x = points.copy()
        x[:, 0] = arm * np.sin(turn)
        x[:, 1] = 0.5 + radius - arm * np.cos(turn)
        self.body.place(x)


def run_out(run: contest.Simulation) -> None:
    """Three times the time it was given, so that 1e-6 of the way is left."""
    run.advance(round(3 / DT))


def measure_here(folder: Path, size: str, who: str, small: bool) -> dict[str, Any]:
    """One size and mode in this process."""
    if who == "settle":
        return contest.measure(Settling, folder, size, small=small, rest=run_out)
    return contest.measure(Undamped, folder, size, small=small)


def measure(folder: Path, size: str, who: str, *, small: bool) -> dict[str, Any]:
    """One size and mode in a process of its own."""
    return ask("benchmarks.beam", str(folder), size, who, "small" if small else "-")


def title() -> str:
    """What the table is about, and how busy the machine was."""
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"\ncantilever 4 x 1 x 1 m, E = 1e6, nu = 0.35, gravity, frames of 1/60 s "
        f"({os.cpu_count()} cores{load})\n"
        "set-up: until frames take their usual time, without compilation; ratio: time per frame over "
        "ours undamped;\nsmall load: drop of the tip over the static answer; drop: after half a second "
        f"[m]\n{HEADER}"
    )


@contextmanager
def cases(sizes: Iterable[str]) -> Iterator[Path]:
    """A folder with the cantilevers of these sizes, and the smallest, which compiles."""
    with tempfile.TemporaryDirectory() as name:
        for size in dict.fromkeys(("1k", *sizes)):
            answer = ask("benchmarks.cantilever", name, size)
            if "failed" in answer:
                sys.exit(f"the cantilever of {size} tetrahedra cannot be made: {answer['failed']}")
        yield Path(name)


def main(sizes: Sequence[str]) -> None:
    """Print one row per size and mode, then what was asked."""
    print(title())
    results: dict[tuple[str, str], dict[str, Any]] = {}
    with cases(sizes) as folder:
        for size in sizes:
            for who in OURS:
                results[size, who] = measure(folder, size, who, small=size in STATIC)
                print(row(size, who, results[size, who], results[size, "undamped"]), flush=True)
    print("\nasked and reached")
    print("\n".join(asked(results)))


if __name__ == "__main__":
    folder, size, who, small = sys.argv[1:]
    print(json.dumps(measure_here(Path(folder), size, who, small == "small")))
