"""The tables of the thesis, and the comparison of its method with ours."""

from __future__ import annotations

import numpy as np

from pliant.lab.claims import power
from pliant.lab.page import table_html

from .critical import TABLE_4_2, StrainConvention, critical
from .examples import Example
from .runs import TAUS, Runs


def table_4_1(examples: list[Example]) -> str:
    """Parameters of the two examples."""
    rows = [
        ("λ", *(f"{e.mesh.lam:g}" for e in examples)),
        ("μ", *(f"{e.mesh.mu:g}" for e in examples)),
        ("ρ, mass of each vertex", *(f"{e.masses[0]:g}" for e in examples)),
        ("Δt", *(f"{e.dt:g} s" for e in examples)),
        ("T<sub>final</sub>", *(f"{e.seconds:g} s" for e in examples)),
        ("triangles", *(f"{len(e.mesh.cells)}" for e in examples)),
        ("vertices, of these fixed", *(f"{len(e.fixed)}, {e.fixed.sum()}" for e in examples)),
    ]
    caption = "<b>Table 4.1.</b> Parameters; the last two rows are of our meshes."
    return table_html(("", *(e.name for e in examples)), rows, caption)


def table_4_2(examples: list[Example]) -> str:
    """Damping parameters: printed, recomputed with (4.12), and from the equations."""
    rows = []
    for e in examples:
        for wavelength, *printed in TABLE_4_2[e.name]:
            given = (wavelength, e.mesh.lam, e.mesh.mu, e.masses[0])
            table = critical(*given, StrainConvention.WITHOUT_HALF)
            usual = critical(*given)
            values = (*printed, *table, *usual)
            rows.append((f"{e.name}, Λ = {wavelength:g}", *(f"{v:.5g}" for v in values)))
    head = (
        "",
        "φ printed",
        "ψ printed",
        "φ of (4.12)",
        "ψ of (4.12)",
        "φ of (4.28)",
        "ψ of (4.25)",
    )
    caption = (
        "<b>Table 4.2.</b> As printed; recomputed with the strain (4.12), which lacks the ½; and "
        "from the equations (4.25), (4.28), which go with the usual strain."
    )
    return table_html(head, rows, caption)


def comparison_of_methods(runs: Runs) -> str:
    """The thesis's minimiser and ours on the same runs."""
    rows = []
    for name, taus in TAUS.items():
        for tau in taus:
            ours = runs.minimum[name, tau]
            for (n, t, limit), thesis in runs.thesis.items():
                if (n, t) != (name, tau):
                    continue
                apart = np.abs(thesis.positions - ours.positions).max()
                stop = f", {limit} iterations a step" if limit else ", converged"
                cost = f"{thesis.cost:.1f} s", f"{ours.cost:.1f} s"
                rows.append((f"{name}, τ = {tau:g}{stop}", *cost, f"{power(apart)} m"))
    caption = (
        "<b>Table A.</b> Whole runs of 5 s: computing time, and the largest difference of a "
        "coordinate in any frame. The descents of Example 2 use an exact gradient, or they would "
        "take several times as long."
    )
    head = ("run", "thesis’s descent", "library", "largest difference")
    return table_html(head, rows, caption)


def one_step(runs: Runs) -> str:
    """Three minimisers on one step of Example 2."""
    rows = []
    for name, p in runs.progress.items():
        numbers = (f"{p.iterations[-1]}", f"{p.cost:.2f} s", f"{power(max(p.excess[-1], 0.0))}")
        error = f"{power(p.position_error)} m" if name != "Newton" else "reference"
        rows.append((name, *numbers, error))
    caption = (
        "<b>Table B.</b> The first step of Example 2, τ = 1. Newton over velocities, the others "
        "over stresses; excess as a part of the minimum. Descent with differences (3.18), L-BFGS "
        "with the exact gradient."
    )
    return table_html(("minimiser", "iterations", "time", "excess", "largest error"), rows, caption)
