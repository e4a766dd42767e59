"""Every model on the same beam, sheet and strand: the tables of `docs/which-model.md`.

Accuracy: the deflection under its own weight over that of theory, in the range of small deflections.
Time: processor time of an implicit step of 1/60 s while it vibrates. Longest step: of symplectic Euler.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import pliant as pl
from pliant.deformable import Deformable

RESULTS = Path(__file__).parent / "results"
YOUNG, POISSON, DENSITY = 1e6, 0.3, 1000.0
MATTER = {"young": YOUNG, "poisson": POISSON, "density": DENSITY}
#: Gravity [m/s^2] that bends each a thousandth of its length.
SMALL = 1e-3
BEAM, STRAND, PLATE = 0.1, 0.02, 0.02  # thicknesses [m]; all are 1 m long


@dataclass(frozen=True)
class Entry:
    """A model, how it is held, and what its deflection is measured at."""

    name: str
    make: Callable[[], Deformable]
    moved: Callable[[Deformable, np.ndarray], np.ndarray] = lambda body, x: x
    theory: float | None = None  # [m], where it is held in another way than the rest


def solid(kind: str, cells: tuple[int, int, int], size: float) -> pl.Body:
    """Finite elements."""
    mesh = pl.meshes.box((1, size, size), cells, kind=kind)
    body = pl.Body(mesh, pl.StableNeoHookean(young=YOUNG, poisson=POISSON), density=DENSITY)
    body.fix(mesh.points[:, 0] < 1e-9)
    return body


def calibrated(make: Callable[[float], Deformable], size: float) -> Deformable:
    """A body whose stiffness is right in tension: these have no Young's modulus."""
    body = make(1.0)
    x = body.mesh.points
    system, pulled = body.system(), x * [1.0001, 1.0, 1.0]
    pull = system.assembly.gradient(pulled)[x[:, 0] > 1 - 1e-9, 0].sum()
    return make(float(YOUNG * size * size * 1e-4 / pull))


def springs(k: float, size: float = BEAM) -> pl.Springs:
    """All pairs of the corners of hexahedra."""
    mesh = pl.meshes.box((1, size, size), (20, 2, 2), kind="hex")
    mass = pl.Body(mesh, pl.Linear(young=1.0, poisson=0.0), density=DENSITY).masses
    body = pl.Springs(mesh, stiffness=k, mass=mass, pairs=pl.Springs.braced(mesh))
    body.fix(mesh.points[:, 0] < 1e-9)
    return body


def preserving(k: float, size: float = BEAM) -> pl.Preserving:
    """Distances and volumes of tetrahedra."""
    mesh = pl.meshes.box((1, size, size), (20, 2, 2))
    mass = pl.Body(mesh, pl.Linear(young=1.0, poisson=0.0), density=DENSITY).masses
    body = pl.Preserving(mesh, distance=k, volume=k, mass=mass)
    body.fix(mesh.points[:, 0] < 1e-9)
    return body


def form_solid() -> pl.FormSolid:
    """A metric of hexahedra."""
    mesh = pl.meshes.box((1, BEAM, BEAM), (20, 2, 2), kind="hex")
    body = pl.FormSolid(mesh, metric=YOUNG, density=DENSITY)
    body.fix(mesh.points[:, 0] < 1e-9)
    return body


def line(n: int) -> pl.Mesh:
    """A straight line of n pieces along x."""
    points = np.zeros((n + 1, 3))
    points[:, 0] = np.linspace(0.0, 1.0, n + 1)
    return pl.Mesh(points, {"line": np.stack([np.arange(n), np.arange(1, n + 1)], axis=1)})


def rod(n: int, size: float) -> pl.Rod:
    """Resultants of a rod."""
    body = pl.Rod(line(n).points, width=size, height=size, **MATTER)
    body.fix(body.node(0))
    return body


def elastons(mesh: pl.Mesh, **section: float) -> pl.Elastons:
    """The unified rule."""
    body = pl.Elastons(mesh, **section, **MATTER)
    return body


def held(body: pl.Elastons) -> pl.Elastons:
    """Clamped at x = 0."""
    body.fix(body.points_of(np.flatnonzero(body.nodes[:, 0] < 1e-9)))
    return body


def form_curve(n: int, size: float) -> pl.FormCurve:
    """Two fundamental measures of a curve, clamped half-way between two points at x = 0."""
    h = 1.0 / (n + 0.5)
    points = np.zeros((n + 2, 3))
    points[:, 0] = h * (np.arange(n + 2) - 0.5)
    pairs = np.stack([np.arange(n + 1), np.arange(1, n + 2)], axis=1)
    body = pl.FormCurve(
        pl.Mesh(points, {"line": pairs}),
        metric=YOUNG * size**2,
        curvature=YOUNG * size**4 / 12,
        density=DENSITY * size**2,
    )
    body.fix([0, 1])
    return body


def sheet(cells: int, kind: str = "tri") -> pl.Mesh:
    """A square metre in the plane z = 0."""
    flat = pl.meshes.rectangle((1, 1), (cells, cells), kind=kind)
    return pl.Mesh(np.insert(flat.points, 2, 0.0, axis=1), flat.cells)


def rim(body: Deformable, points: np.ndarray | None = None) -> np.ndarray:
    """The points along the four sides."""
    x = body.mesh.points if points is None else points
    return np.abs(x[:, :2] - 0.5).max(axis=1) > 0.5 - 1e-9


def supported(body: Deformable) -> Deformable:
    """Held along its sides, free to turn there."""
    body.fix(rim(body))
    return body


def plate_of_hexes() -> pl.Body:
    """Quadratic hexahedra, held along the middle of their sides."""
    mesh = pl.meshes.box((1, 1, PLATE), (12, 12, 1), kind="hex20")
    body = pl.Body(mesh, pl.StableNeoHookean(young=YOUNG, poisson=POISSON), density=DENSITY)
    body.fix(rim(body) & (np.abs(mesh.points[:, 2] - PLATE / 2) < 1e-9))
    return body


def plane_stress(stiffness: float) -> np.ndarray:
    """Hooke's law of a sheet over (11, 22, 2*12)."""
    c = stiffness / (1 - POISSON**2)
    return c * np.array([[1, POISSON, 0], [POISSON, 1, 0], [0, 0, (1 - POISSON) / 2]])


def form_surface() -> Deformable:
    """Both fundamental forms, with the stiffness of the plate."""
    return supported(
        pl.FormSurface(
            sheet(16, "quad"),
            metric=plane_stress(YOUNG * PLATE),
            curvature=plane_stress(YOUNG * PLATE**3 / 12),
            density=DENSITY * PLATE,
        )
    )


def cloth() -> Deformable:
    """Conditions, with the stiffnesses of a thin sheet."""
    return supported(
        pl.Cloth(
            sheet(16),
            stretch=YOUNG * PLATE,
            shear=YOUNG * PLATE / (2 * (1 + POISSON)),
            bend=YOUNG * PLATE**3 / (12 * (1 - POISSON**2)),
            density=DENSITY * PLATE,
        )
    )


def elaston_plate() -> Deformable:
    """Meshless; a held node holds its gradient too, so this plate is clamped."""
    body = pl.Elastons(sheet(12), thickness=PLATE, **MATTER)
    body.fix(body.points_of(np.flatnonzero(rim(body, body.nodes))))
    return body


def by_node(body: Deformable, x: np.ndarray) -> np.ndarray:
    """Where the nodes of rods and elastons are when their points are at x."""
    per = 3 if isinstance(body, pl.Rod) else 4
    return x.reshape(-1, per, 3).mean(axis=1)


def of_plate(held: float = 0.00406235) -> float:
    """The middle of a square plate under its weight, held a^4 q/D [m]: simply supported by default."""
    return held * DENSITY * PLATE * SMALL / (YOUNG * PLATE**3 / (12 * (1 - POISSON**2)))


BEAMS = [
    Entry("Body, tet4", lambda: solid("tet", (20, 2, 2), BEAM)),
    Entry("Body, tet10", lambda: solid("tet10", (10, 1, 1), BEAM)),
    Entry("Body, hex8", lambda: solid("hex", (20, 2, 2), BEAM)),
    Entry("Body, hex20", lambda: solid("hex20", (10, 1, 1), BEAM)),
    Entry("FormSolid, hex8", form_solid),
    Entry("Springs, braced", lambda: calibrated(springs, BEAM)),
    Entry("Preserving", lambda: calibrated(preserving, BEAM)),
    Entry(
        "Elastons, solid",
        lambda: held(elastons(pl.meshes.box((1, BEAM, BEAM), (12, 2, 2), kind="hex"))),
        moved=by_node,
    ),
    Entry("Rod", lambda: rod(20, BEAM), moved=by_node),
    Entry("Elastons, rod", lambda: held(elastons(line(20), thickness=BEAM)), moved=by_node),
    Entry("FormCurve", lambda: form_curve(20, BEAM)),
]
STRANDS = [
    Entry("Rod", lambda: rod(40, STRAND), moved=by_node),
    Entry("Elastons, rod", lambda: held(elastons(line(40), thickness=STRAND)), moved=by_node),
    Entry("FormCurve", lambda: form_curve(40, STRAND)),
    Entry("Body, hex20", lambda: solid("hex20", (40, 1, 1), STRAND)),
    Entry("Body, hex8", lambda: solid("hex", (40, 1, 1), STRAND)),
]
SHEETS = [
    Entry("Shell", lambda: supported(pl.Shell(sheet(16), thickness=PLATE, **MATTER))),
    Entry("FormSurface", form_surface),
    Entry("Cloth", cloth),
    Entry("Elastons, shell (clamped)", elaston_plate, moved=by_node, theory=of_plate(0.00126532)),
    Entry("Body, hex20", plate_of_hexes),
]


def of_beam(size: float) -> float:
    """q L^4/8EI and the shear of Timoshenko, for the weight of a clamped beam [m]."""
    q = DENSITY * size**2 * SMALL
    shear = YOUNG / (2 * (1 + POISSON)) * size**2 * 10 * (1 + POISSON) / (12 + 11 * POISSON)
    return q / (8 * YOUNG * size**4 / 12) + q / (2 * shear)


def measured(entry: Entry, theory: float, where: str) -> tuple[str, ...]:
    """A row: unknowns, accuracy, time of a step, longest step."""
    body = entry.make()
    rest = body.rest_shape((0.0, 0.0, -SMALL))
    home, bent = (entry.moved(body, x) for x in (body.mesh.points, rest))
    at = home[:, 0].argmax() if where == "tip" else np.abs(home[:, :2] - 0.5).sum(axis=1).argmin()
    near = np.linalg.norm(home[:, :2] - home[at, :2], axis=1) < 1e-9
    deflection = (home[near, 2] - bent[near, 2]).mean()
    longest = pl.SymplecticEuler().longest_dt(body.system())
    free = 3 * int((~body.pinned).sum())
    return (
        entry.name,
        str(free),
        f"{deflection / (entry.theory or theory):.3f}",
        f"{1e3 * step_time(body):.1f} ms",
        f"{1e3 * longest:.2g} ms",
    )


def step_time(body: Deformable, steps: int = 10) -> float:
    """The median processor time of implicit steps of a body let go under its weight [s]."""
    scene = pl.Scene(body, gravity=(0.0, 0.0, -9.81 * SMALL))
    times = []
    for _ in range(steps):
        start = time.process_time()
        scene.step(1 / 60)
        times.append(time.process_time() - start)
    return float(np.median(times[3:]))


def main() -> None:
    """Measure all and write the tables."""
    head = "| model | unknowns | deflection / theory | implicit step | longest explicit step |"
    for name, entries, theory, where in (
        ("beam", BEAMS, of_beam(BEAM), "tip"),
        ("strand", STRANDS, of_beam(STRAND), "tip"),
        ("sheet", SHEETS, of_plate(), "middle"),
    ):
        rows = [head, "|---|---|---|---|---|"]
        for entry in entries:
            rows.append("| " + " | ".join(measured(entry, theory, where)) + " |")
            print(name, rows[-1], flush=True)
        (RESULTS / f"models-{name}.md").write_text("\n".join(rows) + "\n", encoding="utf-8")
