"""A sheet over a ball comes to rest on it."""

import numpy as np
import pytest

import pliant as pl
from tests.unit.test_cloth import sheet


@pytest.mark.parametrize("dt", [1 / 60, 1 / 120])
def test_a_sheet_over_a_ball_comes_to_rest_in_folds(dt):
    mesh, radius = sheet(cells=(10, 10)), 0.25
    body = pl.Cloth(mesh, stretch=3000.0, shear=200.0, bend=1e-4, density=0.25)
    body.damping = pl.Rayleigh(mass=4.0)  # as a thick liquid around it would
    rng = np.random.default_rng(1)
    body.place(mesh.points + [-0.5, radius + 0.01, -0.5] + 1e-3 * rng.random(mesh.points.shape))
    scene = pl.Scene([body], gravity=(0, -9.81, 0))
    scene.add(pl.Sphere((0, 0, 0), radius, friction=0.4))
    take = scene.run(seconds=2.5, dt=dt, progress=False)
    gap = np.linalg.norm(take.positions, axis=2) - radius
    # Its edges touch, the longest by their middle: their ends are so much farther away. The gap is 1 mm.
    farthest = np.hypot(radius, 0.05 * np.sqrt(2)) - radius + 1e-3
    assert gap.min() > -1e-12 and gap[-1].min() < farthest
    # What still moves swings: folds hang on threads.
    assert np.linalg.norm(take.velocities[-1], axis=1).max() < 0.05
    x, hangs = take.positions[-1], take.positions[-1, :, 1] < -0.05
    assert 0.2 < hangs.mean() < 0.8 and x[:, 1].min() < -0.2  # a skirt around the ball
    # It is in folds: around the ball the skirt comes nearer and goes away again several times.
    turn = np.arctan2(x[:, 2], x[:, 0])[hangs]
    out = np.hypot(x[:, 0], x[:, 2])[hangs]
    mean = [out[np.abs(turn - a) < 0.3].mean() for a in np.linspace(-2.8, 2.8, 10)]
    assert np.ptp(mean) > 0.02
    # Its weight hangs on threads around the ball: 2.5 N over half of its girth, five times for folds.
    assert body.stretches().max() - 1.0 < 5 * 2.5 / (np.pi * radius * 3000.0)
