"""Sheets in the wind against what mechanics says of a plate in air."""

import numpy as np
import pytest
from scipy.optimize import brentq

import pliant as pl
from tests.unit.test_cloth import sheet

G, AIR, DENSITY = 9.81, 1.2, 0.1
FASTEST = np.sqrt(2 * DENSITY * G / AIR)  # with drag 1: where drag is the weight
TAU = FASTEST / G


def plate(mesh, **how):
    """Stiff enough to stay flat."""
    return pl.Cloth(mesh, stretch=1000.0, shear=300.0, bend=0.05, density=DENSITY, **how)


def fall(dt, *, stepper=None, damping=None):
    """A level sheet falls in still air; how far its speed is from FASTEST tanh(t/TAU), relatively."""
    body = plate(sheet(cells=(3, 3)), damping=damping)
    body.push(wind=pl.Wind((0, 0, 0), density=AIR, drag=1.0))
    scene = pl.Scene([body], gravity=(0, -G, 0))
    take = scene.run(seconds=1.0, dt=dt, stepper=stepper, progress=False)
    speed = -take.velocities[:, :, 1].mean(axis=1)
    return speed / FASTEST, np.tanh(take.times / TAU)


@pytest.mark.parametrize(
    "stepper, order",
    [
        (pl.Implicit(), 1),
        (pl.LinearisedImplicit(), 1),
        (pl.SymplecticEuler(), 1),
        (pl.XPBD(), 1),
        (pl.BDF2(), 2),
        (pl.Newmark(), 2),
        (pl.RungeKutta4(), 4),
    ],
    ids=lambda v: type(v).__name__,
)
def test_a_level_sheet_falls_as_a_parachute(stepper, order):
    steps = (1 / 500, 1 / 1000)
    errors = [np.abs(np.subtract(*fall(dt, stepper=stepper))).max() for dt in steps]
    if order == 4:
        assert max(errors) < 1e-9  # (dt/TAU)^4 = 6e-8, times a constant below 1/100
    else:
        assert errors[0] / errors[1] == pytest.approx(2**order, rel=0.2)
        assert errors[1] < 1.5 * (steps[1] / TAU) ** order


@pytest.mark.parametrize(
    "damping", [pl.Settle(0.5), pl.Settle(0.5, 2), pl.Rayleigh(stiffness=1e-3)]
)
def test_dampings_leave_the_fall_in_air_alone(damping):
    found, expected = fall(1 / 60, damping=damping)
    # Backward Euler in the rigid velocity: dt/TAU times the largest curvature of tanh, halved.
    assert np.abs(found - expected).max() < 0.03
    assert found[-1] == pytest.approx(1.0, rel=1e-4)


@pytest.mark.parametrize("dt", [1 / 24, 1 / 60, 1 / 240])
@pytest.mark.parametrize("damping", [None, pl.Settle(0.5)])
def test_light_cloth_takes_the_velocity_of_the_wind(dt, damping):
    """0.1 kg/m^2 in 10 m/s: the explicit rate of drag is 120/s, five times 1/dt.

    A free sheet across the wind lags behind it by 1/(1 + t/T) of it, T = 2 m/(rho C A w). Backward
    Euler's lag y has y + (dt/T) y^2 = y_before, and gets there later where dt is long.
    """
    body = plate(sheet(cells=(3, 3), axis=2), damping=damping)
    body.push(wind=pl.Wind((0, 0, 10), density=AIR, drag=1.0))
    take = pl.Scene([body]).run(seconds=1.0, dt=dt, progress=False)
    lag = 1.0 - take.velocities[:, :, 2].mean(axis=1) / 10.0
    T = 2 * DENSITY / (AIR * 10.0)
    assert (np.diff(lag) < 0.0).all() and (lag > 0.0).all()  # never faster than the wind
    steps = np.sqrt(0.25 + lag[:-1] * dt / T) - 0.5
    np.testing.assert_allclose(lag[1:], steps * T / dt, rtol=2e-3)  # of tolerance 1e-3
    assert lag[-1] == pytest.approx(1 / (1 + 1.0 / T), rel=0.04 if dt < 0.01 else 0.2)


def hanging_angle(wind):
    """m g sin a = rho/2 A w^2 cos^2 a for a plate that hangs from its upper edge."""
    pressure = 0.5 * AIR * wind**2
    return brentq(lambda a: DENSITY * G * np.sin(a) - pressure * np.cos(a) ** 2, 0.0, np.pi / 2)


@pytest.mark.parametrize("wind", [1.0, 3.0])
@pytest.mark.parametrize("damping", [None, pl.Settle(0.3)])
def test_a_plate_hangs_aslant_in_the_wind(wind, damping):
    """Held by its upper edge it swings, and air brings the swing to rest where it should."""
    mesh = sheet(cells=(3, 3), axis=2)
    body = plate(mesh, damping=damping)
    body.fix(mesh.points[:, 1] > 1 - 1e-9)
    body.push(wind=pl.Wind((0, 0, wind), density=AIR, drag=1.0))
    take = pl.Scene([body], gravity=(0, -G, 0)).run(seconds=8.0, dt=1 / 60, progress=False)
    low = mesh.points[:, 1] < 1e-9
    x = take.positions[-1][low].mean(axis=0) - [0.5, 1.0, 0.0]
    # The plate bends by about pressure L^4/(8 bend) / L, an eighth of bend's 0.05 in units of weight.
    assert np.arctan2(x[2], -x[1]) == pytest.approx(hanging_angle(wind), abs=0.1)
    assert np.abs(take.velocities[-1]).max() < 0.02 * wind


def test_equilibrium_in_the_wind_is_where_it_comes_to_rest():
    mesh = sheet(cells=(4, 4), axis=2)
    body = plate(mesh)
    body.fix(mesh.points[:, 1] > 0.7)
    body.push(wind=(0.5, 0, 4))
    scene = pl.Scene([body], gravity=(0, -G, 0))
    still = scene.equilibrium().positions[0]
    assert np.abs(still - mesh.points).max() > 0.05
    body.damping = pl.Rayleigh(stiffness=0.1)
    body.place(still + 1e-3 * (mesh.points[:, 1:2] < 0.7) * [0, 0, 1])
    take = scene.run(seconds=3.0, dt=1 / 60, progress=False)
    np.testing.assert_allclose(take.positions[-1], still, atol=2e-5)  # 2 % of the push


@pytest.mark.parametrize("bounces, wind, far", [(None, 3.0, 0.01), (0, 3.0, 0.01), (2, 0.3, 1e-4)])
def test_a_sheet_in_the_wind_rests_on_cue(bounces, wind, far):
    """Bounces about a bent rest shape are on cue where they are small, whatever bends it."""
    mesh = sheet(cells=(5, 5), axis=2)
    body = plate(mesh)
    below = np.maximum(0.8 - mesh.points[:, 1:2], 0.0)
    body.fix(below[:, 0] < 1e-9)
    body.push(wind=(0.3, 0, wind))
    scene = pl.Scene([body], gravity=(0, -G, 0))
    body.place(scene.equilibrium().positions[0] + far * below**2 * [0, 0, 1])
    body.damping = pl.Settle(0.8, bounces)
    take = scene.run(seconds=1.0, dt=1 / 60, progress=False)
    found = take.ring().rest_time(0.01) if bounces else take.rest_time()
    assert found == pytest.approx(0.8, rel=0.03)


def test_wind_feeds_nothing_to_a_sheet_that_resists_it():
    """In still air the energy of a thrown sheet never grows."""
    mesh = sheet(cells=(6, 6))
    body = pl.Cloth(mesh, stretch=2000.0, shear=500.0, bend=1e-5, density=0.1)
    rng = np.random.default_rng(0)
    body.velocity = rng.uniform(-3, 3, mesh.points.shape)
    body.push(wind=pl.Wind((0, 0, 0), friction=0.1))
    take = pl.Scene([body]).run(seconds=0.5, dt=1 / 60, progress=False)
    total = take.energies["kinetic"] + take.energies["elastic"]
    assert (np.diff(total) < 0.0).all()
