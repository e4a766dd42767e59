"""The method of Young (2007), claim by claim, with the study's own implementations of it."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

from tests.verification.young_2007 import (
    ANNULUS,
    TRAPEZOID,
    StressMethod,
    StressObjective,
    VelocityMethod,
    centred_differences,
    modes,
    steepest_descent,
    traditional,
    velocity_method,
)

# --- the minimiser --------------------------------------------------------------------------


def test_descent_finds_the_minimum_of_a_parabola_and_says_why_it_stopped():
    hessian, minimum = np.diag([1.0, 10.0, 100.0]), np.array([1.0, -2.0, 3.0])

    def value(x):
        return 0.5 * (x - minimum) @ hessian @ (x - minimum)

    found = steepest_descent(value, np.zeros(3), gradient_tolerance=1e-7)
    assert found.reason == "gradient"
    # |x - x*| <= |gradient| / smallest eigenvalue (1), in the largest-entry norm.
    assert np.abs(found.x - minimum).max() <= 1e-6
    assert found.evaluations > found.iterations
    assert steepest_descent(value, np.zeros(3), iteration_limit=3).reason == "iterations"
    stalled = steepest_descent(lambda x: 1.0, np.zeros(2), gradient=np.ones_like)
    assert stalled.reason == "decrease"
    uphill = steepest_descent(lambda x: float(x[0]), np.zeros(1), gradient=lambda x: -np.ones(1))
    assert uphill.reason == "step" and uphill.value == 0.0


def test_descent_step_doubles_when_nothing_was_halved():
    tried = []
    steepest_descent(
        lambda x: float(tried.append(x[0]) or -x[0]),
        np.zeros(1),
        gradient=lambda x: -np.ones(1),
        iteration_limit=4,
    )
    np.testing.assert_array_equal(np.diff(tried), [1.0, 2.0, 4.0, 8.0])


# --- chapter 1 and 2: formulas ---------------------------------------------------------------


def test_damping_as_a_minimisation_is_backward_euler():
    random = np.random.default_rng(17)
    for nodes, stresses in ((4, 9), (7, 7), (9, 4)):
        D, v = random.normal(size=(nodes, stresses)), random.normal(size=nodes)
        roots = [random.normal(size=(n, n)) for n in (stresses, nodes)]
        A, M = (root @ root.T + np.eye(len(root)) for root in roots)
        least = modes.damping_by_minimisation(D, A, M, v, 0.1)
        euler = modes.damping_by_backward_euler(D, A, M, v, 0.1)
        assert np.abs(euler - v).max() > 0.1  # it does damp
        # Least squares and a solve of matrices with condition numbers up to 1e3.
        np.testing.assert_allclose(least, euler, rtol=0, atol=1e-12)


@pytest.mark.parametrize("tau", [None, 0.5, 3.0])
@pytest.mark.parametrize("dt", [0.1, 1e-3])
def test_every_mode_decays_as_printed_for_any_step(tau, dt):
    for k in (1.0, 5.0, 20.0):
        found = modes.minimised_amplitudes(k, 2.0, 0.7, dt, 30, tau=tau)
        printed = modes.printed_amplitudes(k, 2.0, 0.7, dt, 30, tau=tau)
        # Exact (2.19), (2.25): only the rounding of each step, of the size of A_0 = 1, remains.
        np.testing.assert_allclose(found, printed, rtol=0, atol=1e-14)
        assert np.all(np.diff(found) < 0.0) or found[-1] < 1e-14


@pytest.mark.parametrize("tau", [None, 0.5])
def test_exponentials_are_the_small_step_limits(tau):
    k, seconds, errors = 1.0, 1.0, []
    for steps in (100, 200, 400):
        dt = seconds / steps
        rate = modes.limit_rate(k, 2.0, 0.7, dt, tau=tau)
        decayed = modes.printed_amplitudes(k, 2.0, 0.7, dt, steps, tau=tau)[-1]
        errors.append(abs(-np.log(decayed) / (rate * seconds) - 1.0))
    # log(1 + a)/a = 1 - a/2 + ..., with a of order dt in (2.25) and dt^2 in (2.19).
    order = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(order, 2.0 if tau is None else 1.0, atol=0.1)
    assert errors[-1] < 5e-3


def test_only_the_modified_energy_has_a_rate_free_of_the_step():
    assert modes.limit_rate(2.0, 2.0, 0.7, 0.1) == pytest.approx(
        10 * modes.limit_rate(2.0, 2.0, 0.7, 0.01)
    )
    assert modes.limit_rate(2.0, 2.0, 0.7, 0.1, tau=0.5) == pytest.approx(
        modes.limit_rate(2.0, 2.0, 0.7, 0.01, tau=0.5)
    )


def test_bar_modes_diffuse():
    length, young, density, tau = 2.0, 2.0, 0.7, 0.3
    k = np.pi / length * np.arange(1, 6)
    measured = modes.bar_rates(
        k, young, density, length, tau=tau, dt=1e-4, elements=64, seconds=0.05
    )
    # (2.47), to 1 %: space contributes (k h)^2/12 = 0.05 % to the fifth mode, time half of
    # rate x dt = 0.27 %.
    np.testing.assert_allclose(measured, tau * young / density * k**2, rtol=0.01)


@pytest.mark.parametrize("c", [3.0, 6.0])
def test_tau_is_the_slow_time_of_the_over_damped_oscillator(c):
    slow, fast = modes.oscillator_roots(c)
    tau = -1.0 / slow.real
    # Section 2.1.2: the method decays as the fast root of an oscillator whose slow time is tau.
    # Exact, since the product of the roots is k/m (here 1).
    assert -fast.real == pytest.approx(tau * 1.0, rel=1e-12)


# --- chapter 3: the step ---------------------------------------------------------------------


def test_local_differences_are_the_differences_of_the_whole_energy():
    sigma = np.random.default_rng(1).normal(size=(12, 3))
    objective = StressObjective(TRAPEZOID, TRAPEZOID.start, 0 * TRAPEZOID.start, tau=1.0, dt=0.01)
    local = objective.gradient(sigma)
    whole = centred_differences(objective.value, sigma, delta=1e-3)
    # The same quotient; the whole energy (about 100) over 2 delta rounds at 1e-11.
    np.testing.assert_allclose(local, whole, rtol=0, atol=1e-10)
    np.testing.assert_allclose(local, objective.exact_gradient(sigma), rtol=0, atol=1e-10)
    assert np.abs(local).max() > 1e-3


def test_reference_hessian_and_forces_are_derivatives_of_the_energy():
    mesh, x = ANNULUS.mesh, ANNULUS.start
    nudge = 1e-5 * np.random.default_rng(2).normal(size=x.shape)
    change = (mesh.gradient(x + nudge) - mesh.gradient(x - nudge)) / 2
    expected = (velocity_method.stiffness(mesh, x) @ nudge.ravel()).reshape(x.shape)
    # Centred differences are off by the square of the nudge (1e-10) times the third derivative.
    np.testing.assert_allclose(change, expected, rtol=0, atol=1e-8 * np.abs(change).max())
    slope = (mesh.potential(x + nudge) - mesh.potential(x - nudge)) / 2
    assert slope == pytest.approx(np.sum(mesh.gradient(x) * nudge), rel=1e-8)
    force = traditional.Traditional(ANNULUS, 0.1, 0.2, 0.05).elastic_force(x)
    np.testing.assert_allclose(force, -mesh.gradient(x), rtol=0, atol=1e-13)


def test_a_free_spinning_body_keeps_its_momentum_in_both_forms():
    free = replace(TRAPEZOID, fixed=np.zeros(12, bool))
    x, turn = free.start, free.start - free.start.mean(axis=0)
    v = np.array([0.3, -0.2]) + 0.5 * np.stack([-turn[:, 1], turn[:, 0]], axis=1)
    thesis, newton = (m(free, 1.0, 0.01) for m in (StressMethod, VelocityMethod))

    def momentum(x, v):
        return [*v.sum(axis=0), np.sum(x[:, 0] * v[:, 1] - x[:, 1] * v[:, 0])]

    before, (xs, vs), (xn, vn) = momentum(x, v), (x, v), (x, v)
    for _ in range(4):
        (xs, vs), (xn, vn) = thesis.step(xs, vs), newton.step(xn, vn)
    np.testing.assert_allclose(xs, xn, rtol=0, atol=1e-6)  # the descent's tolerance, as above
    # Internal forces cancel in pairs: rounding only, for any stress whatever.
    np.testing.assert_allclose(momentum(xs, vs), before, rtol=0, atol=1e-11)
    np.testing.assert_allclose(momentum(xn, vn), before, rtol=0, atol=1e-11)


def test_annulus_has_the_same_minimum_and_plain_descent_is_slow_to_find_it():
    x, v = ANNULUS.start, np.zeros_like(ANNULUS.start)
    newton, shape = VelocityMethod(ANNULUS, 1.0, ANNULUS.dt), (414, 3)
    for step in range(2):
        objective = StressObjective(ANNULUS, x, v, tau=1.0, dt=ANNULUS.dt)
        x_new, v_new = newton.step(x, v)
        least = newton.objective(x, v_new)
        found = minimize(
            lambda s, o=objective: (
                o.value(s.reshape(shape)),
                o.exact_gradient(s.reshape(shape)).ravel(),
            ),
            np.zeros(shape).ravel(),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": 300, "maxcor": 30, "ftol": 0.0, "gtol": 1e-10},
        )
        # The search over stresses approaches the minimum over velocities from above.
        assert -1e-12 * least <= found.fun - least <= 1e-4 * least
        if step == 0:
            plain = steepest_descent(
                objective.value,
                np.zeros(shape),
                gradient=objective.gradient,
                gradient_tolerance=0.0,
                iteration_limit=100,
            )
            assert objective.value(np.zeros(shape)) > plain.value > least * (1 + 1e-3)
        x, v = x_new, v_new


@pytest.mark.slow
def test_plain_descent_reaches_the_same_objective_in_the_end():
    """The thesis's own minimiser, given 8000 iterations for one step, about a minute."""
    x, v = ANNULUS.start, np.zeros_like(ANNULUS.start)
    newton = VelocityMethod(ANNULUS, 1.0, ANNULUS.dt)
    least = newton.objective(x, newton.step(x, v)[1])
    objective = StressObjective(ANNULUS, x, v, tau=1.0, dt=ANNULUS.dt)
    plain = steepest_descent(
        objective.value,
        np.zeros((414, 3)),
        gradient=objective.gradient,
        gradient_tolerance=0.0,
        iteration_limit=8000,
    )
    assert 0.0 <= plain.value / least - 1.0 <= 1e-4  # measured 7.8e-5; 9.5e-5 after 7000
