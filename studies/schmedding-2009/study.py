"""Schmedding, Gissler and Teschner, Optimized Damping for Dynamic Simulations: run and compared.

`main(out)` runs everything (about four minutes) and writes one self-contained page,
`schmedding-2009.html`, to the folder `out`. By hand: `python studies/schmedding-2009/study.py out`.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from pliant.lab import page as kit
from pliant.lab.claims import Claim, Verdict

if not __package__:  # run or loaded by its path: find the other files of this folder (PEP 366)
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    __package__ = Path(__file__).resolve().parent.name
    __import__(__package__)

from .claims_motion import misprints, motion_claims
from .claims_stability import Steps, stability_claims
from .dampings import ITERATIONS, KINDS, PAPER
from .figures import draw_all
from .measured import Measured, measure_all
from .results import over
from .search import BOUND, CLOSE, MOST, STRENGTHS, VISIBLE, case_of

TITLE = "How long a step may be, by its damping"
SOURCE = (
    "A study of R. Schmedding, M. Gissler and M. Teschner, <i>Optimized Damping for Dynamic "
    "Simulations</i>, Spring Conference on Computer Graphics, 2009."
)
CAPTIONS = {
    "1": "The paper's figure 1. A sneaker is lifted by its heel by a spring and let go at 0.30 s. "
    "The cross is the centre of mass of an undamped run with a short step. Undamped it falls "
    "as it should, and fails if the step is 5 % above the limit; with point damping it stays "
    "behind, hardly turns and gains speed slowly (figure 6); with spring damping it falls as "
    "if undamped.",
    "2": "The paper's figure 2. A ball falls on a membrane that is held at its rim. All rows have "
    "the same step, one that tells spring damping and the paper's apart, or is 10 % beyond "
    "both if they hold the same; each damping has the strength that allowed it the longest.",
    "3": "The paper's figure 3, likewise. Two bars fall on a bridge of planks that are tied by springs.",
    "4": "The largest stable step of every damping. Filled: all with a tenth of critical damping "
    "for the slowest vibration. Hollow: the best of the strengths tried; an arrow: stable up "
    f"to {MOST:.0f}, the longest tried. * ours.",
    "5": "Left: what (8) gains, by its γ. Right: how iterated spring damping approaches (7).",
    "6": "Momentum of what flies, with a tenth of critical damping (or full strength, where that "
    "is not reached), at 0.8 of the undamped limit; at the dotted line the sneaker is let go. "
    "Above, all but point damping fall alike. Below, dampings that leave the torque in lose "
    "spin.",
}


def main(out: Path) -> Path:
    """Run the study and write the page; returns its path."""
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    path = out / "schmedding-2009.html"
    path.write_text(kit.page(TITLE, SOURCE, body(measure_all())), encoding="utf-8")
    return path


def body(found: Measured) -> list[str]:
    """The sections of the page."""
    groups = {
        "Stability": stability_claims(found),
        "Motion": motion_claims(found),
        "Misprints": misprints(),
    }
    figures = {n: kit.figure_html(f, n, CAPTIONS[n]) for n, f in draw_all(found).items()}
    return [
        *words(found, groups),
        "<h2>Claims and findings</h2>",
        "<p>Measured numbers are computed when this page is made. “Larger” means by more than the "
        f"search can err, {100 * (CLOSE - 1):.0f} %.</p>",
        *(kit.claims_html(g, f"<b>{name}.</b>", "the paper") for name, g in groups.items()),
        "<h2>The three scenes</h2>",
        *(figures[n] for n in ("1", "2", "3") if n in figures),
        "<h2>The largest stable step</h2>",
        figures["4"],
        *(steps_table(found, scene) for scene in found.rows),
        figures["5"],
        "<h2>Momentum</h2>",
        figures["6"],
        one_step_table(found),
    ]


def words(found: Measured, groups: dict[str, list[Claim]]) -> list[str]:
    """What was found, and how."""
    s, verdicts = Steps(found), Counter(c.verdict for group in groups.values() for c in group)
    cases = [case_of(scene) for scene in found.rows]
    return [
        "<p>The paper derives a damping that takes all relative motion of a body at once, (7), and "
        "then ways to give back the torque that this costs. We ran its three scenes with every "
        "damping it names and searched for the largest stable step of each, with the best of its "
        f"strengths. (7) by itself holds {s.told('global, torque left')} times the undamped limit; "
        "but then nothing deforms or turns. With the torque eliminated as the paper does it, "
        f"almost all of this is gone: {s.told(PAPER)}, against {s.told('spring')} for plain spring "
        f"damping and {s.told('spring, iterated')} for {ITERATIONS} iterations of it. Of dampings "
        "that keep momentum and let a body deform, repeated spring damping held the longest steps; "
        "next came tetrahedra whose rotation is kept and all else damped, "
        f"{s.told('local, rotation')} (ours, "
        '<code>torque="rotation"</code>).</p>',
        "<p>None of it comes free. A step grows only as far as the fastest vibrations lose their "
        "velocity within it; where the slowest are to keep theirs (a tenth of critical damping), "
        f"global damping buys nothing ({s.told('global, torque left', 'matched')}), since it damps "
        f"slow and fast alike. Of {verdicts.total()} claims {verdicts[Verdict.HOLDS]} hold, "
        f"{verdicts[Verdict.PARTLY]} hold in part, {verdicts[Verdict.FAILS]} do not, and "
        f"{verdicts[Verdict.MISPRINT]} are misprints. The paper's own scenes, constants and γ are "
        "not known; what failed here may have held there.</p>",
        "<p>Scenes, meshes and constants are ours; the paper prints none. Bodies are Teschner's "
        "distances and volumes (<code>pl.ConstraintBody</code>), "
        + ", ".join(f"{len(c.parts.tetrahedra)} tetrahedra ({c.name})" for c in cases)
        + "; the step is symplectic Euler with predicted velocities, contact a penalty, ties are "
        "springs. <b>Stable</b> means: in the whole scene the potential energy stays below "
        f"{BOUND:g} times the most it reaches in the undamped run with half its limiting step. "
        "Steps are given over the undamped limit 2/ω about the rest shape and searched for up to "
        f"{MOST:.0f} of it, to {100 * (CLOSE - 1):.0f} %. <b>Strength</b> is the largest share of "
        "a velocity that a damping takes in one step (dt γ/m, dt γ λ<sub>max</sub>, or γ); all "
        "were tried with "
        + " and ".join(f"{k:g}" for k in STRENGTHS)
        + f", and with that which gives the slowest vibration {VISIBLE:g} of critical damping.</p>",
    ]


def steps_table(found: Measured, scene: str) -> str:
    """The largest steps in one scene."""
    case, rows = case_of(scene), []
    for (where, name), f in found.table.items():
        if where == scene:
            rows.append(
                (
                    name + (" (ours)" if KINDS[name].ours else ""),
                    over(f.matched.ratio),
                    f"{f.matched.strength:.2g}" if f.matched.ratio and KINDS[name].make else "–",
                    over(f.best.ratio),
                    f"{f.best.strength:.2g}" if f.best.ratio and KINDS[name].make else "–",
                    f"{100 * f.left:.0f} %" if f.best.ratio else "–",
                )
            )
    what = "its fall after it was let go" if scene == "sneaker" else "the depth to which it sinks"
    return kit.table_html(
        ("damping", "same visible damping", "strength", "best", "strength", "response left"),
        rows,
        f"<b>The {scene}.</b> Largest stable steps over the undamped limit, {1e3 * case.limit:.2f} "
        f"ms. Response: {what}, with the best strength at 0.9 of its largest step, over what it "
        "should be.",
    )


def one_step_table(found: Measured) -> str:
    """What one step does."""
    rows = [
        (
            name,
            f"{100 * step.vibration:.0f} %",
            f"{100 * step.worst:.0f} %",
            share_of(step.momentum),
            share_of(step.spin),
        )
        for name, step in found.steps.items()
    ]
    return kit.table_html(
        ("damping", "vibration left", "at worst", "momentum lost", "spin lost"),
        rows,
        "<b>One step at full strength</b> on a sneaker that flies, spins and trembles at random: "
        "the share of the energy of all motion that is not rigid, and of momentum and spin.",
    )


def share_of(share: float) -> str:
    """In words; rounding counts as 0."""
    return "0" if share < 1e-9 else f"{100 * share:.0f} %"


if __name__ == "__main__":
    print(main(Path(sys.argv[1] if len(sys.argv) > 1 else "out")))
