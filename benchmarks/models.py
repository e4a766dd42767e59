"""Every model on the same beam, sheet and strand: the tables of `docs/which-model.md`.

Accuracy: the deflection under its own weight over that of theory, in the range of small deflections.
Time: processor time of a step of 1/60 s while it vibrates, implicit unless the row says otherwise.
Longest step: of symplectic Euler.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import pliant as pl
from pliant.bodies import Deformable
from pliant.problem import Stepper

from .model_bodies import (
    BEAM,
    DENSITY,
    MATTER,
    PLATE,
    POISSON,
    PULL,
    SMALL,
    STRAND,
    YOUNG,
    bars,
    by_node,
    calibrated,
    cloth,
    elaston_plate,
    elastons,
    form_curve,
    form_solid,
    form_surface,
    held,
    hung_curve,
    impact_rod,
    line,
    plate_of_hexes,
    preserving,
    rod,
    sheet,
    shown_its_sag,
    solid,
    spring_chain,
    springs,
    stone,
    supported,
)

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Entry:
    """A model, how it is held, and what its deflection is measured at."""

    name: str
    make: Callable[[], Deformable]
    moved: Callable[[Deformable, np.ndarray], np.ndarray] = lambda body, x: x
    theory: float | None = None  # [m], where it is held in another way than the rest
    stepper: Callable[[], Stepper] = pl.Implicit


def of_plate(held: float = 0.00406235) -> float:
    """The middle of a square plate under its weight, held a^4 q/D [m]: simply supported by default."""
    return held * DENSITY * PLATE * SMALL / (YOUNG * PLATE**3 / (12 * (1 - POISSON**2)))


BEAMS = [
    Entry("Body, tet4", lambda: solid("tet", (20, 2, 2), BEAM)),
    Entry("Body, tet10", lambda: solid("tet10", (10, 1, 1), BEAM)),
    Entry("Body, hex8", lambda: solid("hex", (20, 2, 2), BEAM)),
    Entry("Body, hex20", lambda: solid("hex20", (10, 1, 1), BEAM)),
    Entry("Modal, hex8", lambda: pl.Modal(solid("hex", (20, 2, 2), BEAM), modes=60)),
    Entry("Subspace, hex8", lambda: pl.Subspace(solid("hex", (20, 2, 2), BEAM))),
    Entry("BoundaryElements", stone),
    Entry("ExampleBased, hex8, shown its sag", shown_its_sag),
    Entry("FormSolid, hex8", form_solid),
    Entry("Springs, braced", lambda: calibrated(springs, BEAM)),
    Entry("ConstraintBody", lambda: calibrated(preserving, BEAM)),
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
HANGING = [
    Entry("Rod", lambda: rod(40, STRAND), moved=by_node),
    Entry("Elastons, rod", lambda: held(elastons(line(40), thickness=STRAND)), moved=by_node),
    Entry("FormCurve", lambda: hung_curve(40, STRAND)),
    Entry("Body, bars", lambda: bars(40, STRAND)),
    Entry("ImpactRods", lambda: impact_rod(40, STRAND)),
    Entry("Springs", lambda: spring_chain(40, STRAND)),
    Entry(
        "Springs, `pl.XPBD()`",
        lambda: spring_chain(40, STRAND),
        stepper=lambda: pl.XPBD(100_000),
    ),
    Entry(
        "Springs, `pl.XPBD(relaxation=1.9)`",
        lambda: spring_chain(40, STRAND),
        stepper=lambda: pl.XPBD(100_000, relaxation=1.9),
    ),
    Entry("Body, hex8", lambda: solid("hex", (40, 1, 1), STRAND)),
]
SHEETS = [
    Entry("Shell", lambda: supported(pl.Shell(sheet(16), thickness=PLATE, **MATTER))),
    Entry("FormSurface", form_surface),
    Entry("Cloth", cloth),
    Entry("Cloth, `pl.XPBD()`", cloth, stepper=lambda: pl.XPBD(100_000)),
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
    gravity = PULL * np.eye(3)[0] if where == "end" else -SMALL * np.eye(3)[2]
    rest = body.rest_shape(gravity)
    home, bent = (entry.moved(body, x) for x in (body.mesh.points, rest))
    middle = np.abs(home[:, :2] - 0.5).sum(axis=1).argmin()
    at = middle if where == "middle" else home[:, 0].argmax()
    near = np.linalg.norm(home[:, :2] - home[at, :2], axis=1) < 1e-9
    deflection = (bent[near] - home[near]).mean(axis=0) @ gravity / np.linalg.norm(gravity)
    step = 1e3 * step_time(body, entry.stepper(), 9.81 * gravity)
    accuracy = f"{deflection / (entry.theory or theory):.3f}"
    if isinstance(body, (pl.Modal, pl.BoundaryElements)):
        unknowns = len(body.coordinates)
        longest = "not for it" if isinstance(body, pl.Subspace) else "exact at any dt"
        return (entry.name, str(unknowns), accuracy, f"{step:.2f} ms", longest)
    longest = 1e3 * pl.SymplecticEuler().longest_dt(body.system())
    free = 3 * int((~body.pinned).sum())
    return (entry.name, str(free), accuracy, f"{step:.1f} ms", f"{longest:.2g} ms")


def step_time(body: Deformable, stepper: Stepper, gravity: np.ndarray, steps: int = 10) -> float:
    """The median processor time of steps of a body let go under its weight [s]."""
    scene = pl.Scene(body, gravity=gravity)
    times = []
    for _ in range(steps):
        start = time.process_time()
        scene.step(1 / 60, stepper=stepper)
        times.append(time.process_time() - start)
    return float(np.median(times[3:]))


def main() -> None:
    """Measure all and write the tables."""
    head = "| model | unknowns | deflection / theory | step of 1/60 s | longest explicit step |"
    for name, entries, theory, where in (
        ("beam", BEAMS, of_beam(BEAM), "tip"),
        ("strand", STRANDS, of_beam(STRAND), "tip"),
        ("hanging", HANGING, DENSITY * PULL / (2 * YOUNG), "end"),
        ("sheet", SHEETS, of_plate(), "middle"),
    ):
        rows = [head, "|---|---|---|---|---|"]
        for entry in entries:
            rows.append("| " + " | ".join(measured(entry, theory, where)) + " |")
            print(name, rows[-1], flush=True)
        (RESULTS / f"models-{name}.md").write_text("\n".join(rows) + "\n", encoding="utf-8")
