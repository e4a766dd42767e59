"""The page of a comparison."""

from __future__ import annotations

import math

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from .compare import Comparison, Finding
from .drawing import INK, STYLE
from .page import figure_html, page, table_html, words_html

#: A deviation of this much of what was asked, or of what is to be kept, is told as one.
NOTABLE = 0.03
LINES = matplotlib.colormaps["tab10"].colors  # type: ignore[attr-defined]


def report(comparison: Comparison) -> str:
    """One self-contained HTML page."""
    case = comparison.case
    parts = [_introduction(comparison)]
    for body in dict.fromkeys(f.body for f in comparison.findings):
        found = [f for f in comparison.findings if f.body == body]
        ran = [f for f in found if len(f.amplitude)]
        parts += [f"<h2>{body}</h2>", _verdict(found, case.wish)]
        if ran:
            parts.append(
                figure_html(
                    _curves(ran, case.wish),
                    body,
                    "The share of the start shape that is left, 0 at rest. "
                    f"The line is the time asked for, {case.wish:g} s; the band is 1 %.",
                )
            )
        parts += [_times(found, case.wish), _kept(found), _settings(found)]
    title = f"Every damping on {case.name}"
    source = f"pliant damping; dt = {case.dt:.4g} s, {case.seconds:g} s long, asked to rest after "
    return page(title, source + f"{case.wish:g} s", parts)


def _introduction(comparison: Comparison) -> str:
    modes = "; ".join(
        f"{name} vibrates slowest with a period of {2 * math.pi / mode.omega:.3g} s"
        for name, mode in comparison.modes.items()
    )
    return (
        "<p>Each damping has the coefficients that a careful user would give it: those with which, by "
        "linear theory, the slowest vibration falls to 1 % in the time asked for "
        f"(sigma = ln(100)/{comparison.case.wish:g} s; {modes}). <code>Settle</code> is only told the "
        "time. The same coefficients are then used with half and twice the time step and on a mesh "
        "with cells of half the size, and the body is let go to fall and spin.</p>"
    )


def _verdict(found: list[Finding], asked: float) -> str:
    good: list[str] = []
    bad: list[str] = []
    for f in found:
        if f.trouble:
            continue
        times = [f.rest_time, f.halved, f.doubled, f.finer]
        known = [t for t in times if not math.isnan(t)]
        on_time = bool(known) and all(abs(t - asked) <= NOTABLE * asked for t in known)
        kept = all(abs(1.0 - s) <= NOTABLE for s in (f.flight.fall, f.flight.spin))
        (good if on_time and kept else bad).append(f.name)
    rests = f"Rests on time at every step and mesh, and keeps fall and spin: {_list(good)}."
    return f"<p><b>{rests}</b> Does not, or takes something else with it: {_list(bad)}.</p>"


def _list(names: list[str]) -> str:
    return ", ".join(names) if names else "none"


def _times(found: list[Finding], asked: float) -> str:
    rows = []
    for f in found:
        if f.trouble:
            rows.append((f.name, *["–"] * 5, f.trouble.split(". ")[0]))
            continue
        shown = [_seconds(t, asked) for t in (f.rest_time, f.halved, f.doubled, f.finer)]
        bounces = "–" if math.isnan(f.bounces) else f"{f.bounces:g}"
        rows.append((f.name, *shown, bounces, ""))
    head = ("damping", "rest", "dt/2", "2 dt", "finer mesh", "bounces", "")
    caption = (
        f"<b>When it rests</b> [s], asked {asked:g}; ∞: not within the run. Bold: more than 3 % off. "
        "A dash: it could not be run."
    )
    return table_html(head, rows, caption)


def _kept(found: list[Finding]) -> str:
    rows = []
    for f in found:
        if not f.damping:
            continue
        step = "any (implicit)" if math.isnan(f.longest_dt) else _number(f.longest_dt * 1e3)
        cost = "–" if math.isnan(f.cost) else f"{f.cost:.1f}"
        rows.append(
            (f.name, _share(f.flight.fall), _share(f.flight.spin), _shift(f.shift), step, cost)
        )
    head = ("damping", "fall", "spin", "rest shape", "longest step", "cost")
    caption = (
        "<b>What it takes with it.</b> Fall and spin: what is left of free fall and of angular "
        "momentum after 0.5 s, 1 if nothing is lost. Rest shape: how far a body at rest is moved, "
        "over its size. Longest step of symplectic Euler [ms]. Cost: processor time per step, "
        "without damping 1 (a single measurement)."
    )
    return table_html(head, rows, caption)


def _settings(found: list[Finding]) -> str:
    rows = [(f.name, f"<code>{f.damping}</code>" if f.damping else f.trouble, f.how) for f in found]
    return words_html(("damping", "as it was run", "how that was found"), rows, "<b>Settings.</b>")


def _seconds(t: float, asked: float) -> str:
    if math.isnan(t):
        return "–"
    text = "∞" if math.isinf(t) else f"{t:.3g}"
    return text if abs(t - asked) <= NOTABLE * asked else f"<b>{text}</b>"


def _share(s: float) -> str:
    if math.isnan(s):
        return "–"
    return f"{s:.3f}" if abs(1.0 - s) <= NOTABLE else f"<b>{s:.3f}</b>"


def _shift(s: float) -> str:
    if math.isnan(s):
        return "–"
    return "unmoved" if s < 1e-6 else f"<b>{s:.1g}</b>"


def _number(value: float) -> str:
    return "∞" if math.isinf(value) else f"{value:.3g}"


def _curves(found: list[Finding], asked: float) -> Figure:
    columns, rows = 3, math.ceil(len(found) / 3)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.4, 1.65 * rows + 0.3), layout="constrained")
        axes = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
        for axis, f in zip(axes.flat, found, strict=False):
            axis.axhspan(-0.01, 0.01, color="#cfe3d4", linewidth=0)
            axis.axvline(asked, color=INK, linewidth=0.8, linestyle=":")
            settles = f.name.startswith("Settle")
            colour = "#c23b22" if settles else LINES[0]
            axis.plot(f.times, np.clip(f.amplitude, -1.3, 1.3), color=colour)
            axis.set_title(f.name, fontsize=8, loc="left", fontweight="bold" if settles else None)
            axis.set(ylim=(-1.1, 1.1), xlim=(0, f.times[-1]))
        for axis in axes.flat[len(found) :]:
            axis.set_visible(False)
        figure.supxlabel("time [s]", fontsize=9)
    return figure
