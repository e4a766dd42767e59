"""`python -m benchmarks.models_gpu [device] [model ...]`: every model with 20,000 points or more.

Milliseconds per step of 1/60 s over 8 steps while the body moves under its weight, or as a wave where it
is a line, after 3 that compile and settle in; each without damping and under `Settle(1)`. Run it with
"cuda" and with "cpu" on two cores (`taskset -c 0,1`) of the same machine to compare.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

import pliant as pl
from pliant.bodies import Deformable

DT, STEPS = 1 / 60, 8
MATTER = {"young": 1e5, "poisson": 0.3, "density": 200.0}
RUBBER = pl.StableNeoHookean(young=1e5, poisson=0.3)


def chain(n: int, dim: int = 3) -> pl.Mesh:
    """A straight line of points, ten to the metre."""
    points = np.zeros((n, dim))
    points[:, 0] = 0.1 * np.arange(n)
    return pl.Mesh(points, {"line": np.stack([np.arange(n - 1), np.arange(1, n)], axis=1)})


def sheet(cells: int, kind: str = "tri") -> pl.Mesh:
    """A level square of one metre."""
    flat = pl.meshes.rectangle((1, 1), (cells, cells), kind=kind)
    return pl.Mesh(np.insert(flat.points, 2, 0.0, axis=1), flat.cells)


def block(kind: str = "tet", cells: tuple[int, int, int] = (60, 18, 18)) -> pl.Mesh:
    """A beam."""
    return pl.meshes.box((1, 0.3, 0.3), cells, kind=kind)


def clamped(body: Deformable, width: float = 1e-9) -> Deformable:
    """The body, held at its left end."""
    body.fix(body.mesh.points[:, 0] <= width)
    return body


def bars() -> Deformable:
    """Struts on the edges of tetrahedra."""
    mesh = block()
    return clamped(pl.Body(pl.Mesh(mesh.points, {"line": mesh.edges}), RUBBER, section=1e-4))


def springs() -> Deformable:
    """A braced block."""
    mesh = block()
    mass = 200.0 * 0.09 / len(mesh)
    return clamped(pl.Springs(mesh, stiffness=500.0, mass=mass, pairs=pl.Springs.braced(mesh)))


def shell() -> Deformable:
    """Held along a side."""
    body = pl.Shell(sheet(100), thickness=0.02, **MATTER)
    body.fix(body.row(body.mesh.points[:, 0] < 1e-9))
    return body


def rod() -> Deformable:
    """Held at an end."""
    body = pl.Rod(chain(10_000).points, radius=0.02, **MATTER)
    body.fix(body.node(0))
    return body


def elastons() -> Deformable:
    """A block of 5,145 nodes."""
    mesh = block("hex", (104, 6, 6))
    body = pl.Elastons(mesh, **MATTER)
    body.fix(body.points_of(np.flatnonzero(mesh.points[:, 0] < 1e-9)))
    return body


def snake() -> Deformable:
    """In a picture of a disk."""
    i, j = np.mgrid[0:64, 0:64]
    picture = 1.0 / (1.0 + np.exp(np.hypot(i - 32, j - 32) - 18.0))
    turn = np.linspace(0, 2 * np.pi, 20_000, endpoint=False)
    return pl.Snake(32 + 20 * np.stack([np.cos(turn), np.sin(turn)], axis=1), picture)


def impact_rods() -> Deformable:
    """Taut between two pins."""
    body = pl.ImpactRods(chain(20_000, 2), radius=0.05, young=1e5, density=200.0)
    body.place(body.mesh.points * 1.05)
    body.fix([0, len(body) - 1])
    return body


def form_curve() -> Deformable:
    """Held at an end."""
    body = pl.FormCurve(chain(20_000), metric=1e3, curvature=1.0, density=0.2)
    body.fix([0, 1])
    return body


LINES = ("Rod", "FormCurve", "ImpactRods")
MODELS: dict[str, Callable[[], Deformable]] = {
    "Body": lambda: clamped(pl.Body(block(), RUBBER)),
    "Body, bars": bars,
    "Springs": springs,
    "ConstraintBody": lambda: clamped(
        pl.ConstraintBody(block(), distance=300.0, volume=300.0, mass=1e-3)
    ),
    "Cloth": lambda: clamped(
        pl.Cloth(sheet(142), stretch=500.0, shear=200.0, bend=1e-3, density=0.2)
    ),
    "Shell": shell,
    "Rod": rod,
    "Elastons": elastons,
    "FormCurve": form_curve,
    "FormSurface": lambda: clamped(
        pl.FormSurface(sheet(142, "quad"), metric=1e3, curvature=1.0, density=0.2), 0.008
    ),
    "FormSolid": lambda: clamped(pl.FormSolid(block(), metric=1e5, density=200.0)),
    "ImpactRods": impact_rods,
    "Snake": snake,
}


def measure(name: str, damping: pl.Damping | None, device: str) -> float:
    """Seconds per step."""
    body = MODELS[name]()
    body.damping = damping
    gravity = np.zeros(body.dim)
    if name in LINES:  # a kilometre of it would hang: it begins as a wave instead
        x = body.positions.copy()
        x[~body.pinned, 1] += 0.01 * np.sin(x[~body.pinned, 0])
        body.place(x)
    elif name != "Snake":
        gravity[-1] = -1.0
    scene = pl.Scene(body, gravity=gravity)
    options = {"dt": DT, "device": device, "progress": False}
    scene.run(seconds=3 * DT, **options)
    began = time.perf_counter()
    scene.run(seconds=STEPS * DT, fps=1 / (STEPS * DT), **options)
    return (time.perf_counter() - began) / STEPS


def main() -> None:
    """Print a row for every model."""
    device, chosen = (sys.argv[1] if len(sys.argv) > 1 else "cuda"), sys.argv[2:]
    for name in chosen or MODELS:
        cells = []
        for damping in (None, pl.Settle(1.0)):
            try:
                cells.append(f"{1e3 * measure(name, damping, device):9.2f}")
            except (ValueError, pl.SolverError) as error:
                cells.append(f"{type(error).__name__}: {str(error)[:60]}")
        print(f"{name:14} {len(MODELS[name]()):6} points  {'  '.join(cells)} ms", flush=True)


if __name__ == "__main__":
    main()
