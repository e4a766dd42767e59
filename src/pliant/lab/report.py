"""The page of a comparison."""

from __future__ import annotations

import html
import math
import re

from pliant.take import AT_REST

from .case import Case
from .curves import curves
from .finding import Comparison, Finding
from .page import figure_html, page, table_html, words_html
from .wish import Wish

#: A deviation of this much of what was asked, or of what is to be kept, is told as one.
NOTABLE = 0.03


def report(comparison: Comparison) -> str:
    """One self-contained HTML page."""
    case = comparison.case
    parts = [_introduction(comparison)]
    for body in dict.fromkeys(f.body for f in comparison.findings):
        found = [f for f in comparison.findings if f.body == body]
        wish = comparison.modes[body].wish
        parts += [f"<h2>{html.escape(body)}</h2>", _asked(comparison, body), _verdict(found, wish)]
        if any(len(f.amplitude) for f in found):
            caption = (
                f"The share that is left of the shape {_beginning(wish)}, 0 at rest; the band is 1 %. "
                f"{_line(wish)} A curve that ends in a cross could not go on."
            )
            parts.append(figure_html(curves(found, wish), html.escape(body), caption))
        parts += [_times(found, wish, case), _kept(found, wish), _settings(found)]
    title = f"Every damping on {html.escape(case.name)}"
    source = f"pliant damping; dt = {case.dt:.4g} s, {case.seconds:g} s long"
    return page(title, source, parts)


def _introduction(comparison: Comparison) -> str:
    finer = " and on a mesh with cells of half the size" if comparison.case.refines else ""
    return (
        "<p>Each damping has the coefficients that a careful user would give it: those with which, by "
        "linear theory, the slowest vibration falls to 1 % in the time asked for "
        "(sigma = ln(100) over that time; or its angular frequency if that is less, which is critical "
        "damping, beyond which a viscosity only makes it creep longer). <code>Settle</code> is only "
        "told the time. The same "
        f"coefficients are then used with half and twice the time step{finer}, and the body is let "
        "go to fall and spin.</p>"
    )


def _asked(comparison: Comparison, body: str) -> str:
    mode = comparison.modes[body]
    bounces = "" if mode.wish.bounces is None else f" after {mode.wish.bounces} bounces"
    after = f", counted from {mode.wish.since:.3g} s, when" if mode.wish.since > 0.0 else ""
    if after:
        after += " its pins and loads change for the last time"
    if math.isnan(mode.wish.since):
        after = "; but its pins or loads change until the end, so it has no time to rest"
    return (
        f"<p>Asked to rest in {mode.wish.rest_in:.3g} s{bounces}{after}. Its slowest vibration has a "
        f"period of {2 * math.pi / mode.omega:.3g} s.</p>"
    )


def _beginning(wish: Wish) -> str:
    return f"at {wish.since:.3g} s" if wish.since > 0.0 else "it began from"


def _line(wish: Wish) -> str:
    if math.isnan(wish.since):
        return ""
    return f"The dotted line is when it was to rest, {wish.since + wish.rest_in:.3g} s."


def _verdict(found: list[Finding], wish: Wish) -> str:
    good: list[str] = []
    bad: list[str] = []
    # No damping can keep more of a spin than the step does.
    kept_by_step = min(1.0, *(f.flight.spin for f in found if f.name == "none"), 1.0)
    for f in found:
        if f.trouble:
            continue
        times = [f.rest_time, f.halved, f.doubled, f.finer]
        known = [t for t in times if not math.isnan(t)]
        on_time = bool(known) and all(
            abs(t - wish.rest_in) <= NOTABLE * wish.rest_in for t in known
        )
        kept = abs(1.0 - f.flight.fall) <= NOTABLE and f.flight.spin >= kept_by_step - NOTABLE
        (good if on_time and kept else bad).append(f.name)
    rests = f"Rests on time in every run, and keeps fall and spin: {_list(good)}."
    return f"<p><b>{rests}</b> Does not, or takes something else with it: {_list(bad)}.</p>"


def _list(names: list[str]) -> str:
    return "; ".join(names) if names else "none"


def _times(found: list[Finding], wish: Wish, case: Case) -> str:
    rows = []
    farthest = " Here the farthest point counts." if case.measure == "farthest" else ""
    for f in found:
        if not f.damping:
            rows.append((f.name, *["–"] * 5, html.escape(_first(f.trouble))))
            continue
        shown = [_seconds(t, wish) for t in (f.rest_time, f.halved, f.doubled, f.finer)]
        if not case.refines:
            shown[3] = "–"
        bounces = "–" if math.isnan(f.bounces) else f"{f.bounces:g}"
        rows.append((f.name, *shown, bounces, html.escape(_first(f.trouble))))
    head = ("damping", "rest", "dt/2", "2 dt", "finer mesh", "bounces", "")
    caption = (
        f"<b>When it rests</b> [s], asked {wish.rest_in:.3g}; ∞: not within the run; ×: it blew up, "
        "or a step could not be solved; –: not run. Bold: more than 3 % off. Bounces are counted "
        f"until it rests. {AT_REST.replace('`within`', '1 %')}{farthest}"
    )
    return table_html(head, rows, caption)


def _first(trouble: str) -> str:
    return trouble.split(". ")[0]


def _kept(found: list[Finding], wish: Wish) -> str:
    rows = []
    for f in found:
        if not f.damping:
            continue
        step = "any (implicit)" if math.isnan(f.longest_dt) else _number(f.longest_dt * 1e3)
        cost = "–" if math.isnan(f.cost) else f"{f.cost:.1f}"
        shift = "–" if math.isnan(wish.since) else _shift(f.shift)
        rows.append((f.name, _share(f.flight.fall), _share(f.flight.spin), shift, step, cost))
    head = ("damping", "fall", "spin", "rest shape", "longest step", "cost")
    caption = (
        "<b>What it takes with it.</b> Fall and spin: what is left of free fall (linear momentum) and "
        "of angular momentum after 0.5 s, 1 if nothing is lost; the row “none” has what the time step "
        "itself loses. Rest shape: how far a body at rest is moved, over its size. Longest step of "
        "symplectic Euler [ms]. Cost: processor time per step, without damping 1 (a single "
        "measurement)."
    )
    return table_html(head, rows, caption)


def _settings(found: list[Finding]) -> str:
    rows = [
        (
            f.name,
            f"<code>{_short(f.damping)}</code>" if f.damping else html.escape(f.trouble),
            f.how,
        )
        for f in found
    ]
    return words_html(("damping", "as it was run", "how that was found"), rows, "<b>Settings.</b>")


def _short(damping: str) -> str:
    """A call that can be copied, its numbers to six digits."""
    rounded = re.sub(r"\d+\.\d+(e[+-]?\d+)?", lambda m: f"{float(m[0]):.6g}", damping)
    return html.escape(rounded, quote=False)


def _seconds(t: float, wish: Wish) -> str:
    if math.isnan(wish.since):
        return "–"
    if math.isnan(t):
        return "<b>×</b>"
    text = "∞" if math.isinf(t) else f"{t:.3g}"
    return text if abs(t - wish.rest_in) <= NOTABLE * wish.rest_in else f"<b>{text}</b>"


def _share(s: float) -> str:
    if math.isnan(s):
        return "<b>×</b>"
    return (
        f"{s:.3f}"
        if abs(1.0 - s) <= NOTABLE
        else f"<b>{s + 0.0:.3f}</b>".replace("-0.000", "0.000")
    )


def _shift(s: float) -> str:
    if math.isnan(s):
        return "<b>×</b>"
    return "unmoved" if s < 1e-6 else f"<b>{s:.1g}</b>"


def _number(value: float) -> str:
    return "∞" if math.isinf(value) else f"{value:.3g}"
