"""Longer scenes with `pl.Contact`, each several times with a little noise: nothing ever crosses."""

import numpy as np
import pytest

import pliant as pl
from tests.contact.in_scenes import box, crossings, on_floor, pushes

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", range(10))
def test_boxes_thrown_at_each_other(seed):
    rng = np.random.default_rng(seed)
    bodies = []
    for k in range(4):
        place = [0.25 * (k % 2), 0.1 * (k // 2), 0.05 + 0.25 * (k // 2)]
        speed = rng.uniform(-3, 3, 3) - [0, 0, 3]
        bodies.append(box(*place, young=10.0 ** rng.uniform(4.5, 8), velocity=speed, name=f"{k}"))
    scene = on_floor(*bodies, friction=rng.uniform(0, 0.8))
    dt = (1 / 60, 1 / 24, 1 / 240)[seed % 3]
    take = scene.run(seconds=16 * dt, dt=dt, progress=False)
    assert not crossings(scene, take)
    assert min(track.positions[..., 2].min() for track in take.tracks) > 0.0


def test_a_tower_stands():
    mesh = pl.meshes.box((0.2, 0.2, 0.2), (3, 3, 3))
    tower = [box(0.004 * k, 0.003 * k, 0.2 * k, mesh=mesh, name=f"{k}") for k in range(5)]
    for body in tower:
        body.damping = pl.Rayleigh(mass=5.0)  # or it sways for seconds
    scene = on_floor(*tower, friction=0.3)
    scene.run(seconds=4.0, dt=1 / 60, progress=False)
    before = [body.positions for body in scene.bodies]
    take = scene.run(seconds=0.5, dt=1 / 60, progress=False)
    assert not crossings(scene, take)
    for body, x in zip(scene.bodies, before, strict=True):
        assert np.abs(body.positions - x).max() < 1e-5
    weight, found = 9.81 * tower[0].masses.sum(), pushes(scene)
    assert found[0, 5] == pytest.approx(5.0 * weight, rel=1e-3)
    for k in range(4):
        assert found[k, k + 1] == pytest.approx(-(4.0 - k) * weight, rel=1e-3)
