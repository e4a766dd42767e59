"""What section 5.1.2 of the thesis claims of plasticity."""

from __future__ import annotations

import numpy as np

from pliant.lab.claims import Claim, Verdict, holds_if

from .plasticity import STIFFNESS, YIELD, kept, limited, norm_of_pressure

TAUS, STEPS = (1.0, 4.0), (1 / 30, 1 / 60, 1 / 240)


def plasticity_claims() -> list[Claim]:
    """Section 5.1.2, with the library's own flow beside it."""
    below, beyond = 0.5 * YIELD / STIFFNESS, 2.0 * YIELD / STIFFNESS
    first = {}
    for tau in TAUS:
        for dt in STEPS:
            free = limited(below, tau, dt, 2)
            first[tau, dt] = free.unknown[0] / free.elastic[0]
    told = ", ".join(
        f"{first[tau, dt]:.3g} (τ = {tau:g}, Δt = 1/{round(1 / dt)})" for tau, dt in first
    )
    bound = limited(below, 1.0, 1 / 60, 1, YIELD).unknown[0]
    later = limited(beyond, 1.0, 1 / 240, 40)
    share = np.abs(later.unknown[1:4]) / YIELD
    ours = {(t, dt): kept(beyond, t, dt) for t in TAUS for dt in STEPS}
    still = max(kept(0.99 * YIELD / STIFFNESS, t, dt) for t in TAUS for dt in STEPS)
    spread = float(np.ptp(list(ours.values())) / np.mean(list(ours.values())))
    return [
        Claim(
            "(5.5)",
            "Limiting the stress over which the energy is minimised limits that of the material.",
            "It is another stress: the force that makes the velocity of the step. Of a spring let go "
            f"at half its yield stress it is in the first step, over the elastic stress: {told}. So a "
            f"spring far below yield is held at the limit ({abs(bound) / YIELD:.2f} of it).",
            holds_if(all(abs(ratio - 1.0) < 0.05 for ratio in first.values())),
        ),
        Claim(
            "(5.5)",
            "A stress beyond yield is limited.",
            "A spring let go at twice its yield stress, τ = 1, Δt = 1/240: in steps 2 to 4 the unknown "
            f"is {share[0]:.2g}, {share[1]:.2g} and {share[2]:.2g} of the yield stress and of the "
            f"other sign than the elastic one, which is {np.abs(later.elastic[1]) / YIELD:.2f} of it.",
            holds_if(bool((later.unknown[1:4] * later.elastic[1:4] > 0.0).all())),
        ),
        Claim(
            "(5.5)",
            "|σ| ≤ σ<sub>y</sub>, with the norm of the whole stress.",
            f"A pressure p has |σ| = {norm_of_pressure():.2f} p, so that matter would flow under pure "
            "pressure. It must be the deviator: von Mises’ norm of a pressure is 0.",
            Verdict.MISPRINT,
        ),
        Claim(
            "5.1.2",
            "Additional plastic deformation could be calculated.",
            "Ours, by elastic stress: with inertia in place of a scaled energy forces are physical, and "
            "the step minimises over the flow as well. The same spring keeps "
            f"{np.mean(list(ours.values())):.4f} m for all six τ and Δt (spread {100 * spread:.2g} %), "
            f"and {still:.2g} m when let go at 0.99 of its yield stress.",
            holds_if(spread < 1e-9 and still == 0.0),
        ),
    ]
