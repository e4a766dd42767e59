"""Trajectories, errors and energies of all steppers."""

from __future__ import annotations

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from . import runs
from .body import swing
from .report import STYLE

INK, SOFT = "#22262b", "#9aa3ad"
COLOURS = dict(
    zip(
        runs.STEPPERS,
        ("#c23b22", "#d9822b", "#b59a1b", "#3a8f5c", "#2a9d9a", "#1f5fa8", "#6a4b9c", "#b04a86"),
        strict=True,
    )
)
#: Ten steps in a period: few enough to see what each does.
LARGE = 10


def draw_all(errors: dict[str, runs.Errors]) -> dict[str, Figure]:
    """Figures by number."""
    with matplotlib.rc_context(STYLE | {"svg.hashsalt": "oscillator"}):
        return {"1": trajectories(), "2": convergence(errors), "3": energies()}


def trajectories() -> Figure:
    """The damped oscillator at one large step."""
    figure = Figure(figsize=(7.4, 4.0), layout="constrained")
    axes = figure.subplots(2, 4, sharex=True, sharey=True)
    case, dt = runs.DAMPED, 2.0 * np.pi / runs.DAMPED.omega / LARGE
    fine = np.linspace(0.0, 3.0, 600)
    for axis, (name, stepper) in zip(axes.ravel(), runs.STEPPERS.items(), strict=True):
        run = swing(case, stepper, dt, 3 * LARGE)
        axis.plot(fine, case.exact(fine)[0] / case.start, color=SOFT, linewidth=1.0)
        axis.plot(run.times, run.x / case.start, "o-", color=COLOURS[name], ms=2.6, linewidth=1.1)
        axis.set(title=name, xlim=(0, 3), ylim=(-1.9, 1.9))
        axis.title.set_fontsize(9)
    for axis in axes[1]:
        axis.set_xlabel("time [s]")
    for axis in axes[:, 0]:
        axis.set_ylabel("x over its start")
    return figure


def convergence(errors: dict[str, runs.Errors]) -> Figure:
    """Error against the step, both logarithmic."""
    figure = Figure(figsize=(7.4, 4.2), layout="constrained")
    axis = figure.subplots()
    for name, found in errors.items():
        # Two lines that coincide: one wide, one dashed on top of it.
        width, dash = (3.6, "-") if name == "LinearisedImplicit" else (1.5, "-")
        if name == "Implicit":
            dash = "--"
        label = f"{name}: {found.order:.2f}"
        axis.loglog(
            2.0 * np.pi / found.steps,
            found.errors,
            dash,
            marker="o",
            ms=3,
            color=COLOURS[name],
            linewidth=width,
            label=label,
        )
    axis.set(xlabel="ω dt", ylabel="largest error in one period, over the start")
    figure.legend(
        *axis.get_legend_handles_labels(), loc="outside right upper", title="fitted order"
    )
    return figure


def energies() -> Figure:
    """Energy without damping over ten periods, all of it and a closer look at what stays."""
    figure = Figure(figsize=(7.4, 3.8), layout="constrained")
    whole, near = figure.subplots(1, 2)
    for name in runs.STEPPERS:
        run = runs.energies(name, 40, 10)
        wide = name in ("LinearisedImplicit", "Newmark")
        dash = "--" if name in ("Implicit", "RungeKutta4") else "-"
        look = {"color": COLOURS[name], "linestyle": dash, "linewidth": 3.2 if wide else 1.4}
        look["zorder"] = 2.0 if wide else 3.0
        whole.semilogy(run.times, run.energy, label=name, **look)
        near.plot(run.times, run.energy, **look)
    whole.set(xlabel="time [periods]", ylabel="energy over that of the start", xlim=(0, 10))
    whole.set_ylim(1e-5, 1e5)
    near.set(xlabel="time [periods]", xlim=(0, 10), ylim=(0.8, 1.12))
    figure.legend(*whole.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure
