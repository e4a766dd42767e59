"""All steppers on the damped oscillator of the lecture: order, stability and energy on one page.

`main(out)` runs everything (about a minute) and writes one self-contained page, `oscillator.html`, to
the folder `out`. By hand: `python studies/oscillator/study.py out`.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import numpy as np

if not __package__:  # run or loaded by its path: find the other files of this folder (PEP 366)
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    __package__ = Path(__file__).resolve().parent.name
    __import__(__package__)

from . import runs, theory
from .claims import lecture_claims, mesh_claims, overview_claims
from .figures import draw_all
from .report import Claim, Verdict, claims_html, figure_html, page, table_html

TITLE = "One oscillator, eight time steps"
SOURCE = (
    "A study of the steppers in X. Liu, <i>Computer Graphics I, Lecture 19</i>; in the lecture notes "
    "<i>Deformable Modeling</i>; and in U. Amaya and V. Zordan, <i>Real-Time Spring Mesh "
    "Deformations</i>."
)
STEPS = (25, 50, 100, 200, 400, 800)
CAPTIONS = {
    "1": "Ten steps in a period, ζ = 0.1, against the exact motion (grey). Explicit Euler and average "
    "velocity grow; backward Euler damps more than the damping; Newmark and BDF2 are late.",
    "2": "The largest error of one period, in the plane of x and v/ω, ζ = 0.1. Fitted orders in the "
    "legend. The linearised step and the full one coincide.",
    "3": "Energy without damping, 40 steps in a period; right, what stays near 1. Newmark keeps it and "
    "Runge-Kutta 4 nearly; symplectic Euler swings about it; BDF2 loses it slowly; linearised and full "
    "backward Euler coincide.",
}


def main(out: Path) -> Path:
    """Run the study and write the page; returns its path."""
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    errors = {name: runs.errors(name, steps=STEPS) for name in runs.STEPPERS}
    claims = {
        "The lecture with the oscillator": ("the lecture", lecture_claims()),
        "Deformable Modeling": ("the lecture", overview_claims()),
        "Real-Time Spring Mesh Deformations": ("the paper", mesh_claims()),
    }
    path = out / "oscillator.html"
    path.write_text(page(TITLE, SOURCE, body(errors, claims)), encoding="utf-8")
    return path


def body(errors: dict[str, runs.Errors], claims: dict[str, tuple[str, list[Claim]]]) -> list[str]:
    """The sections of the page."""
    figures = {n: figure_html(f, n, CAPTIONS[n]) for n, f in draw_all(errors).items()}
    verdicts = Counter(claim.verdict for _, group in claims.values() for claim in group)
    return [
        "<p>One triangle with one point that moves is the damped oscillator of the lecture, "
        "x″ + 2ζω x′ + ω² x = 0. Every stepper of the library runs it, and the table holds order, "
        "stability limit and energy against theory: each step is a 2 × 2 matrix, whose powers the "
        "runs must follow. Of what three sources say of these steps "
        f"{verdicts[Verdict.HOLDS]} claims hold, {verdicts[Verdict.PARTLY]} in part, "
        f"{verdicts[Verdict.FAILS]} not.</p>",
        "<h2>Order, limit, energy</h2>",
        steppers_table(errors),
        figures["1"],
        figures["2"],
        figures["3"],
        "<h2>Claims and findings</h2>",
        "<p>Measured numbers are computed when this page is made.</p>",
        *(claims_html(group, f"<b>{name}.</b>", who) for name, (who, group) in claims.items()),
    ]


def steppers_table(errors: dict[str, runs.Errors]) -> str:
    """Measured against theory, stepper by stepper."""
    rows = []
    for name, found in errors.items():
        limits = [
            f"{_limit(runs.limit(name, case))} ({_limit(theory.limit(name, case.zeta))})"
            for case in (runs.FREE, runs.DAMPED)
        ]
        ended = runs.energies(name, 50, 10).energy[-1]
        s = 2.0 * np.pi / 50
        expected = float((theory.states(name, s, 0.0, 500)[-1] ** 2).sum())
        rows.append(
            (
                f"<code>{name}</code>",
                f"{found.order:.2f} ({runs.ORDERS[name]})",
                *limits,
                f"{_share(ended)} ({_share(expected)})",
            )
        )
    head = (
        "stepper",
        "order",
        "limit of ω dt, ζ = 0",
        "limit of ω dt, ζ = 0.1",
        "energy after 10 periods",
    )
    return table_html(
        head,
        rows,
        "<b>Measured, and by theory in brackets.</b> Order: slope of the error at 200 to 800 steps in a "
        "period, ζ = 0.1. Limit: by bisection of runs of 400 steps; 0 where energy grows at every dt, ∞ "
        "where at none. Energy: over that of the start, ζ = 0, 50 steps in a period.",
    )


def _limit(value: float) -> str:
    return "∞" if np.isinf(value) else "0" if value == 0.0 else f"{value:.3f}"


def _share(value: float) -> str:
    return f"{value:.6f}" if 0.99 < value < 1.01 else f"{value:.4g}"


if __name__ == "__main__":
    print(main(Path(sys.argv[1] if len(sys.argv) > 1 else "out")))
