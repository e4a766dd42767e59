"""Two masses and one spring: what spring damping does past half of Lemma 1's bound."""

from __future__ import annotations

import numpy as np

import pliant as pl

STIFFNESS, MASS, DT, PUSH = 100.0, 1.0, 0.02, 0.05


def stretch(strength: float, seconds: float = 2.0) -> float:
    """How far the spring is from its length in the end, over how far it was pulled at the start.

    The strength is dt gamma lambda_max with lambda_max = 2/m; Lemma 1 allows up to 2. A step
    multiplies the relative velocity by 1 - strength; where that is negative, forces that pull the
    masses together throw them apart.
    """
    mesh = pl.Mesh([[0.0, 0.0], [1.0, 0.0]], {"line": [[0, 1]]})
    body = pl.Springs(mesh, stiffness=STIFFNESS, mass=MASS)
    body.damping = pl.SpringDamping(strength * MASS / (2.0 * DT))
    body.place([[0.0, 0.0], [1.0 + PUSH, 0.0]])
    take = pl.Scene(body).run(seconds=seconds, dt=DT, stepper=pl.SymplecticEuler(), progress=False)
    return float(abs(np.ptp(take.positions[-1][:, 0]) - 1.0) / PUSH)
