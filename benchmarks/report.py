"""Tables, and what was asked beside what was reached."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .cantilever import WEIGHT

Result = Mapping[str, Any]
#: The stated tolerance of a step: the largest force left on any point, over the weight of the beam.
RESIDUAL = 1e-5
#: Results by (size, who).
Results = Mapping[tuple[str, str], Result]
OURS = ("undamped", "settle")
HEADER = (
    f"{'size':>5} {'who':<18} {'set-up':>8} {'first':>8} {'ms/frame':>9} {'s per s':>8} {'ratio':>6} "
    f"{'small load':>11} {'drop':>7} {'memory':>8}  settings"
)


def row(size: str, who: str, result: Result, ours: Result | None) -> str:
    """One line of the table; `ratio` is its time per simulated second over that of ours."""
    if "failed" in result:
        return f"{size:>5} {who:<18} {result['failed']}"
    beside = ours is not None and "failed" not in ours
    ratio = f"{result['frame'] / ours['frame']:6.2f}" if ours is not None and beside else f"{'':>6}"
    small, drop = result.get("small"), result.get("drop")
    return (
        f"{size:>5} {who:<18} {result['setup']:>6.2f} s {result['first']:>6.2f} s "
        f"{1e3 * result['frame']:>9.1f} {result['per_second']:>8.3f} {ratio} "
        f"{'' if small is None else f'{small:.4f}':>11} {'' if drop is None else f'{drop:.3f}':>7} "
        f"{result['memory']:>5.2f} GB  {result['settings']}"
    )


def growth(tets: list[int], seconds: list[float]) -> float:
    """The exponent p of the best fit seconds ~ tets^p."""
    return float(np.polyfit(np.log(tets), np.log(seconds), 1)[0])


@dataclass(frozen=True)
class Wish:
    """One figure that was asked for: its value in the results, and whether that is enough."""

    text: str
    needs: tuple[tuple[str, str], ...]
    value: Callable[..., float | None]
    enough: Callable[[float], bool]
    form: str = "{:.2f}"

    def line(self, results: Results) -> str | None:
        """Asked, reached, yes or no; None where nothing was measured."""
        if not all(key in results for key in self.needs):
            return None
        found = [results[key] for key in self.needs]
        if any("failed" in r for r in found):
            return f"{self.text:<66} not measured"
        value = self.value(*found)
        if value is None:
            return None
        return f"{self.text:<66} {self.form.format(value):>10}  {'yes' if self.enough(value) else 'NO'}"


def wishes() -> list[Wish]:
    """Everything that was asked of the speed, in the order of asking."""
    made: list[Wish] = []

    def ratio(us: Result, them: Result) -> float:
        return them["frame"] / us["frame"]

    for size in ("6k", "48k"):
        for peer, least in (("MuJoCo", 2), ("MuJoCo defaults", 2), ("Newton VBD", 10)):
            needs = ((size, "undamped"), (size, peer))
            goal = " (goal: 5)" if least == 2 else ""
            text = f"{size}: at least {least} times as fast as {peer}{goal}"
            made.append(Wish(text, needs, ratio, lambda v, least=least: v >= least, "{:.1f} x"))
    for size in ("1k", "6k", "48k"):
        for who in OURS:
            made.append(
                Wish(
                    f"{size}, {who}: small-load drop within 1 % of the static answer",
                    ((size, who),),
                    lambda r: r.get("small"),
                    lambda v: abs(v - 1.0) <= 0.01,
                    "{:.4f}",
                )
            )
    for size in ("6k", "48k", "200k"):
        for who in OURS:
            made.append(
                Wish(
                    f"{size}, {who}: residual of every step within {RESIDUAL:.0e} of the weight",
                    ((size, who),),
                    lambda r: r["residual"] / WEIGHT if r["converged"] else float("inf"),
                    lambda v: v <= RESIDUAL,
                    "{:.0e}",
                )
            )
    for who in OURS:
        made.append(
            Wish(
                f"48k, {who}: set-up under 3 s",
                (("48k", who),),
                lambda r: r["setup"],
                lambda v: v < 3.0,
                "{:.2f} s",
            )
        )
    made.append(
        Wish(
            "6k, settle: 60 frames per second",
            (("6k", "settle"),),
            lambda r: 1.0 / r["frame"],
            lambda v: v >= 60.0,
            "{:.0f}",
        )
    )
    for who in OURS:
        made.append(
            Wish(
                f"{who}: cost per step from 6k to 200k grows no faster than n^1.25",
                tuple((size, who) for size in ("6k", "48k", "200k")),
                lambda *r: growth([x["tets"] for x in r], [x["frame"] for x in r]),
                lambda v: v <= 1.25,
                "n^{:.2f}",
            )
        )
        made.append(
            Wish(
                f"200k, {who}: peak memory under 2.5 GB",
                (("200k", who),),
                lambda r: r["memory"],
                lambda v: v < 2.5,
                "{:.2f} GB",
            )
        )
    return made


def asked(results: Results) -> list[str]:
    """The lines of what was asked that these results can answer."""
    return [line for wish in wishes() if (line := wish.line(results)) is not None]
