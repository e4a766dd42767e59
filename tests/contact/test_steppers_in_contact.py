"""Contact with steppers of second order, without inertia, and in statics."""

import numpy as np
import pytest

import pliant as pl
from tests.contact.in_scenes import (
    BOX,
    box,
    crossings,
    energy,
    floor,
    island,
    momentum,
    on_floor,
    pushes,
)
from tests.resuming import assert_same, stopped_and_resumed

SECOND_ORDER = [pl.Newmark(), pl.BDF2(), pl.Newmark(beta=0.3025, gamma=0.6)]


def turned(angle):
    c, s = np.cos(angle), np.sin(angle)
    return BOX.points @ np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])


def slope(degrees):
    angle = np.radians(degrees)
    return 9.81 * np.array([-np.sin(angle), 0.0, -np.cos(angle)])


FAST = pytest.param(1e9, 20.0, 1 / 24, 0.0, marks=pytest.mark.slow)


@pytest.mark.parametrize("young, speed, dt, tilt", [(1e5, 2.0, 1 / 60, 0.4), FAST])
@pytest.mark.parametrize("stepper", SECOND_ORDER)
def test_steps_that_touch_make_no_energy(stepper, young, speed, dt, tilt):
    """Flight may: a stiff body that spins gains some under these steppers, with contact and without."""
    body = box(young=young)
    body.place(turned(tilt) + [0, 0, 0.15])
    body.velocity = (0, 0, -speed)
    scene = on_floor(body)
    before = start = energy(scene)
    system, touched, hits = island(scene), False, 0
    for _ in range(20):
        scene.step(dt, stepper=stepper)
        now, touches = energy(scene), system.touches(body.positions)
        if touched or touches:
            assert now <= before + 1e-6 * abs(start)  # as of `Implicit`: what its tolerance leaves
        before, touched, hits = now, touches, hits + touches
    assert hits > 3 and before < 0.6 * start
    assert body.positions[:, 2].min() > 0.0


@pytest.mark.parametrize("stepper", SECOND_ORDER[:2])
def test_flight_is_of_second_order_and_friction_holds(stepper):
    """Half a second of fall at dt = 1/24; backward Euler falls 8 % too far."""
    body = box(0, 0, 1.4)
    scene = on_floor(body)
    height = body.positions[:, 2].mean()
    scene.run(seconds=0.5, dt=1 / 24, stepper=stepper, progress=False)
    fallen = height - body.positions[:, 2].mean()
    # The first step of BDF2 is backward Euler, whose error of dt^2 g/2 goes on for a few steps.
    assert fallen == pytest.approx(0.5 * 9.81 * 0.25, abs=9.81 / 24**2)
    scene = on_floor(box(0, 0, 0), gravity=slope(20), friction=0.37)
    take = scene.run(seconds=1.0, dt=1 / 24, stepper=stepper, progress=False)
    late = take.positions[12:]
    assert np.abs(late - late[0]).max() < 1e-6


@pytest.mark.parametrize("stepper", SECOND_ORDER[:2])
def test_momentum_is_kept_and_a_run_can_be_taken_up(stepper, tmp_path):
    def make():
        bodies = box(0, 0, 0, name="low"), box(0.05, 0.02, 0.24, name="high")
        bodies[0].velocity, bodies[1].velocity = (0, 0, 1), (0, 0.5, -2)
        return pl.Scene(list(bodies), contact=pl.Contact(friction=0.5))

    scene = make()
    p = momentum(scene)
    whole = scene.run(seconds=6 / 60, dt=1 / 60, stepper=stepper, progress=False)
    np.testing.assert_allclose(momentum(scene), p, atol=1e-10 * np.abs(p).max())
    assert not crossings(scene, whole)
    assert scene.bodies[0].velocity[:, 2].mean() < 0.5  # they have met
    how = {"steps": 6, "dt": 1 / 60, "stepper": lambda: stepper}
    found = stopped_and_resumed(make, tmp_path / "a.zarr", at=3, late=1, **how)
    assert_same(found, whole)


def test_ties_know_the_steppers_of_second_order():
    """One mass that swings on another: BDF2 remembers, and is of second order (it was not before)."""

    def end(dt):
        a, b = box(0, 0, 0, name="a"), box(0.3, 0, 0.1, name="b")
        a.fix(BOX.points[:, 0] < 1e-9)
        scene = pl.Scene([a, b], gravity=(0, 0, -9.81))
        scene.add(pl.Tie(a, [26], b, [0], stiffness=1e3))
        scene.run(seconds=0.08, dt=dt, stepper=pl.BDF2(1e-9), progress=False)
        return b.positions

    coarse, fine, finest = (end(0.08 / n) for n in (16, 32, 64))
    ratio = np.abs(coarse - fine).max() / np.abs(fine - finest).max()
    assert ratio > 3.0  # four for second order, two for first


def test_a_box_that_is_dropped_has_an_equilibrium_on_the_floor():
    scene = on_floor(box(0, 0, 0.05))
    before = scene.bodies[0].positions
    take = scene.equilibrium()
    end = take.positions[-1]
    np.testing.assert_array_equal(scene.bodies[0].positions, before)  # nothing has moved
    # It fell straight down: what nothing holds has stayed, to what forces of 1e-3 of its weight do.
    np.testing.assert_allclose(end.mean(axis=0)[:2], [0.1, 0.1], atol=1e-6)
    assert 0.0 < end[:, 2].min() < 2e-4
    scene.bodies[0].place(end)
    assert pushes(scene)[0, 1] == pytest.approx(9.81 * scene.bodies[0].masses.sum(), rel=1e-6)


def test_a_box_that_stands_askew_falls_on_its_side():
    body = box()
    body.place(turned(0.4) + [0, 0, 0.15])
    end = on_floor(body).equilibrium().positions[-1]
    assert np.sort(end[:, 2])[8] < 2e-4 and np.sort(end[:, 2])[9] > 0.09


@pytest.mark.parametrize("friction", [pytest.param(0.3, marks=pytest.mark.slow), 0.37])
def test_on_a_slope_friction_decides_whether_there_is_an_equilibrium(friction):
    scene = on_floor(box(0, 0, 0.001), gravity=slope(20), friction=friction)
    if friction < np.tan(np.radians(20)):
        with pytest.raises(pl.UnstableError, match="slide on and come to no rest"):
            scene.equilibrium()
    else:
        # Bristles of 1e-3 of its size bend by less than that; the top leans further.
        end = scene.equilibrium().positions[-1]
        assert np.abs(end - scene.bodies[0].positions).max() < 2e-3


def test_what_nothing_catches_has_no_equilibrium():
    scene = pl.Scene([box(0, 0, 1)], gravity=(0, 0, -9.81), contact=pl.Contact())
    with pytest.raises(pl.UnstableError, match="fall or slide on|falls or spins"):
        scene.equilibrium()


def test_a_box_on_its_edge_is_no_equilibrium():
    body = box()
    upright = turned(np.pi / 4)
    body.place(upright - [upright[:, 0].mean(), 0, upright[:, 2].min() - 1e-3])
    scene = on_floor(body, friction=1.0)
    try:
        end = scene.equilibrium().positions[-1]
    except pl.UnstableError:
        return  # it was found on its edge, and refused
    assert np.sort(end[:, 2])[8] < 2e-4  # rounding let it fall


def test_quasi_static_pins_press_a_box_on_the_floor():
    lid, under = box(0, 0, 0.21, name="lid"), box(0.02, 0, 0.0005, name="under")
    top, at = np.arange(18, 27), box(0, 0, 0.21).positions[18:]
    lid.move(top, (np.array([0.0, 1.0]), np.stack([at, at - [0, 0, 0.04]])))
    scene = pl.Scene([under, lid], contact=pl.Contact(friction=0.3))
    scene.add(floor())
    take = scene.run(seconds=1.0, dt=0.25, stepper=pl.QuasiStatic(), progress=False)
    assert not crossings(scene, take)
    # 0.41 m of box are pressed into 0.37 m: each gives some 3 cm less the gaps.
    assert under.positions[:, 2].max() == pytest.approx(0.185, abs=2e-3)
    # Nothing has weight: what the lid does to the box arrives at the floor. Friction on slanted faces
    # takes a share of the pushes that hangs on the last digit of the start, 0.1 % or 1 %; with it the
    # forces balance to what steps are solved to.
    found = take.contacts[-1]
    names = found.names
    above, below = (found.between("under", other).forces.sum(axis=0) for other in names[1:])
    assert below[2] == pytest.approx(-above[2], rel=1e-6) and below[2] > 3000.0
