"""What section 2 of the paper claims about its chain, and what we find."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from pliant.lab.claims import Claim, Verdict, holds_if, power

from .ours import Errors
from .paper import (
    DAMPING_1D,
    PUSH,
    REST,
    STIFFNESS,
    chain,
    signed,
    simulate,
    unsigned,
)
from .runs import FAR, LONG, STEPS, Runs, bounded_up_to, growth, postponed


def chain_claims(runs: Runs, errors: dict[str, Errors]) -> list:
    """Blow-up, its causes, its cures."""
    return [_printed(runs), _cause(runs), _passing(runs), _start(), _law(), *_cures(runs, errors)]


def when(seconds: float) -> str:
    """A time, or that there was none."""
    return f"{seconds:.2f} s" if np.isfinite(seconds) else "never"


def _printed(runs: Runs) -> object:
    signed_one, unsigned_one = (runs.undamped[law, "symplectic"] for law in ("signed", "unsigned"))
    longest = [m.structure.lengths(m.x).max() / REST for m in (signed_one, unsigned_one)]
    blew = any(np.isfinite(m.blown_up(FAR)) for m in (signed_one, unsigned_one))
    return Claim(
        "2",
        "Without damping the printed step (new velocity, then position with it) blows up.",
        f"It does not: in {LONG:.0f} s no spring gets longer than {longest[0]:.2f} rest lengths with "
        f"the signed law, {longest[1]:.2f} with the unsigned one, and it starts at "
        f"{1 + PUSH / REST:.2f}. The step is symplectic Euler; no motion of it grows (rates up to "
        f"{power(abs(growth('symplectic')))} 1/s, rounding).",
        holds_if(blew),
    )


def _cause(runs: Runs) -> object:
    t = {key: motion.blown_up(FAR) for key, motion in runs.undamped.items()}
    explains = (
        np.isfinite([t["signed", "explicit"], t["unsigned", "explicit"]]).all()
        and np.isinf([t["signed", "symplectic"], t["unsigned", "symplectic"]]).all()
    )
    held = [
        simulate(replace(chain(), held=True), law(), "explicit", LONG, far=2 * FAR).blown_up(FAR)
        for law in (unsigned, signed)
    ]
    return Claim(
        "2, figure 1",
        "The chain turns unstable, particles pass through one another, and eventually it blows up.",
        f"Of the four combinations those with the old velocity do: at {when(t['unsigned', 'explicit'])}"
        f" with the unsigned law, at {when(t['signed', 'explicit'])} with the signed one; those with "
        f"the new velocity never. (Were its first particle held: {when(held[0])} and {when(held[1])}.) "
        "So the program seems to have moved its particles with the old velocity, not as printed. The "
        "step decides whether, the law only when: explicit Euler feeds the fast mode at "
        f"{growth('explicit'):.2f} 1/s. The loop of section 5 would blow up too, with the unsigned law "
        "and late, but its damped chain would not settle (last claim).",
        holds_if(bool(explains)),
    )


def _passing(runs: Runs) -> object:
    motion = runs.undamped["signed", "symplectic"]
    gaps = np.diff(motion.x[..., 0], axis=1)
    first = motion.times[(gaps < 0.0).any(axis=1).argmax()]
    return Claim(
        "2",
        "It is an unstable simulation: particles pass through one another.",
        f"They pass at {first:.2f} s in every combination, and in the exact motion too: the third is "
        f"pushed by {PUSH:g}, more than the rest length of {REST:g}, and the first gap swings down to "
        f"−{-gaps.min():.2f}. Passing comes from the start, not from the step.",
        holds_if(gaps.min() >= 0.0),
    )


def _start() -> object:
    still = chain(0.0)
    slow = replace(still, start=still.rest + 0.5 * PUSH * np.array([[-1.0], [0.0], [1.0]]))
    blew = simulate(slow, signed(), "explicit", 2 * LONG, far=2 * FAR).blown_up(FAR)
    return Claim(
        "2",
        "Displacing one particle only is not a natural start and part of the problem.",
        "It is the sum of the two modes of the chain. Started in the slow one alone, both ends pulled, "
        f"explicit Euler blows up all the same, at {when(blew)}.",
        holds_if(bool(np.isinf(blew))),
    )


def _law() -> object:
    energy, barrier = 0.5 * STIFFNESS * PUSH**2, STIFFNESS * REST**2
    largest = bounded_up_to()
    return Claim(
        "2, damped force",
        "F = −K(|x<sub>2</sub> − x<sub>1</sub>| − X<sub>r</sub>) − B(V<sub>2</sub> − V<sub>1</sub>).",
        "Right while particles keep their order. After they have passed by more than a rest length it "
        "drives them apart for ever: its potential has a top there, KX<sub>r</sub>² = "
        f"{barrier:.0f} above its bottom. The start has {energy:.0f}, so that the exact motion stays "
        f"below (with the printed step up to a push of {largest:.2f}); explicit Euler lifts it over. "
        "The vectors of section 3.1 have the right law, and it turns round with its particles.",
        Verdict.MISPRINT,
    )


def _cures(runs: Runs, errors: dict[str, Errors]) -> list:
    later = {dt: postponed(signed(), "explicit", dt) for dt in (1e-3, 5e-4, 2.5e-4)}
    sooner = {dt: postponed(unsigned(), "explicit", dt) for dt in later}
    grown = [list(t.values()) for t in (later, sooner)]
    damped = [runs.damped["chain", step] for step in STEPS[:3]]
    rises = max(np.clip(np.diff(m.distance), 0.0, None).sum() / m.distance[0] for m in damped)
    ratios = [0.5 * DAMPING_1D * np.sqrt(k / STIFFNESS) for k in (1.0, 3.0)]
    rates = [growth(step) for step in ("explicit", "average")]
    gentle, rough = errors["symplectic"], errors["average"]
    return [
        Claim(
            "2",
            "A smaller time step decreases the problem.",
            "It postpones it. With Δt = 1, ½ and ¼ ms explicit Euler blows up at "
            + ", ".join(when(t) for t in grown[0])
            + " (signed) and "
            + ", ".join(when(t) for t in grown[1])
            + " (unsigned): the rate of growth goes with Δt.",
            holds_if(all(b > a for times in grown for a, b in pairwise(times))),
        ),
        Claim(
            "2",
            f"With B = {DAMPING_1D:g} nothing increases, and it behaves as a real spring mesh.",
            "It settles to 1 % in "
            + ", ".join(f"{m.rests():.2f} s" for m in damped)
            + " with the old, the new and the average velocity, and the distance rises by "
            f"{100 * rises:.0f} % of its start: both modes are over-damped, {ratios[0]:.1f} and "
            f"{ratios[1]:.1f} times critical. No particle passes another, so both laws are the same.",
            holds_if(all(np.isfinite(m.rests()) for m in damped) and rises < 1e-6),
        ),
        Claim(
            "3",
            "Moving with the average of both velocities reduces the error significantly.",
            f"Of explicit Euler it halves the growth, {rates[0]:.2f} to {rates[1]:.2f} 1/s, and the "
            "error; so it blows up later. Beside the step that the paper prints, which does not grow, "
            f"its error is {rough.error[0] / gentle.error[0]:.1f} times as large. All three are of "
            f"first order; fitted on the chain: {errors['explicit'].order:.2f}, {gentle.order:.2f} and "
            f"{rough.order:.2f}. What fits the report is, again, a program that used the old velocity.",
            Verdict.PARTLY if rough.error[0] > gentle.error[0] else Verdict.HOLDS,
        ),
    ]
