"""What the runs look like."""

from __future__ import annotations

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from pliant.lab.drawing import CURVE_COLOURS, FIXED, LAB_INK, STYLE, panels

from .ours import Errors
from .paper import REST
from .runs import LAWS, STEPS, Runs

INKS = dict(zip(STEPS, (FIXED, *CURVE_COLOURS), strict=True))
SHORT = dict(zip(STEPS, ("old velocity", "new velocity", "average", "in place"), strict=True))


def draw_all(runs: Runs, errors: dict[str, Errors]) -> dict[str, Figure]:
    """Figures by name."""
    with matplotlib.rc_context(STYLE):
        return {
            "1": combinations(runs),
            "2": lengths(runs),
            "3": chain_settles(runs),
            "4": shapes(runs, "triangle"),
            "5": shapes(runs, "pyramid"),
            "6": orders(errors),
        }


def combinations(runs: Runs) -> Figure:
    """Where the three particles are, for two laws and two steps."""
    figure = Figure(figsize=(7.4, 4.6), layout="constrained")
    axes = figure.subplots(2, 2, sharex=True, sharey=True)
    for row, step in zip(axes, ("explicit", "symplectic"), strict=True):
        for axis, law in zip(row, LAWS, strict=True):
            motion = runs.undamped[law, step]
            shown = motion.times <= 1.2
            for p, colour in enumerate(CURVE_COLOURS):
                axis.plot(
                    motion.times[shown],
                    motion.x[shown, p, 0],
                    color=colour,
                    linewidth=1.2,
                    label=f"particle {p + 1}",
                )
            axis.set(title=f"{SHORT[step]}, {law} law", xlim=(0, 1.2), ylim=(-2.2, 3.2))
    for axis in axes[:, 0]:
        axis.set_ylabel("position")
    for axis in axes[1]:
        axis.set_xlabel("time [s]")
    axes[1, 0].legend(ncols=3, loc="lower left", fontsize=8)
    return figure


def lengths(runs: Runs) -> Figure:
    """The longest spring over time, all laws and steps."""
    figure, axes = panels(2, 3.1, sharey=True)
    for axis, law in zip(axes, LAWS, strict=True):
        for step in STEPS:
            motion = runs.undamped[law, step]
            longest = motion.structure.lengths(motion.x).max(axis=1) / REST
            # The envelope: otherwise fifteen seconds of swinging are a grey band.
            begins = range(0, max(len(longest) - 200, 1), 20)
            high = np.array([longest[k : k + 201].max() for k in begins])
            axis.semilogy(
                motion.times[begins], high, color=INKS[step], label=SHORT[step], linewidth=1.8
            )
        axis.set(title=f"{law} law", xlabel="time [s]", xlim=(0, 15), ylim=(1, 2e3))
    axes[0].set_ylabel("longest spring / rest length")
    axes[1].legend(loc="center", bbox_to_anchor=(0.45, 0.6))
    return figure


def chain_settles(runs: Runs) -> Figure:
    """The damped chain, and where the loop of section 5 takes it."""
    figure, axes = panels(2, 2.8, sharey=True)
    for axis, step in zip(axes, ("average", "in place"), strict=True):
        motion = runs.damped["chain", step]
        for p, colour in enumerate(CURVE_COLOURS):
            axis.plot(motion.times, motion.x[:, p, 0], color=colour)
        axis.set(title=f"B = 70, {SHORT[step]}", xlabel="time [s]", xlim=(0, 1.5))
    axes[0].set_ylabel("position")
    return figure


def shapes(runs: Runs, name: str) -> Figure:
    """Some instants of a damped structure, and its distance to the rest shape."""
    figure = Figure(figsize=(7.4, 2.7), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(1.9, 1.0))
    motion, ours = runs.damped[name, "average"], runs.settled[name]
    view = np.eye(2) if name == "triangle" else np.array([[0.9, -0.15], [0.45, 0.3], [0.0, 1.0]])
    instants = (0.0, 0.03, 0.06, 0.1, 0.5)
    for k, instant in enumerate(instants):
        x = motion.x[round(instant / 1e-3)] @ view + [0.85 * k, 0.0]
        for i, j in motion.structure.pairs:
            left.plot(*x[[i, j]].T, color=CURVE_COLOURS[0], linewidth=1.6)
        left.plot(*x.T, "o", color=FIXED, markersize=4)
        left.text(0.85 * k + 0.08, -0.3, f"{instant:g} s", ha="center")
    left.set(aspect="equal")
    left.set_axis_off()
    for step in STEPS[:3]:
        curve = runs.damped[name, step]
        right.plot(curve.times, curve.distance, color=INKS[step], label=SHORT[step])
    label = f"pl.Settle({ours.asked:.3f}, 0)"
    right.plot(ours.times, ours.distance, color=LAB_INK, linestyle="--", label=label)
    right.set(xlabel="time [s]", ylabel="distance to rest shape", xlim=(0, 0.5), ylim=(0, None))
    right.legend()
    return figure


def orders(errors: dict[str, Errors]) -> Figure:
    """Error of the chain over the time step."""
    figure, (axis,) = panels(1, 2.9)
    for step, found in errors.items():
        label = f"{SHORT[step]}, order {found.order:.2f}"
        axis.loglog(1e3 * found.dt, found.error, "o-", color=INKS[step], label=label)
    ticks = (0.125, 0.25, 0.5, 1.0)
    axis.set_xticks(ticks, [f"{t:g}" for t in ticks], minor=False)
    axis.xaxis.set_minor_formatter("")
    axis.set(xlabel="time step [ms]", ylabel="largest error / push")
    axis.legend()
    return figure
