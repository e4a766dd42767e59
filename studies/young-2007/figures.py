"""The figures of the thesis, drawn from our runs, and two of our own."""

from __future__ import annotations

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pliant.lab.drawing import CURVE_COLOURS, FIXED, LAB_INK, STYLE, panels

from . import modes
from .critical import TABLE_4_2
from .examples import Example
from .runs import CUT_SHORT, TAUS, Run, Runs


def draw_all(runs: Runs) -> dict[str, Figure]:
    """Figures by name: those of the thesis by number, ours by letter."""
    examples = [next(r.example for (n, _), r in runs.minimum.items() if n == name) for name in TAUS]
    with matplotlib.rc_context(STYLE):
        return {
            "2.1": oscillators(),
            "2.2": separate_modes(),
            "4.1": meshes(examples[0]),
            "4.2": meshes(examples[1]),
            "4.3": comparison(runs, "Example 1"),
            "4.4": comparison(runs, "Example 2"),
            "A": cut_short(runs),
            "B": minimisers(runs),
        }


def oscillators() -> Figure:
    """Figure 2.1."""
    figure, (axis,) = panels(1, 2.8)
    t = np.linspace(0.0, 10.0, 400)
    for c, name, colour in zip(
        (1, 2, 4), ("under", "critically ", "over"), CURVE_COLOURS, strict=True
    ):
        label = f"{name}{'' if name.endswith(' ') else '-'}damped, c = {c}"
        axis.plot(t, modes.oscillator(t, c), color=colour, label=label)
    axis.axhline(0.0, color=LAB_INK, linewidth=0.6)
    axis.set(xlabel="time [s]", ylabel="displacement", xlim=(0, 10))
    axis.legend()
    return figure


def separate_modes() -> Figure:
    """Figure 2.2 (a, b)."""
    figure, axes = panels(2, 2.6, sharey=True)
    t = np.linspace(0.0, 10.0, 400)
    for axis, c, letter in zip(axes, (3.0, 6.0), "ab", strict=True):
        for root, name, colour in zip(
            modes.oscillator_roots(c), ("slow", "fast"), CURVE_COLOURS[:2], strict=True
        ):
            label = f"{name} mode, r = {root.real:.3f}"
            axis.plot(t, np.exp(root.real * t), color=colour, label=label)
        axis.set(title=f"({letter}) c = {c:g}", xlabel="time [s]", xlim=(0, 10), ylim=(0, 1))
        axis.legend()
    axes[0].set_ylabel("displacement")
    return figure


def meshes(example: Example) -> Figure:
    """Figures 4.1 and 4.2 (a, b): rest shape and start, fixed vertices marked."""
    figure, axes = panels(2, 3.6 if example.name == "Example 2" else 2.2, sharex=True, sharey=True)
    titles = ("(a) rest", "(b) start")
    for axis, x, title in zip(axes, (example.mesh.points, example.start), titles, strict=True):
        axis.triplot(*x.T, example.mesh.cells, color=CURVE_COLOURS[0], linewidth=0.8)
        axis.plot(*x[example.fixed].T, "o", color=FIXED, markersize=4)
        axis.set(title=title, aspect="equal")
        axis.set_axis_off()
        axis.title.set_visible(True)
    return figure


def comparison(runs: Runs, name: str) -> Figure:
    """Figures 4.3 and 4.4: (a) the new method at its minimum, (b) the traditional one."""
    figure, axes = panels(2, 3.1, sharey=True)
    for tau, colour in zip(TAUS[name], CURVE_COLOURS, strict=False):
        distances(axes[0], runs.minimum[name, tau], colour, f"τ = {tau:g}")
    for (wavelength, *_), colour in zip(TABLE_4_2[name], CURVE_COLOURS, strict=True):
        distances(axes[1], runs.traditional[name, wavelength], colour, f"Λ = {wavelength:g}")
    for axis, title in zip(axes, ("(a) new method", "(b) traditional method"), strict=True):
        axis.set(title=title, xlabel="time [s]", xlim=(0, 5), ylim=(0, None))
        axis.legend(title="solid $d_1$, dashed $d_2$")
    axes[0].set_ylabel("distance from rest [m]")
    return figure


def cut_short(runs: Runs) -> Figure:
    """Ours: Example 2 at the minimum and with the descent stopped early."""
    figure, axes = panels(2, 3.1, sharey=True)
    for axis, limit, letter in zip(axes, (CUT_SHORT, 100), "ab", strict=True):
        for tau, colour in ((1.0, CURVE_COLOURS[1]), (2.0, CURVE_COLOURS[2])):
            distances(axis, runs.thesis["Example 2", tau, limit], colour, f"τ = {tau:g}, stopped")
            minimum = runs.minimum["Example 2", tau]
            axis.plot(minimum.times, minimum.d2, color=colour, linewidth=0.8, alpha=0.6)
        axis.set(title=f"({letter}) {limit} iterations a step", xlabel="time [s]", xlim=(0, 5))
        axis.set_ylim(0, None)
        axis.legend(title="solid $d_1$, dashed $d_2$, thin $d_2$ at the minimum")
    axes[0].set_ylabel("distance from rest [m]")
    return figure


def minimisers(runs: Runs) -> Figure:
    """Ours: how fast two minimisers over stresses approach the minimum in one step."""
    figure, (axis,) = panels(1, 2.9)
    for name, colour in zip(("steepest descent", "L-BFGS"), CURVE_COLOURS[:2], strict=True):
        progress = runs.progress[name]
        shown = (progress.iterations > 0) & (progress.excess > 1e-12)
        axis.loglog(progress.iterations[shown], progress.excess[shown], color=colour, label=name)
    newton = runs.progress["Newton"].iterations[-1]
    axis.axvline(newton, color=CURVE_COLOURS[2], linestyle=":", label=f"Newton is done ({newton})")
    axis.set(xlabel="iterations", ylabel="excess over the minimum")
    axis.legend()
    return figure


def distances(axis: Axes, run: Run, colour: str, label: str) -> None:
    """d1 solid and d2 dashed."""
    axis.plot(run.times, run.d1, color=colour, label=label)
    axis.plot(run.times, run.d2, color=colour, linestyle="--", linewidth=1.2)
