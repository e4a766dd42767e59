"""Plasticity in the study of Young (2007): (5.5) limits another stress than the material's."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "studies"))
plasticity, claims = (
    importlib.import_module(f"young-2007.{n}") for n in ("plasticity", "claims_plasticity")
)
K, YIELD = plasticity.STIFFNESS, plasticity.YIELD


@pytest.mark.parametrize("tau, dt", [(1.0, 1 / 60), (4.0, 1 / 240)])
def test_the_stress_of_the_thesis_is_that_of_the_velocity(tau, dt):
    """In the first step tau/dt times the elastic stress at its end; later -tau^2 k/m times it."""
    x0 = 0.5 * YIELD / K
    found = plasticity.limited(x0, tau, dt, 12)
    x = x0 / (1.0 + tau * dt * K / plasticity.MASS) ** np.arange(1, 13)
    assert found.unknown[0] == pytest.approx(-tau / dt * K * x[0], rel=1e-12)
    ratio = found.unknown[1:] / (-K * x[1:])
    assert ratio == pytest.approx(np.full(11, -(tau**2) * K / plasticity.MASS), rel=1e-9)


def test_flow_by_elastic_stress_knows_neither_tau_nor_dt():
    start = 2.0 * YIELD / K
    found = [plasticity.kept(start, tau, dt) for tau in (1.0, 4.0) for dt in (1 / 30, 1 / 240)]
    assert found == pytest.approx([0.99 * YIELD / K] * 4, rel=1e-9)


def test_claims():
    found = [claim.verdict.name for claim in claims.plasticity_claims()]
    assert found == ["FAILS", "FAILS", "MISPRINT", "HOLDS"]
