"""The examples of Young (2007): minima, times to rest, oscillations, tables."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse.linalg import eigsh

from tests.verification.young_2007 import (
    ANNULUS,
    TRAPEZOID,
    StressMethod,
    StressObjective,
    VelocityMethod,
    critical,
    examples,
    ours,
    traditional,
    velocity_method,
)

march, rest_time = velocity_method.march, examples.rest_time


@pytest.fixture(scope="module")
def example_1():
    """All 5 s of Example 1 for both values of tau, as (times, {tau: positions})."""
    steps = round(TRAPEZOID.seconds / TRAPEZOID.dt)
    runs = {t: march(VelocityMethod(TRAPEZOID, t, TRAPEZOID.dt), steps=steps) for t in (1.0, 4.0)}
    return np.arange(steps + 1) * TRAPEZOID.dt, runs


@pytest.mark.parametrize("tau", [1.0, 4.0])
def test_stresses_and_velocities_have_the_same_minimum(tau, example_1):
    thesis = StressMethod(TRAPEZOID, tau, TRAPEZOID.dt)
    positions = march(thesis, steps=8)
    # "decrease" here means that the energy no longer changes in its last digit.
    assert {r.reason for r in thesis.results} <= {"gradient", "decrease"}
    # Values known to 1e-16 tell positions apart to 1e-8; eight steps and conditioning: 1e-6.
    np.testing.assert_allclose(positions, example_1[1][tau][:9], rtol=0, atol=1e-6)


def test_the_library_has_the_same_minimum(example_1):
    # Both stop Newton's method by size: the library when nothing moves by 1e-9 of the body.
    for tau, positions in example_1[1].items():
        np.testing.assert_allclose(ours.ours(TRAPEZOID, tau), positions, rtol=0, atol=1e-8)
    short = replace(ANNULUS, seconds=0.5)
    reference = march(VelocityMethod(short, 2.0, short.dt), steps=10)
    np.testing.assert_allclose(ours.ours(short, 2.0), reference, rtol=0, atol=1e-8)


# --- chapter 4: results ----------------------------------------------------------------------


def test_example_1_rests_when_the_thesis_says(example_1):
    times, runs = example_1
    # Rest: d1 stays below 1 % of its start. "Approximately 3 s" and "by 0.75 s": read off a graph.
    rests = {tau: rest_time(times, TRAPEZOID.d1(x)) for tau, x in runs.items()}
    assert rests[1.0] == pytest.approx(3.0, rel=0.06)
    assert rests[4.0] == pytest.approx(0.75, rel=0.06)
    # "Time scaling", short of 4 by the backward Euler error, half of rate x dt = 6 % at tau = 4.
    assert rests[1.0] / rests[4.0] == pytest.approx(4.0, rel=0.05)


def test_example_1_approaches_rest_without_oscillation(example_1):
    for positions in example_1[1].values():
        for distance in (TRAPEZOID.d1(positions), TRAPEZOID.d2(positions)):
            # Below 1e-9 of the push the tolerance of Newton's method is all there is to see.
            seen = distance[distance > 1e-9 * distance[0]]
            assert len(seen) > 300 and np.all(np.diff(seen) < 0.0)


def test_tau_scales_time_exactly_when_the_step_scales_with_it(example_1):
    quick = march(VelocityMethod(TRAPEZOID, 4.0, TRAPEZOID.dt / 4), steps=100)
    # The step depends on tau dt only: the same frames, to the tolerance of Newton's method.
    np.testing.assert_allclose(quick, example_1[1][1.0][:101], rtol=0, atol=1e-10)


def test_example_2_oscillates_only_when_the_descent_is_cut_short():
    steps = 20
    exact = march(VelocityMethod(ANNULUS, 1.0, ANNULUS.dt), steps=steps)
    assert np.all(np.diff(ANNULUS.d2(exact)) < 0.0)
    short = StressMethod(
        ANNULUS, 1.0, ANNULUS.dt, iteration_limit=30, gradient=StressObjective.exact_gradient
    )
    d2 = ANNULUS.d2(march(short, steps=steps))
    # What is left of the old velocity overshoots: d2 climbs again by a tenth of its lowest value.
    assert d2[np.argmin(d2) :].max() > 1.1 * d2.min()


def test_example_2_cannot_swing_to_rest_in_five_seconds():
    moving = np.flatnonzero(np.repeat(ANNULUS.free, 2))
    K = velocity_method.stiffness(ANNULUS.mesh, ANNULUS.mesh.points)[moving][:, moving]
    slowest = eigsh(K, k=1, sigma=0.0, return_eigenvectors=False)[0] / ANNULUS.masses[0]
    assert 1.0 / (2.0 * slowest) > 100.0  # time constant [s] for tau = 2


@pytest.mark.parametrize("example", [TRAPEZOID, ANNULUS], ids=lambda e: e.name)
def test_table_4_2_to_its_digits(example):
    mesh, mass = example.mesh, example.masses[0]
    for wavelength, phi, psi in critical.TABLE_4_2[example.name]:
        given = (wavelength, mesh.lam, mesh.mu, mass)
        table = critical.critical(*given, critical.StrainConvention.WITHOUT_HALF)
        assert [float(f"{value:.5g}") for value in table] == [phi, psi]
        usual = critical.critical(*given)
        np.testing.assert_allclose(usual, np.sqrt(2.0) * np.array(table), rtol=1e-14)
        # (4.22) with the usual strain has a double root for (4.25), and complex ones for the table.
        k = 2.0 * np.pi / wavelength
        for value, sign in ((usual[1], 0.0), (table[1], -1.0)):
            discriminant = (value * k * k) ** 2 - 4.0 * mass * mesh.mu * k * k
            assert np.sign(round(discriminant, 12)) == sign


def test_critical_damping_of_both_waves_needs_poisson_of_a_third():
    assert critical.critical(1.0, 2.0, 1.0, 1.0)[0] == pytest.approx(0.0, abs=1e-15)
    with pytest.raises(ValueError, match=r"poisson >= 1/3.*psi=0.318"):
        critical.critical(1.0, 1.99, 1.0, 1.0)


def test_traditional_damping_oscillates_in_example_1_and_needs_short_steps_in_example_2():
    d1 = TRAPEZOID.d1(march(traditional.Traditional(TRAPEZOID, 0.21254, 0.90032, 0.01), steps=500))
    assert np.any(np.diff(d1) > 0.0) and d1[-1] < 0.1 * d1[0]
    limit = traditional.stable_step(ANNULUS, 0.36196, 0.80527)
    assert limit < ANNULUS.dt / 10
    # Past the limit growth is slow at first; from twice the limit on every step multiplies.
    for factor, grows in ((0.5, False), (3.0, True)):
        small = replace(ANNULUS, start=ANNULUS.mesh.points + 1e-6 * _noise(ANNULUS))
        x = march(traditional.Traditional(small, 0.36196, 0.80527, factor * limit), steps=12)
        assert (small.d1(x)[-1] > small.d1(x)[0]) == grows


def _noise(example):
    return np.random.default_rng(3).normal(size=example.start.shape) * example.free[:, None]
