"""What sections 1 and 3 to 5 of the paper claim about triangle, pyramid and algorithm."""

from __future__ import annotations

import numpy as np

from pliant.lab.claims import Claim, Verdict, holds_if, power

from .paper import (
    DAMPING,
    DAMPING_1D,
    DT,
    REST,
    STIFFNESS,
    chain,
    signed,
    simulate,
    triangle,
)
from .runs import FAR, STEPS, Runs, growth


def mesh_claims(runs: Runs) -> list:
    """Triangle, pyramid, and what is printed otherwise than meant."""
    return [_undamped(runs), *_settling(runs), *_misprints(), _loop(runs)]


def _undamped(runs: Runs) -> object:
    found = {
        name: [runs.free[name, step].blown_up(FAR) for step in STEPS[:3]]
        for name in ("triangle", "pyramid")
    }
    steady = max(
        runs.free[name, "symplectic"].structure.lengths(runs.free[name, "symplectic"].x).max()
        for name in found
    )
    return Claim(
        "3",
        "The first two-dimensional simulations were totally unstable.",
        "Without damping the triangle blows up at "
        f"{found['triangle'][0]:.1f} s with the old velocity and {found['triangle'][2]:.1f} s with the "
        f"average one, the pyramid at {found['pyramid'][0]:.1f} and {found['pyramid'][2]:.1f} s. With "
        f"the new velocity neither does; no spring gets longer than {steady / REST:.1f} rest lengths.",
        Verdict.PARTLY if steady < 10.0 * REST else Verdict.HOLDS,
    )


def _settling(runs: Runs) -> list:
    claims = []
    for name, where in (("triangle", "3.1, figure 2"), ("pyramid", "4, figure 3")):
        motions = [runs.damped[name, step] for step in STEPS[:3]]
        ours = runs.settled[name]
        average = motions[2]
        moved = np.linalg.norm(average.x[-1].mean(axis=0) - average.structure.rest.mean(axis=0))
        fast = {"triangle": (1.5, 3.0), "pyramid": (1.0, 4.0)}[name]
        zeta = [0.5 * DAMPING * np.sqrt(k / STIFFNESS) for k in fast]
        says = (
            "ends in its rest position." if name == "triangle" else "behaves really and is stable."
        )
        claims.append(
            Claim(
                where,
                f"With B = {DAMPING:g} the {name} {says}",
                f"It rests within 1 % in {motions[0].rests():.2f}, {motions[1].rests():.2f} and "
                f"{average.rests():.2f} s (old, new, average velocity); its modes have {zeta[0]:.2f} to "
                f"{zeta[1]:.2f} of critical damping. It gets back its shape, not its place: nothing "
                f"holds it, and it has moved by {moved:.2f}, the share of the one particle that was "
                f"displaced. <code>pl.Settle(rest_in={ours.asked:.3f}, bounces=0)</code> on the same "
                f"springs rests in {ours.found:.3f} s with steps of 8 ms.",
                holds_if(all(np.isfinite(m.rests()) for m in motions)),
            )
        )
    return claims


def _misprints() -> list:
    plus = simulate(chain(), signed(stiffness=-STIFFNESS), "symplectic", 1.0, far=2 * FAR)
    x = simulate(triangle(), _as_printed, "symplectic", 5.0, far=2 * FAR)
    return [
        Claim(
            "2",
            "F = K(X − X<sub>0</sub>).",
            "The sign: as printed the spring pushes what is too far farther, and the chain blows up at "
            f"{plus.blown_up(FAR):.2f} s with every step. Later formulas have the minus.",
            Verdict.MISPRINT,
        ),
        Claim(
            "3",
            "F<sub>x</sub> = −K (Pos<sub>2x</sub> − Pos<sub>1x</sub>) + B V<sub>x</sub>.",
            "No rest length, and a damping that drives: the triangle falls into its centre and then "
            f"flies apart, at {x.blown_up(FAR):.2f} s. The formulas after it are right.",
            Verdict.MISPRINT,
        ),
    ]


def _as_printed(d: np.ndarray, v: np.ndarray) -> np.ndarray:
    return STIFFNESS * d - DAMPING * v


def _loop(runs: Runs) -> object:
    motion = runs.damped["chain", "in place"]
    speeds = [np.abs(runs.damped["chain", s].v[-1].mean()) for s in ("symplectic", "in place")]
    later = runs.undamped["unsigned", "in place"].blown_up(FAR)
    return Claim(
        "5",
        "The algorithm: for every particle calculate its force, its velocity, its position.",
        "As listed a particle has moved before the next one feels it, and action is no longer "
        f"reaction. The chain with B = {DAMPING_1D:g} gets its shape back in "
        f"{motion.rests():.2f} s and then moves off, after 1.5 s at {speeds[1]:.2f} a second, faster by "
        f"e every {1.0 / growth('in place', DAMPING_1D):.1f} s; where all forces come first it stays "
        f"(speed {power(speeds[0])}). Without damping and with the unsigned law "
        f"it blows up at {later:.1f} s, Δt = {1e3 * DT:g} ms. Two loops are needed, one for forces and "
        "one for steps.",
        holds_if(speeds[1] < 1e-9),
    )
