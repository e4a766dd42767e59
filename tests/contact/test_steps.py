"""Bodies in contact, by plain steps of backward Euler: they land, slide, stick and never pass."""

import numpy as np
import pytest

import pliant as pl
from pliant.backend import resident
from pliant.contact.surface import ContactBody
from tests.contact.steps import World

BOX = pl.meshes.box((0.2, 0.2, 0.2), (2, 2, 2))
FLOOR = np.array([[0.0, 0.0, 0.0]]), np.array([[0.0, 0.0, 1.0]])


def at(mesh, *place):
    return pl.Mesh(mesh.points + np.array(place), mesh.cells)


def finite(world):
    return np.isfinite(world.contact.value(world.system.assembly.array(world.x)))


@pytest.mark.parametrize("friction, dt", [(0.1, 1 / 60), (0.3, 1 / 24)])
def test_a_block_on_a_slope_slides_as_coulomb_says(friction, dt):
    angle = np.radians(20.0)
    g = 9.81 * np.array([-np.sin(angle), 0.0, -np.cos(angle)])
    box = at(BOX, 0.0, 0.0, 1.8e-4)
    world = World([box], young=1e6, gap=2e-4, gravity=g, planes=FLOOR, friction=friction)
    speeds = []
    for _ in range(10):
        world.step(dt)
        speeds.append(world.masses @ world.v[:, 0] / world.masses.sum())
    want = -9.81 * (np.sin(angle) - friction * np.cos(angle))
    assert (speeds[-1] - speeds[-4]) / (3 * dt) == pytest.approx(want, rel=1e-4)


def test_a_block_that_should_stick_does_not_creep():
    angle = np.radians(20.0)
    g = 9.81 * np.array([-np.sin(angle), 0.0, -np.cos(angle)])
    box = at(BOX, 0.0, 0.0, 1.8e-4)
    world = World([box], young=1e6, gap=2e-4, gravity=g, planes=FLOOR, friction=0.5)
    for _ in range(12):
        world.step(1 / 24)
    x = world.x
    for _ in range(12):
        world.step(1 / 24)
    assert np.abs(world.x - x).max() < 1e-9


@pytest.mark.parametrize("young, dt", [(1e5, 1 / 60), (1e9, 1 / 24)])
def test_a_fast_box_lands_on_a_box_and_energy_never_grows(young, dt):
    boxes = [at(BOX, 0, 0, 9e-4), at(BOX, 0.03, 0.04, 0.25)]
    velocity = np.repeat([[0.0, 0, 0], [0, 0, -20.0 if young > 1e8 else -2.0]], len(BOX), axis=0)
    world = World(boxes, young=young, planes=FLOOR, velocity=velocity)
    before = start = world.energy()
    for _ in range(8):
        world.step(dt)
        now = world.energy()
        assert finite(world) and now <= before + 1e-6 * abs(start)
        before = now
    upper = world.x[len(BOX) :, 2].mean()
    assert 0.2 < upper < 0.45


def test_boxes_that_collide_in_space_keep_their_momentum():
    velocity = np.repeat([[0.0, 0, 1.0], [0, 0.5, -2.0]], len(BOX), axis=0)
    boxes = [BOX, at(BOX, 0.05, 0.02, 0.24)]
    world = World(boxes, gravity=(0, 0, 0), velocity=velocity, friction=0.5)
    p = world.momenta()[0]
    for _ in range(6):
        world.step(1 / 60, laps=2)
        assert finite(world)
        np.testing.assert_allclose(world.momenta()[0], p, atol=1e-10 * np.abs(p).max())
    assert world.v[: len(BOX), 2].mean() < 0.5  # they have met


def test_a_box_does_not_fall_past_a_ball_smaller_than_its_cells():
    ball = ContactBody(
        np.array([[0.07, 0.06, -0.05]]), loose=np.array([0]), radius=0.03, given=True
    )
    world = World([BOX], more=(ball,))
    for _ in range(12):
        world.step(1 / 60)
        assert finite(world)
    pushed = world.contact.near(world.system.assembly.array(world.x))[1]
    assert len(pushed) and world.x[:, 2].mean() > -0.1


@pytest.mark.parametrize("friction", [0.0, 0.4])
def test_steps_that_stay_on_a_device_are_the_same(friction):
    """Blocks of pairs are multiplied beside the pattern; nothing is factorised."""

    def run():
        boxes = [at(BOX, 0, 0, 9e-4), at(BOX, 0.03, 0.04, 0.21)]
        velocity = np.repeat([[0.0, 0, 0], [0, 0.3, -1.0]], len(BOX), axis=0)
        world = World(boxes, planes=FLOOR, velocity=velocity, friction=friction)
        for _ in range(4):
            world.step(1 / 60)
        return world

    with resident():
        there = run()
    here = run()
    assert there.system.resident and not here.system.resident
    np.testing.assert_allclose(there.x, here.x, atol=1e-11)
    assert len(there.contact.near(there.system.assembly.array(there.x))[1]) > 30


def test_search_converges_quadratically():
    boxes = [at(BOX, 0, 0, 9e-4), at(BOX, 0.03, 0.04, 0.2015)]
    world = World(boxes, planes=FLOOR)
    for _ in range(3):
        world.step(1 / 60)
    assert max(report.iterations for report in world.reports) < 20


def test_pinned_points_stay_and_are_touched():
    """The lower box is pinned: blocks of its points are not in the matrix."""
    boxes = [BOX, at(BOX, 0.03, 0.04, 0.203)]
    world = World(boxes, pinned=len(BOX))
    for _ in range(6):
        world.step(1 / 60)
        assert finite(world)
    np.testing.assert_array_equal(world.x[: len(BOX)], BOX.points)
    assert world.x[len(BOX) :, 2].min() > 0.2
