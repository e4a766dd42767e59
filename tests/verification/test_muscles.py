"""A mass on a muscle, against the forced oscillator's own answer."""

import numpy as np
import pytest

import pliant as pl

STIFFNESS, MASS, BEAT = 40.0, 0.5, 3.0  # [N/m], [kg], [rad/s]
ORDERS = {
    pl.ExplicitEuler: 1,
    pl.SymplecticEuler: 2,  # from rest: its velocity lags by half a step, and began at zero
    pl.AverageVelocity: 1,
    pl.RungeKutta4: 4,
    pl.LinearisedImplicit: 1,
    pl.Implicit: 1,
    pl.Newmark: 2,
    pl.BDF2: 2,
}


def rest(time):
    return 1.0 + 0.2 * np.sin(BEAT * time)


def answer(time):
    """x'' = -k/m (x - rest(t)), from rest at 1 m."""
    omega = np.sqrt(STIFFNESS / MASS)
    share = 0.2 * omega**2 / (omega**2 - BEAT**2)
    return 1.0 + share * (np.sin(BEAT * time) - BEAT / omega * np.sin(omega * time))


def muscle(pair=(0, 1), driven=False):
    mesh = pl.Mesh([[0.0, 0.0], [1.0, 0.0]], {"line": [pair]})
    body = pl.Springs(mesh, stiffness=STIFFNESS, mass=MASS, rest=lambda t: [rest(t)])
    if driven:  # a path that stands still: steps that look at its middle
        body.move([0], lambda t: [[0.0, 0.0]])
    else:
        body.fix([0])
    return body


@pytest.mark.parametrize("driven", [False, True])
@pytest.mark.parametrize("make", ORDERS, ids=[make.__name__ for make in ORDERS])
def test_order_on_a_muscle(make, driven):
    errors = []
    for steps in (100, 200, 400):
        body = muscle(driven=driven)
        pl.Scene(body).run(seconds=1.0, dt=1 / steps, stepper=make(), progress=False)
        errors.append(abs(body.positions[1, 0] - answer(1.0)))
    # Slower ones are not yet at their limit at 400 steps: 0.9 for backward Euler.
    assert np.log2(errors[1] / errors[2]) == pytest.approx(ORDERS[make], abs=0.15)


@pytest.mark.parametrize("make", ORDERS, ids=[make.__name__ for make in ORDERS])
def test_energies_are_those_of_the_rest_lengths_of_each_frame(make):
    body = muscle()
    scene = pl.Scene(body)
    first = scene.run(seconds=0.3, dt=1 / 60, stepper=make(), progress=False)
    second = scene.run(seconds=0.3, dt=1 / 60, stepper=make(), progress=False)
    for take in (first, second):  # the first is counted when the muscle has moved on
        stretch = take.positions[:, 1, 0] - rest(take.times)
        expected = 0.5 * STIFFNESS * stretch**2
        np.testing.assert_allclose(take.energies["elastic"], expected, atol=1e-12)


def test_equilibrium_is_that_of_the_time_of_the_scene():
    body = muscle()
    scene = pl.Scene(body)
    scene.run(seconds=0.5, dt=1 / 60, stepper=pl.ExplicitEuler(), progress=False)
    found = scene.equilibrium().positions[0, 1, 0]
    assert found == pytest.approx(rest(scene.time), rel=1e-9)
    scene.time = 2.0
    assert scene.equilibrium().positions[0, 1, 0] == pytest.approx(rest(2.0), rel=1e-9)
