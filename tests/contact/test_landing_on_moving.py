"""What lies on something that moves follows it, and rests on cue when it stops."""

import numpy as np
import pytest

import pliant as pl
from pliant.contact import crossing_bodies
from tests.contact.in_scenes import island
from tests.contact.landings import G, run
from tests.resuming import assert_same, stopped_and_resumed

FEW = pl.meshes.box((0.2, 0.2, 0.2), (1, 1, 1))
BALL = pl.meshes.sphere(0.1, 2)


def scene_of(*obstacles, mesh=FEW, rest_in=0.3, bounces=None, friction=0.4):
    """A body that stands on the level of the floor, and obstacles."""
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.4), density=1000.0, name="body")
    body.place(mesh.points - [0, mesh.points[:, 1].min() - 1.9e-4, 0])
    body.damping = pl.Settle(rest_in=rest_in, bounces=bounces)
    scene = pl.Scene([body], gravity=(0, -G, 0), contact=pl.Contact(friction=friction))
    scene.add(*obstacles)
    return scene, body


def ground(path=None, name="ground"):
    return pl.HalfSpace((0, 0, 0), (0, 1, 0), path=path, name=name)


def centres(take, body):
    m = body.masses
    return np.einsum("n,fnd->fd", m, take[body].positions) / m.sum()


def crossed(scene, take):
    system = island(scene)
    for time, x in zip(take.times, take.positions, strict=True):
        system.contact.aim_at(time)
        if crossing_bodies(system.contact, system.assembly.array(x)):
            return True
    return False


@pytest.mark.parametrize("bounces", [None, 0])
def test_a_box_on_a_lift_rests_on_cue_after_the_lift_has_stopped(bounces):
    lift = pl.Keyframes([0.0, 0.4], offsets=[(0, 0, 0), (0, 0.3, 0)], ease="smooth")
    scene, body = scene_of(ground(lift), bounces=bounces)
    take = run(scene, 0.8, 1 / 60)
    assert take[body].since == pytest.approx(0.4, abs=1e-9)
    # Measured 1.00. What is left of the distance then is a thousandth of the box.
    assert take[body].rest_time() == pytest.approx(0.3, rel=0.05)
    rise = centres(take, body)[:, 1] - centres(take, body)[0, 1]
    heights = [scene.obstacles[0].pose(t).shift[1] for t in take.times]
    # It follows: its weight presses it by 2 mm meanwhile.
    assert rise == pytest.approx(heights, abs=3e-3)
    assert take.energies["obstacle_work"][-1] > float(body.masses.sum()) * G * 0.29
    assert not crossed(scene, take)


def test_a_lift_that_stops_at_once_throws_what_lies_on_it():
    speed = 0.8
    scene, body = scene_of(ground(([0.0, 0.3], [(0, 0, 0), (0, 0.3 * speed, 0)])), rest_in=0.5)
    take = run(scene, 0.9, 1 / 60)
    y = centres(take, body)[:, 1]
    stopped = int(np.searchsorted(take.times, 0.3))
    # The parabola; backward Euler's, of the step in which it parts, is lower by dt speed/2.
    rise = y.max() - y[stopped]
    assert rise == pytest.approx(speed**2 / (2.0 * G), abs=0.5 * speed / 60)
    assert take[body].since == pytest.approx(0.3, abs=1e-9)  # the last change from outside
    assert take[body].rest_time() <= 0.5


def test_what_lies_on_a_lift_that_drops_falls_freely():
    scene, body = scene_of(ground(lambda t: (0, -10.0 * min(t, 0.3) ** 2, 0)))
    take = run(scene, 0.3, 1 / 60)
    t, y = take.times, centres(take, body)[:, 1]
    # The first step is backward Euler's, which falls farther by g dt^2/2.
    assert y[-1] - y[0] == pytest.approx(-0.5 * G * t[-1] ** 2, abs=G / 60 * t[-1])
    assert body.positions[:, 1].min() > -10.0 * 0.3**2 + 0.2  # far above the lift


def test_a_box_that_a_paddle_pushes_slides_on_when_the_paddle_stops():
    speed, mu = 1.0, 0.4
    paddle = pl.HalfSpace(
        (-0.05, 0, 0), (1, 0, 0), path=([0.0, 0.3], [(0, 0, 0), (0.3 * speed, 0, 0)]), name="paddle"
    )
    scene, body = scene_of(ground(), paddle, friction=mu)
    take = run(scene, 0.9, 1 / 60)
    x = centres(take, body)[:, 0]
    stopped = int(np.searchsorted(take.times, 0.3))
    # The box was hit at 0.05 s, an impact, and then pushed at the speed of the paddle.
    assert np.gradient(x, take.times)[stopped - 4] == pytest.approx(speed, rel=0.02)
    slid = x[-1] - x[stopped]
    # Backward Euler slides less far by half a step of the speed; the box is still a little squashed.
    assert slid == pytest.approx(speed**2 / (2.0 * mu * G), abs=0.5 * speed / 60 + 3e-3)
    assert take[body].since == pytest.approx(0.3, abs=1e-9)
    assert take[body].rest_time() <= 0.3 * 1.05  # friction stops it after 0.25 s
    assert not crossed(scene, take)


@pytest.mark.slow
def test_a_ball_on_a_belt_follows_it_and_rests_when_it_stops():
    scene, body = scene_of(ground(([0.1, 0.4], [(0, 0, 0), (0.15, 0, 0)])), mesh=BALL)
    take = run(scene, 0.8, 1 / 40)
    x = centres(take, body)[:, 0]
    late = (take.times > 0.3) & (take.times < 0.39)
    assert np.gradient(x, take.times)[late] == pytest.approx(0.5, rel=0.05)
    assert take[body].since == pytest.approx(0.4, abs=1e-9)
    assert take[body].rest_time() <= 0.3 * 1.06
    assert not crossed(scene, take)


@pytest.mark.slow
def test_a_run_on_a_lift_is_taken_up_bit_for_bit(tmp_path):
    def scene():
        return scene_of(ground(([0.0, 0.2], [(0, 0, 0), (0, 0.2, 0)])))[0]

    whole = scene().run(seconds=24 / 60, dt=1 / 60, progress=False)
    for at in (6, 18):  # on the lift, and after it has thrown the box
        found = stopped_and_resumed(scene, tmp_path / f"{at}.zarr", steps=24, dt=1 / 60, at=at)
        assert_same(found, whole)
