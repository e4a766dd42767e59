"""What the paper claims about motion: momentum, falls, overshoot, iterations, and its misprints."""

from __future__ import annotations

import numpy as np

from pliant.lab.claims import Claim, Verdict, holds_if, power

from .dampings import PROGRAMME_LOCAL
from .measured import Measured
from .pair import stretch
from .runs import fallen
from .scenes import RELEASE
from .search import case_of

#: Rounding, after some hundred steps.
ROUNDING = 1e-9


def motion_claims(found: Measured) -> list[Claim]:
    """Sections 1 to 3."""
    return [
        _point(found),
        _spring(found),
        _lemma(),
        _limit(found),
        _eliminated(found),
        _overshoot(found),
    ]


def misprints() -> list[Claim]:
    """What is meant otherwise than printed; the library does what is meant."""
    return [
        Claim(
            "2",
            "f̄ = (x·f) x/‖x‖ projects a force onto a distance.",
            "It lacks one normalisation; 3.3.1 has it.",
            Verdict.MISPRINT,
        ),
        Claim(
            "(8)",
            "f = −γ v′ with γ in [0, 1].",
            "It lacks the m/h of (7): forces would not sum to zero for unequal masses, and γ would "
            "have a unit.",
            Verdict.MISPRINT,
        ),
        Claim(
            "(10)",
            "c = min ‖f̄‖/‖f‖ keeps forces from growing.",
            "Upside down: it must be min ‖f‖/‖f̄‖, and at most 1. One point that hardly moves then "
            "weakens the damping of the whole body.",
            Verdict.MISPRINT,
        ),
    ]


def _point(found: Measured) -> Claim:
    case = case_of("sneaker")
    share = {name: fallen(case, found.flights["sneaker", name]) for name in ("none", "point")}
    return Claim(
        "1, figure 1",
        "Point damping improves stability at the price of the global movement: the sneaker does "
        "not fall as it should.",
        f"With a tenth of critical damping it has, {case.seconds - RELEASE:.2f} s after it was let "
        f"go, gained {100 * share['point']:.0f} % of the momentum m g t; undamped "
        f"{100 * share['none']:.1f} %.",
        holds_if(share["point"] < 0.9 and abs(share["none"] - 1.0) < 1e-6),
    )


def _spring(found: Measured) -> Claim:
    run, case = found.flights["sneaker", "spring"], case_of("sneaker")
    after = run.clock > RELEASE
    spin = np.linalg.norm(run.spin[after] - run.spin[after][0], axis=1).max()
    spin /= np.linalg.norm(run.spin[after][0])
    fall, loose = fallen(case, run), found.steps["spring, iterated, not projected"].spin
    return Claim(
        "1, 2, figure 1",
        "Spring damping, projected, does not affect the global movement.",
        f"Let go, the sneaker gains {fall:.9f} of m g t, and its angular momentum stays within "
        f"{power(spin)} of its own. Not projected, one step of ten iterations takes "
        f"{100 * loose:.0f} % of a spin.",
        holds_if(abs(fall - 1.0) < ROUNDING and spin < ROUNDING),
    )


def _eliminated(found: Measured) -> Claim:
    ways = [n for n in found.steps if n.split(", ")[-1] not in ("torque left", "point")]
    ways = [n for n in ways if n.startswith(("global", "local", "both"))]
    worst = max(max(found.steps[n].spin, found.steps[n].momentum) for n in ways)
    lost = {n: found.steps[n].spin for n in ("global, torque left", "local, torque left")}
    return Claim(
        "3.3",
        "Three ways take the torque out of the forces; linear momentum is kept anyway.",
        f"In one step at γ = 1 the {len(ways)} dampings with an elimination change momentum and "
        f"spin of the sneaker by {power(worst)} at most. Left in, the torque takes "
        f"{100 * lost['global, torque left']:.0f} % of a spin (global) and "
        f"{100 * lost['local, torque left']:.0f} % (tetrahedra).",
        holds_if(worst < ROUNDING),
    )


def _lemma() -> Claim:
    left = {s: stretch(s) for s in (0.5, 1.5, 1.9)}
    return Claim(
        "3.1, Lemma 1",
        "γ small enough that all dt γ λ are within (0, 2) lets relative velocities shrink.",
        "As iterations they do. In a step with elastic forces dt γ λ must stay below 1: beyond it "
        "a velocity is turned round, and a spring that is stretched stretches itself. Two masses, "
        "one spring, 2 s later: with dt γ λ = "
        + ", ".join(f"{s:g}: {share:.2g}" for s, share in left.items())
        + " of the first stretch. The shares γ from 0 to 1 of (8) never get there.",
        Verdict.PARTLY if left[0.5] < 1.0 < min(left[1.5], left[1.9]) else Verdict.HOLDS,
    )


def _limit(found: Measured) -> Claim:
    left = found.iterated
    return Claim(
        "3.1, 3.2",
        "Iterated spring damping converges to (7), but needs lots of iterations.",
        "On the sneaker, at half the bound of Lemma 1, "
        + ", ".join(str(n) for n in left)
        + " iterations leave "
        + ", ".join(f"{100 * share:.2g} %" for share in left.values())
        + " of random relative velocities; (7) leaves none, at once. (The proof needs equal "
        "masses; with M<sup>−1/2</sup> on both sides it holds for any.)",
        holds_if(left[1000] < 1e-3 and left[10] > 0.01),
    )


def _overshoot(found: Measured) -> Claim:
    names = {
        "distances": "global, distances",
        "directions": "global, directions",
        "the programme": "global, programme",
        "the programme by tetrahedra": PROGRAMME_LOCAL.name,
    }
    worst = {label: found.steps[n].worst for label, n in names.items()}
    none = max(found.steps[n].worst for n in ("global, torque left", "local, torque left"))
    raised = worst["the programme"] > 1.0
    return Claim(
        "abstract, 3.2, 6",
        "γ lies between 0 and 1, is simple to set, and forces do not overshoot.",
        f"Before elimination none can; of random vibrations at γ = 1 at most {100 * none:.0f} % of "
        "the energy is left. After it up to "
        + ", ".join(f"{100 * share:.0f} % ({label})" for label, share in worst.items())
        + (": the programme, which knows nothing of energy, overshoots. " if raised else ". ")
        + "But γ is a share <i>per step</i>: with half the step the same γ damps twice as fast, so "
        "it is simple to set only for one step.",
        Verdict.PARTLY,
    )
