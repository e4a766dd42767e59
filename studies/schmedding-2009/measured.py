"""Everything the page needs, run once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import pliant as pl

from .dampings import KINDS, PAPER, PROGRAMME_LOCAL
from .onestep import Step, one_step
from .results import SCENES, Table, measure
from .runs import Run, simulate
from .search import VISIBLE, case_of
from .strips import Row, run_row
from .tremble import law

#: The dampings whose momentum is drawn.
DRAWN = ("none", "point", "spring", PAPER, "local, torque left", "both, rotation")


@dataclass(frozen=True)
class Measured:
    """Largest steps; single steps; runs with the same visible damping; the law of (8); iterations."""

    table: Table
    steps: dict[str, Step]
    flights: dict[tuple[str, str], Run]
    law: dict[float, float]  # gamma: largest step of (8), torque left, over the undamped limit
    iterated: dict[int, float]  # iterations: what they leave of relative velocities
    rows: dict[str, dict[str, Row]]
    pictures: dict[str, dict[str, Run]]


def measure_all(scenes: Sequence[str] = SCENES, kinds: Sequence[str] = tuple(KINDS)) -> Measured:
    """Four minutes for all; fewer scenes and dampings for tests."""
    table = measure(scenes, kinds)
    rows = {scene: rows_of(scene, table) for scene in scenes}
    return Measured(
        table,
        one_steps(kinds),
        {(s, k): flight(s, k) for s in scenes for k in DRAWN if k in kinds},
        law(),
        iterated(),
        rows,
        {s: {label: run_row(s, row) for label, row in rows[s].items()} for s in scenes},
    )


def one_steps(kinds: Sequence[str]) -> dict[str, Step]:
    """Of all dampings; a linear programme for every tetrahedron takes a second, so twice only."""
    found = {name: one_step(KINDS[name]) for name in kinds if KINDS[name].make}
    return found | {PROGRAMME_LOCAL.name: one_step(PROGRAMME_LOCAL, trials=2)}


def flight(scene: str, name: str, share: float = 0.8) -> Run:
    """With the visible damping of all and a short step."""
    case, kind = case_of(scene), KINDS[name]
    dt = share * case.limit
    return simulate(case, kind.of_strength(case, kind.strength_for(case, VISIBLE, dt), dt), dt)


def iterated(counts: Sequence[int] = (1, 10, 100, 1000)) -> dict[int, float]:
    """What spring damping, repeated at half the bound of Lemma 1, leaves of random velocities."""
    case = case_of("sneaker")
    points, v = case.points, np.random.default_rng(1).normal(size=case.points.x.shape)
    v -= points.masses @ v / points.masses.sum()
    found = {}
    for n in counts:
        damping = pl.IterativeSpringDamping(0.5 * case.bound(False), iterations=n)
        w = v + damping.forces(points, v, 1.0) / points.masses[:, None]
        found[n] = float(np.linalg.norm(w) / np.linalg.norm(v))
    return found


def rows_of(scene: str, table: Table) -> dict[str, Row]:
    """What the pictures show: each with its best strength, all with one step that tells them apart."""
    if scene == "sneaker":
        return {
            "none": Row("none", None, 0.9),
            "none, a longer step": Row("none", None, 1.05),
            "point": Row("point", None, 0.9),
            "spring": Row("spring", None, 0.9),
        }
    names = {
        "spring": "spring",
        "global + local, as in the paper": PAPER,
        "local, torque left": "local, torque left",
        "local, rotation kept (ours)": "local, rotation",
    }
    best = {label: table[scene, name].best for label, name in names.items()}
    low, high = sorted([best["spring"].ratio, best["global + local, as in the paper"].ratio])
    # Between the paper's and spring damping if one holds longer steps, else just beyond both.
    ratio = float(np.sqrt(low * high)) if high > 1.1 * low else 1.1 * high
    return {label: Row(name, best[label].strength, ratio) for label, name in names.items()}
