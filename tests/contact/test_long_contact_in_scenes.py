"""Longer scenes with `pl.Contact`, each several times with a little noise: nothing ever crosses."""

import numpy as np
import pytest

import pliant as pl
from tests.contact.in_scenes import box, crossings, on_floor, pushes

pytestmark = pytest.mark.slow


def shaken(body, seed):
    """The body with noise of 1e-6 m."""
    noise = np.random.default_rng(seed).standard_normal(body.positions.shape)
    body.place(body.positions + 1e-6 * noise)
    return body


def sheet(n, size, height, **how):
    """A level cloth around the origin."""
    flat = pl.meshes.rectangle((size, size), (n, n))
    points = np.column_stack([flat.points - size / 2, np.full(len(flat), height)])
    mesh = pl.Mesh(points, flat.cells)
    return pl.Cloth(mesh, stretch=1000.0, shear=200.0, bend=1e-5, density=0.2, **how)


@pytest.mark.parametrize("seed", range(10))
def test_a_cloth_on_a_sphere_and_on_a_cloth(seed):
    under, over = sheet(10, 0.8, 0.32, name="under"), sheet(9, 0.7, 0.36, name="over")
    bodies = [shaken(under, seed), shaken(over, seed + 100)]
    scene = pl.Scene(bodies, gravity=(0, 0, -9.81), contact=pl.Contact())
    scene.add(pl.Sphere((0.02, 0.01, 0), 0.3))
    dt = 1 / 60 if seed % 2 else 1 / 24
    take = scene.run(seconds=14 * dt, dt=dt, progress=False)
    assert not crossings(scene, take)
    assert take["under"].positions[-1][:, 2].min() < 0.2  # it hangs down


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


@pytest.mark.parametrize("dt", [1 / 240, 1 / 24])
def test_nothing_creeps_in_ten_seconds(dt):
    angle = np.radians(20.0)
    g = 9.81 * np.array([-np.sin(angle), 0.0, -np.cos(angle)])
    mesh = pl.meshes.box((0.2, 0.2, 0.2), (4, 4, 4))
    scene = on_floor(box(0, 0, 0, mesh=mesh), gravity=g, friction=0.37)
    scene.run(seconds=1.0, dt=dt, progress=False)
    x = scene.bodies[0].positions
    scene.run(seconds=10.0, dt=dt, progress=False)
    assert np.abs(scene.bodies[0].positions - x).max() < 1e-6
