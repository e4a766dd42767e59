"""Bounces of solids so soft that they hang down from their clamp: far from rest all along."""

import numpy as np
import pytest

import pliant as pl


@pytest.mark.parametrize("bounces", [1, 2, 3])
def test_a_limp_beam_let_go_straight_stays_of_its_size_and_comes_to_rest(bounces):
    """4 m long, its tip rests 3 m down. There is no promise of time; but it must not burst."""
    mesh = pl.meshes.rectangle((4, 1), (8, 2))
    soft = pl.StableNeoHookean(young=1e5, poisson=0.4)
    beam = pl.Body(mesh, soft, damping=pl.Settle(0.8, bounces))
    beam.fix(mesh.points[:, 0] < 1e-9)
    take = pl.Scene(beam, gravity=(0, -3.0)).run(seconds=1.0, dt=1 / 60, progress=False)
    assert np.abs(take.positions).max() < 4.5  # as long as it is, and its stretch
    d = take.distance()
    assert d[0] > 2.0 and d.max() < 1.1 * d[0] and d[-1] < 0.01 * d[0]
