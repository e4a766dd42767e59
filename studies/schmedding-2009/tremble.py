"""Small vibrations about the rest shape: where theory says exactly how long a step may be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import pliant as pl

from .dampings import KINDS
from .search import case_of

GAMMAS = (0.2, 0.5, 0.8, 0.95)
STEPS, SMALL = 300, 1e-8


def law(gammas: Sequence[float] = GAMMAS, close: float = 1.02) -> dict[float, float]:
    """The largest step of a sneaker that trembles in the air, over the undamped limit, for each gamma.

    Damped by (8) as a whole, nothing taken from its torque.
    """
    found = {}
    for gamma in gammas:
        low, high = 0.5, 20.0
        while high > close * low:
            ratio = float(np.sqrt(low * high))
            low, high = (low, ratio) if grows(gamma, ratio) else (ratio, high)
        found[gamma] = low
    return found


def predicted(gamma: float) -> float:
    """The same by theory: of a vibration that loses a share of its velocity in every step.

    v <- (1 - g)(v - dt w^2 x), x <- x + dt v stays bounded while (dt w)^2 (1 - g) < 2 (2 - g).
    """
    return float(np.sqrt((2.0 - gamma) / (2.0 * (1.0 - gamma)))) if gamma < 1.0 else np.inf


def grows(gamma: float, ratio: float) -> bool:
    """Whether there is more energy late in a run than in its first steps."""
    case = case_of("sneaker")
    dt, body = ratio * case.limit, case.body
    case.begin(KINDS["global, torque left"].of_strength(case, gamma, dt))
    noise = np.random.default_rng(0).normal(size=body.mesh.points.shape)
    body.place(body.mesh.points + SMALL * noise)
    case.scene.time = case.seconds  # the hand has let go
    system, energy = body.system(), []
    try:
        for _ in range(STEPS):
            case.scene.step(dt, stepper=pl.SymplecticEuler())
            energy.append(system.assembly.value(body.state.x))
    except pl.SolverError:
        return True
    # Twice: near its limit a bounded motion swings; past it a run ends far above where it began.
    return bool(max(energy[-STEPS // 4 :]) > 2.0 * max(energy[:5]))
