"""Every damping on a solid, a cloth and a spring mesh: the table of `docs/choosing-a-damping.md`."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

import pliant as pl
from pliant.lab import Case, Comparison, Finding, compare
from pliant.lab.report import report

RESULTS, PAGES = Path(__file__).parent / "results", Path("out")


def solid(level: int) -> pl.Scene:
    """A cantilever, bent by 30 degrees' worth of a parabola."""
    mesh = pl.meshes.refined(pl.meshes.box((4, 1, 1), (8, 2, 2)), level)
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.35), name="solid")
    body.fix(mesh.points[:, 0] < 1e-9)
    bend = np.zeros_like(mesh.points)
    bend[:, 2] = 0.06 * mesh.points[:, 0] ** 2
    body.place(mesh.points + bend)
    return pl.Scene(body)


def cloth(level: int) -> pl.Scene:
    """A sheet between two bars, sagging under its weight, pulled further down and let go."""
    sheet = pl.meshes.refined(pl.meshes.rectangle((1, 1), (6, 6)), level)
    mesh = pl.Mesh(np.insert(sheet.points, 2, 0.0, axis=1), sheet.cells)
    body = pl.Cloth(mesh, stretch=200.0, shear=80.0, bend=1e-4, density=0.2, name="cloth")
    x = mesh.points
    body.fix((x[:, 0] < 1e-9) | (x[:, 0] > 1 - 1e-9))
    scene = pl.Scene(body, gravity=(0, 0, -9.81))
    rest = body.rest_shape(scene.gravity)
    start = rest.copy()
    start[:, 2] -= 0.05 * np.sin(np.pi * x[:, 0]) * (1 + 0.3 * np.cos(2 * np.pi * x[:, 1]))
    body.place(start)
    return scene


def springs(level: int) -> pl.Scene:
    """A braced box of springs, held at one end and pulled long."""
    mesh = pl.meshes.refined(pl.meshes.box((2, 1, 1), (4, 2, 2), kind="hex"), level)
    # Springs of a finer mesh are shorter: k ~ area/length, and points lighter.
    body = pl.Springs(
        mesh,
        stiffness=2e3 / 2**level,
        mass=180.0 / len(mesh),
        pairs=pl.Springs.braced(mesh),
        name="springs",
    )
    body.fix(mesh.points[:, 0] < 1e-9)
    body.place(mesh.points * [1.1, 1.0, 1.0])
    return pl.Scene(body)


CASES = {
    "solid": Case("solid", solid, seconds=4.0, dt=1 / 60, rest_in=2.0, bounces=2),
    "cloth": Case("cloth", cloth, seconds=2.0, dt=1 / 60, rest_in=1.0, bounces=2),
    "springs": Case("springs", springs, seconds=2.0, dt=1 / 60, rest_in=1.0, bounces=2),
}


def main(names: list[str] | None = None) -> None:
    """Run the cases; pages go to `out/`, tables to `benchmarks/results/`."""
    for name in names or list(CASES):
        found = compare(CASES[name])
        PAGES.mkdir(exist_ok=True)
        (PAGES / f"dampings-{name}.html").write_text(report(found), encoding="utf-8")
        (RESULTS / f"dampings-{name}.md").write_text(table(found), encoding="utf-8")
        print(table(found))


def table(found: Comparison) -> str:
    """The findings of one case in Markdown."""
    asked = found.case.rest_in
    lines = [
        f"| {found.case.name}, asked {asked:g} s | rest | dt/2 | 2 dt | finer mesh | fall | spin "
        "| longest explicit step | cost |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [_line(f) for f in found.findings if f.damping]
    return "\n".join(lines) + "\n"


def _line(f: Finding) -> str:
    times = [_time(t) for t in (f.rest_time, f.halved, f.doubled, f.finer)]
    kept = [_share(s) for s in (f.flight.fall, f.flight.spin)]
    step = "any (implicit)" if math.isnan(f.longest_dt) else _milliseconds(1e3 * f.longest_dt)
    cost = "–" if math.isnan(f.cost) else f"{f.cost:.1f}"
    return f"| {f.name} | " + " | ".join([*times, *kept, step, cost]) + " |"


def _share(s: float) -> str:
    return "–" if math.isnan(s) else f"{s:.2f}".replace("-0.00", "0.00")


def _milliseconds(t: float) -> str:
    return f"{t:.0f} ms" if t >= 10.0 else f"{t:.2g} ms"


def _time(t: float) -> str:
    if math.isnan(t):
        return "blew up"
    return "never" if math.isinf(t) else f"{t:.2f} s"
