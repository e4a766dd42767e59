"""What falls and lands comes to rest on cue, after as many hops as were asked for."""

import logging
import math

import numpy as np
import pytest

import pliant as pl
from pliant.control import LandingStage, LandingState, descent
from tests.contact.in_scenes import crossings
from tests.contact.landings import (
    CUBE,
    SIZE,
    G,
    falling,
    hop_heights,
    rest_of,
    run,
    speed_of_fall,
)
from tests.resuming import assert_same, stopped_and_resumed


@pytest.mark.parametrize("bounces", [None, 0])
@pytest.mark.parametrize("dt", [1 / 240, 1 / 60, 1 / 24])
def test_a_box_that_falls_rests_on_cue_at_every_time_step(bounces, dt):
    scene, body = falling(bounces=bounces, rest_in=0.5)
    take = run(scene, 1.2, dt)
    assert take[body].since == pytest.approx(math.sqrt(2.0 * 0.5 / G), rel=1e-3)  # the gap: 2e-4 m
    # Issue: 5 % or one frame. Measured 0.1 to 2 %.
    assert take[body].rest_time() == pytest.approx(0.5, rel=0.05)
    assert take[body].positions[:, :, 1].min() > 0.0
    assert not hop_heights(take, body)


@pytest.mark.parametrize("dt", [1 / 120, 1 / 24])
def test_it_hops_as_often_as_asked_and_rests_in_time(dt):
    V = speed_of_fall(0.5)
    rest_in = sum(2.0 * V * 0.65**i / G for i in (1, 2, 3))
    scene, body = falling(young=1e6, bounces=3, rest_in=rest_in)
    take = run(scene, 0.32 + 1.4 * rest_in, dt)
    heights = hop_heights(take, body)
    assert body.state.control.made == len(heights) == 3
    # Heights fall by a constant factor, and are the same at both time steps: measured at 1/240 s.
    assert heights == pytest.approx([0.1965, 0.0771, 0.0306], abs=0.02 * 0.1965)
    assert take[body].rest_time() == pytest.approx(rest_in, rel=0.06)


def test_hops_that_no_time_is_left_for_are_announced(caplog):
    scene, body = falling(height=0.05, bounces=5, rest_in=0.3)
    with caplog.at_level(logging.WARNING, logger="pliant"):
        take = run(scene, 0.8, 1 / 60)
    assert "of 5 hops" in caplog.text and body.state.control.made < 5
    assert take[body].rest_time() == pytest.approx(0.3, rel=0.06)


@pytest.mark.parametrize("friction", [0.0, 0.4])
def test_a_box_that_lands_on_a_corner_lies_down_on_cue(friction):
    scene, body = falling(height=0.3, turned=0.35, friction=friction, rest_in=0.6)
    take = run(scene, 1.2, 1 / 60)
    low = np.sort(body.positions[:, 1])
    assert np.ptp(low[:9]) < 1e-3 * SIZE  # nine points of a side of two by two cells
    assert rest_of(take, body, friction=friction) == pytest.approx(0.6, rel=0.06)


def test_what_flies_follows_the_parabola_and_keeps_its_speed_along():
    scene, body = falling(velocity=(1.0, 0.0, 0.5), bounces=1, rest_in=0.6)
    take = run(scene, 0.3, 1 / 24)
    t, m = take.times, body.masses
    centre = np.einsum("n,fnd->fd", m, take[body].positions) / m.sum()
    expected = centre[0] + t[:, None] * [1.0, 0.0, 0.5] - 0.5 * G * t[:, None] ** 2 * [0, 1, 0]
    np.testing.assert_allclose(centre, expected, atol=1e-12)


def test_sliding_goes_on_unless_it_is_to_rest():
    for slide, left in ((True, 1.0), (False, 0.01)):
        scene, body = falling(height=0.1, velocity=(1.0, 0.0, 0.0), slide=slide, rest_in=0.6)
        run(scene, 0.15 + 0.6, 1 / 60)
        along = float(body.masses @ body.velocity[:, 0] / body.masses.sum())
        assert along == pytest.approx(left, rel=0.2 if left < 1.0 else 1e-3)


def test_a_box_on_a_box_rests_on_cue_and_nothing_crosses():
    bodies = []
    for k, y in enumerate((1e-3, 0.2 + 0.2)):
        body = pl.Body(
            CUBE, pl.StableNeoHookean(young=1e6, poisson=0.4), density=1000.0, name=f"{k}"
        )
        body.place(CUBE.points + [0.03 * k, y, 0.01 * k])
        body.damping = pl.Settle(rest_in=0.5)
        bodies.append(body)
    scene = pl.Scene(bodies, gravity=(0, -G, 0), contact=pl.Contact(friction=0.4))
    scene.add(pl.HalfSpace((0, 0, 0), (0, 1, 0), name="floor"))
    take = run(scene, 1.1, 1 / 60)
    assert not crossings(scene, take)
    assert take[bodies[1]].rest_time() == pytest.approx(0.5, rel=0.06)
    # The one below had 0.3 s left when it was hit: its deadline is that of the group, which is later.
    assert scene.time - bodies[0].state.control.clock < 0.05


def test_a_member_without_settle_stays_physical():
    scene, body = falling(height=0.02)
    other = pl.Body(CUBE, pl.StableNeoHookean(young=1e5, poisson=0.4), density=1000.0, name="other")
    other.place(CUBE.points + [1.0, 0.5, 0.0])
    scene = pl.Scene([body, other], gravity=(0, -G, 0), contact=pl.Contact())
    scene.add(pl.HalfSpace((0, 0, 0), (0, 1, 0)))
    run(scene, 0.3, 1 / 60)
    t = 0.3
    # Backward Euler's fall at steps of 1/60 s is longer than the parabola; some steps were shorter.
    least, most = 0.5 - 0.5 * G * t * (t + 1 / 60), 0.5 - 0.5 * G * t**2
    assert least < other.positions[:, 1].min() < most
    assert isinstance(body.state.control, LandingState)
    assert body.state.control.stage is LandingStage.SETTLE


def test_a_run_that_stops_in_contact_is_taken_up_bit_for_bit(tmp_path):
    def scene():
        return falling(bounces=1, rest_in=0.5, friction=0.3, turned=0.2)[0]

    whole = scene().run(seconds=42 / 60, dt=1 / 60, progress=False)
    for at in (12, 25, 38):  # in flight, on the ground, in a hop or at rest
        found = stopped_and_resumed(scene, tmp_path / f"{at}.zarr", steps=42, dt=1 / 60, at=at)
        assert_same(found, whole)


def test_bodies_that_collide_in_space_keep_their_momentum():
    bodies = []
    for at, speed in (((0, 0, 0), 1.0), ((0.5, 0.03, 0.02), -0.5)):
        body = pl.Body(CUBE, pl.StableNeoHookean(young=1e5, poisson=0.4), density=1000.0)
        body.place(CUBE.points + np.array(at))
        body.velocity = (speed, 0.0, 0.0)
        body.damping = pl.Settle(rest_in=0.5)
        bodies.append(body)
    scene = pl.Scene(bodies, contact=pl.Contact(friction=0.4))

    def momentum():
        return sum(body.masses @ body.velocity for body in bodies)

    before = momentum()
    for _ in range(30):
        scene.step(1 / 60)
    np.testing.assert_allclose(momentum(), before, atol=1e-10 * np.abs(before).max())
    assert bodies[0].velocity[:, 0].mean() < 0.5 < bodies[1].velocity[:, 0].mean()  # they have met


def test_takes_on_disk_say_the_same_of_a_landing(tmp_path):
    scene, body = falling(bounces=1, rest_in=0.5)
    take = scene.run(seconds=1.0, dt=1 / 60, into=tmp_path / "a.zarr", progress=False)
    take.save(tmp_path / "b.npz")
    for again in (take, pl.Take.read(tmp_path / "a.zarr"), pl.Take.read(tmp_path / "b.npz")):
        assert again[body.name].since == pytest.approx(math.sqrt(2.0 * 0.5 / G), rel=1e-3)
        assert again[body.name].lands
        assert again[body.name].rest_time() == pytest.approx(0.5, rel=0.06)


def test_the_descent_arrives_when_the_time_is_over():
    for begun in (None, (1.0, 0.5)):
        d, left, h = 1.0, 0.5, 1 / 60
        while left > 1e-9:
            d *= descent(d, 0.01, left, h, rest_in=0.5, within=0.01, begun=begun)
            left -= h
        # One step may pass the deadline: it goes on ten times as fast there.
        assert 0.01 * 0.01 ** (h / 0.05) <= d <= 0.01 * (1.0 + 1e-9)


def test_obstacles_that_move_and_ties_are_refused_with_settle():
    scene, _ = falling()
    scene.add(pl.Sphere((0, -1, 0), 0.1, path=([0.0, 1.0], [[0, 0, 0], [0, 0, 1]])))
    with pytest.raises(ValueError, match="an obstacle that moves"):
        scene.step(1 / 60)
