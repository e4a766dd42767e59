"""What the suite prints: how far measured is from asked, the worst scenes, and those outside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from .measuring import BARS, Result, Tried

NAMES = {
    "None": "rest time, `bounces=None`",
    "0": "rest time, `bounces=0`",
    "period": "period of bounces",
    "envelope": "rest time by the envelope of bounces",
}
#: What the table of the docs stands between.
BEGIN, END = "<!-- rest suite -->", "<!-- end -->"


def misses(done: Iterable[Tried], kind: str) -> np.ndarray:
    """How far from 1 the ratios of one kind are, inside of the limits."""
    return np.array([r.miss for t in done for r in t.inside if r.kind == kind])


def table(done: list[Tried]) -> str:
    """A table in Markdown, for the docs."""
    rows = [
        "| measured over asked, off by | parts measured | median | 95 % | worst | asserted |",
        "|---|---|---|---|---|---|",
    ]
    for kind, bar in BARS.items():
        off = misses(done, kind)
        if len(off):
            told = [_share(q) for q in (np.median(off), _high(off), off.max())]
            rows.append(f"| {NAMES[kind]} | {len(off)} | {' | '.join(told)} | {bar:.0%} |")
    return "\n".join(rows)


def filled(page: str, done: list[Tried]) -> str:
    """A page of the docs with the table of these scenes between its marks."""
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    out = sum(excluded(done).values())
    told = f"{len(done)} scenes of seed {done[0].seed[0]}, {out} of them outside of the limits:"
    return f"{before}{BEGIN}\n{told}\n\n{table(done)}\n{END}{after}"


def excluded(done: list[Tried]) -> Counter[str]:
    """How many scenes are outside of the limits, by the first reason."""
    reasons: Counter[str] = Counter()
    for t in done:
        reason = t.refused and f"refused: {t.refused.split(';')[0][:90]}"
        reason = reason or next((why for why in t.outside if why), "")
        if reason:
            reasons[reason] += 1
    return reasons


def worst(done: list[Tried], count: int = 10) -> list[str]:
    """The scenes that miss their bar by most, with the seeds that make them again."""
    found = [(r.miss / BARS[r.kind], t, r) for t in done for r in t.inside]
    found.sort(key=lambda one: one[0], reverse=True)
    return [_line(t, r) for _, t, r in found[:count]]


def text(done: list[Tried]) -> str:
    """All of it."""
    failing = [t for t in done if missing(t)]
    lines = [f"{len(done)} scenes", "", table(done), "", "worst:"]
    lines += [f"  {line}" for line in worst(done)]
    out = excluded(done)
    share = sum(out.values()) / len(done)
    lines += ["", f"outside of the limits: {sum(out.values())} scenes ({share:.1%})"]
    lines += [f"  {count:3d}  {why}" for why, count in out.most_common()]
    lines += ["", f"outside of the bars: {len(failing)} scenes"]
    lines += [f"  {line}" for t in failing for line in missing(t)]
    return "\n".join(lines)


def missing(t: Tried) -> list[str]:
    """A line for everything in a scene that is outside of its bar."""
    broken = [f"broke off: {t.said}: {t.failed[:200]}"] if t.failed else []
    return broken + [_line(t, r) for r in t.inside if not r.passes]


def _line(t: Tried, r: Result) -> str:
    return f"{r.kind:>8} {r.ratio:.4f}  body {r.body} part {r.part}  {t.said}"


def _share(off: float) -> str:
    return f"{off:.2%}" if np.isfinite(off) else "never"


def _high(off: np.ndarray) -> float:
    return float(np.quantile(off, 0.95, method="higher"))
