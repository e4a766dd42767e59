"""Largest steps, the law of (8), and momentum over time."""

from __future__ import annotations

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from pliant.lab.drawing import CURVE_COLOURS, LAB_INK, STYLE, panels

from .dampings import KINDS, PAPER
from .measured import DRAWN, Measured
from .scenes import RELEASE
from .search import LEAST, MOST, case_of
from .strips import strip
from .tremble import predicted

SOFT = "#9aa3ad"
LINES = dict(
    zip(DRAWN, ("#9aa3ad", "#c23b22", "#1f5fa8", "#d9822b", "#6a4b9c", "#3a8f5c"), strict=True)
)
NAMES = {PAPER: "global + local (paper)", "both, rotation": "global + local, rotation (ours)"}
FLYING = {"sneaker": "sneaker", "membrane": "ball", "bridge": "one bar"}


def draw_all(found: Measured) -> dict[str, Figure]:
    """Figures by number."""
    with matplotlib.rc_context(STYLE | {"svg.hashsalt": "schmedding-2009"}):
        drawn = {
            str(k): strip(scene, found.rows[scene], found.pictures[scene])
            for k, scene in enumerate(found.rows, start=1)
        }
        return drawn | {"4": steps(found), "5": law(found), "6": momenta(found)}


def steps(found: Measured) -> Figure:
    """The largest step of every damping in every scene."""
    scenes = list(found.rows)
    names = list(dict.fromkeys(name for _, name in found.table))
    figure, axes = panels(len(scenes), 0.21 * len(names) + 0.9, sharey=True)
    rows = -np.arange(len(names))
    for axis, scene in zip(axes, scenes, strict=True):
        matched, best = (
            np.array([getattr(found.table[scene, n], which).ratio for n in names])
            for which in ("matched", "best")
        )
        axis.hlines(rows, np.maximum(matched, 0.5 * LEAST), best, color="#d9dde2", lw=2.5, zorder=1)
        axis.axvline(1.0, color=LAB_INK, lw=0.8)
        shown = matched > 0.0
        axis.plot(
            matched[shown],
            rows[shown],
            "o",
            color=CURVE_COLOURS[0],
            ms=4.5,
            label="same visible damping",
        )
        for row, ratio in zip(rows, best, strict=True):
            if ratio:
                mark = ">" if ratio >= MOST else "D"
                axis.plot(ratio, row, mark, color=CURVE_COLOURS[1], ms=4, mfc="none", mew=1.3)
        axis.set(xscale="log", xlim=(0.7, 1.3 * MOST), title=scene, yticks=rows)
        axis.set_xticks([1, 2, 5, 10, 20], ["1", "2", "5", "10", "20"])
        axis.minorticks_off()
        axis.grid(axis="y", visible=False)
    axes[0].set_yticklabels([f"{n}{' *' if KINDS[n].ours else ''}" for n in names], fontsize=8)
    axes[len(axes) // 2].set_xlabel("largest stable step, over the undamped limit")
    axes[-1].plot(
        [], [], "D", color=CURVE_COLOURS[1], ms=4, mfc="none", mew=1.3, label="best strength"
    )
    handles = axes[-1].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper right", ncols=2, fontsize=8)
    return figure


def law(found: Measured) -> Figure:
    """How far (8) goes, by its gamma; and how slowly iterations get there."""
    figure, (left, right) = panels(2, 2.6)
    g = np.linspace(0.0, 0.99, 200)
    left.plot(g, [predicted(k) for k in g], color=SOFT, label="√((2 − γ)/(2 − 2γ))")
    left.plot(
        list(found.law),
        list(found.law.values()),
        "o",
        color=CURVE_COLOURS[0],
        label="trembling sneaker",
    )
    left.set(xlabel="γ of (8), torque left", ylabel="largest step", ylim=(0.0, 6.0))
    left.legend()
    counts = list(found.iterated)
    right.loglog(counts, list(found.iterated.values()), "o-", color=CURVE_COLOURS[0])
    right.set(xlabel="iterations of spring damping", ylabel="relative velocity left")
    return figure


def momenta(found: Measured) -> Figure:
    """Linear and angular momentum of what flies."""
    scenes = list(found.rows)
    figure = Figure(figsize=(7.4, 4.6), layout="constrained")
    grid = figure.subplots(2, len(scenes), squeeze=False, sharex="col")
    for (top, low), scene in zip(grid.T, scenes, strict=True):
        case = case_of(scene)
        for name in DRAWN:
            run = found.flights.get((scene, name))
            if run is None:
                continue
            style = {"color": LINES[name], "lw": 3.2 if name == "none" else 1.3}
            top.plot(run.clock, run.momentum[:, 1], label=NAMES.get(name, name), **style)
            low.plot(run.clock, 1e3 * np.linalg.norm(run.spin, axis=1), **style)
        top.set_title(FLYING[scene])
        low.set(xlabel="time [s]", xlim=(0.0, case.seconds))
        if scene == "sneaker":
            for axis in (top, low):
                axis.axvline(RELEASE, color=LAB_INK, lw=0.8, ls=":")
    grid[0, 0].set_ylabel("momentum upwards [kg m/s]")
    grid[1, 0].set_ylabel("angular momentum [g m²/s]")
    figure.legend(
        *grid[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=3, fontsize=8
    )
    return figure
