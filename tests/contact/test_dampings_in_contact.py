"""Dampings other than `Settle` in contact: their inertia, or their filter, and nothing passes."""

import numpy as np
import pytest

import pliant as pl
from tests.contact.in_scenes import box, crossings, on_floor

FEW = pl.meshes.box((0.2, 0.2, 0.2), (1, 1, 1))
FILTERS = [
    pl.PointDamping(0.05),
    pl.RelativeDamping(0.05),
    pl.SpringDamping(0.05),
]


def test_bodies_that_minimise_energy_keep_their_momentum_when_they_collide():
    bodies = [
        box(0, 0, 0, velocity=(1.0, 0, 0), young=1e5, mesh=FEW, name="a"),
        box(0.25, 0.03, 0.02, velocity=(-0.5, 0, 0), young=1e5, mesh=FEW, name="b"),
    ]
    for body in bodies:
        body.damping = pl.EnergyMinimising(tau=0.02, kappa=0.5)
    scene = pl.Scene(bodies, contact=pl.Contact())

    def momentum():
        return sum(body.masses @ body.velocity for body in bodies)

    before = momentum()
    for _ in range(20):
        scene.step(1 / 60)
    np.testing.assert_allclose(momentum(), before, atol=1e-10 * np.abs(before).max())
    assert bodies[0].velocity[:, 0].mean() < bodies[1].velocity[:, 0].mean()  # they have met


def test_what_minimises_energy_flies_as_without_contact_and_comes_to_rest():
    def fallen(contact, seconds):
        body = box(0, 0, 0.15, velocity=(0.5, 0, 0), young=1e5, mesh=FEW, name="box")
        body.damping = pl.EnergyMinimising(tau=0.1)
        scene = on_floor(body) if contact else pl.Scene([body], gravity=(0, 0, -9.81))
        return scene, scene.run(seconds=seconds, dt=1 / 60, progress=False)

    flights = [fallen(contact, 8 / 60)[1].positions for contact in (True, False)]
    np.testing.assert_allclose(*flights, atol=1e-12)
    scene, take = fallen(True, 0.8)
    assert not crossings(scene, take)
    assert np.abs(scene.bodies[0].velocity).max() < 1e-3  # it has landed with 1.7 m/s
    weight = float(scene.bodies[0].masses.sum()) * 9.81
    pushed = take.contacts[-1].between("box", "floor").forces.sum(axis=0)
    assert pushed[2] == pytest.approx(weight, rel=1e-3)  # speeds of 1e-4 m/s are left


@pytest.mark.parametrize("damping", FILTERS, ids=lambda d: type(d).__name__)
def test_filters_of_velocities_act_in_contact_and_nothing_passes(damping):
    body, other = box(0, 0, 0.03, young=1e5, mesh=FEW, name="low"), box(0.05, 0.02, 0.25, mesh=FEW)
    body.damping, calm = damping, pl.Settle(rest_in=0.4)
    scene = on_floor(body, other)
    for wish in (None, calm):  # alone, and beside a body that is to rest on cue
        other.damping = wish
        take = scene.run(seconds=8 / 60, dt=1 / 60, progress=False)
        assert not crossings(scene, take)
    free = box(0, 0, 0.1, young=1e5, mesh=FEW)
    start, twin = on_floor(box(0, 0, 0.1, young=1e5, mesh=FEW)), on_floor(free)
    free.damping = damping
    shaken = np.random.default_rng(0).standard_normal((len(free), 3))
    for one in (start, twin):
        one.bodies[0].velocity = shaken
        one.step(1 / 600)
    assert np.linalg.norm(free.velocity) < np.linalg.norm(start.bodies[0].velocity)  # it acts


def test_what_pins_hold_has_no_rigid_motion_and_may_touch():
    """As a body in the hand on the stage."""
    cube, soft = (
        pl.meshes.box((0.2, 0.2, 0.2), (2, 2, 2)),
        pl.StableNeoHookean(young=1e5, poisson=0.4),
    )
    held, low = (pl.Body(cube, soft, density=1000.0, name=name) for name in ("held", "low"))
    held.fix(cube.points[:, 2] > 0.2 - 1e-9)
    held.damping, low.damping = pl.EnergyMinimising(tau=10.0), pl.Settle(0.3)
    held.place(cube.points + [0, 0, 0.2013])
    low.place(cube.points + [0, 0, 0.001])
    scene = on_floor(held, low)
    take = scene.run(seconds=0.1, dt=1 / 60, progress=False)
    assert not crossings(scene, take)
    assert any(len(touching.between("held", "low").forces) for touching in take.contacts)
