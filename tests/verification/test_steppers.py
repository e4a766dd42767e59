"""Every stepper on the damped oscillator of the lecture: its matrix, order, limit and energy."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

import pliant as pl

sys.path.insert(0, str(Path(__file__).parents[2] / "studies"))
body, runs, theory = (
    importlib.import_module(f"oscillator.{n}") for n in ("body", "runs", "theory")
)
DAMPED, FREE, STEPPERS = runs.DAMPED, runs.FREE, runs.STEPPERS

every = pytest.mark.parametrize("name", STEPPERS)
explicit = pytest.mark.parametrize("name", runs.EXPLICIT)
implicit = pytest.mark.parametrize("name", sorted(set(STEPPERS) - set(runs.EXPLICIT)))


@every
@pytest.mark.parametrize("zeta", [0.0, 0.1, 0.6])
@pytest.mark.parametrize("s", [0.05, 0.5, 1.5])
def test_a_step_is_the_matrix_of_the_theory(name, s, zeta):
    case = body.Case(zeta)
    run = body.swing(case, STEPPERS[name], s / case.omega, 16)
    expected = theory.states(name, s, zeta, 16)
    found = np.c_[run.x, run.v / case.omega] / case.start
    # Steps are solved to 1e-9 of the size, 2 m, against 0.1 m of motion, and mostly to rounding.
    assert np.abs(found - expected).max() <= 1e-9 * np.abs(expected).max()
    assert np.ptp(expected) > 0.3


@every
def test_order_on_the_damped_oscillator(name):
    """Fitted to 200, 400 and 800 steps a period: 1, 1, 1, 4, 1, 1, 2, 2."""
    # The next term of the error bends the line by about omega dt, 0.03 to 0.008.
    assert runs.errors(name).order == pytest.approx(runs.ORDERS[name], abs=0.04)


def test_average_velocity_is_of_first_order_with_half_the_error_of_explicit_euler():
    half, whole = (runs.errors(n, FREE) for n in ("AverageVelocity", "ExplicitEuler"))
    # Amplitudes grow by (omega dt)^2/4 and (omega dt)^2/2 a step; the next terms are as above.
    assert half.errors[-1] / whole.errors[-1] == pytest.approx(0.5, abs=0.02)


@explicit
@pytest.mark.parametrize("case", [FREE, DAMPED], ids=["undamped", "damped"])
def test_stability_limit_is_where_theory_puts_it(name, case):
    expected = theory.limit(name, case.zeta)
    found = runs.limit(name, case, rtol=5e-3, steps=300)
    # Bisected to half a percent; growth of 2 % in 300 steps is seen within as much of the limit.
    assert found == pytest.approx(expected, rel=1e-2)
    example = case.body()
    said = STEPPERS[name].longest_dt(example.system(), example.damping)
    assert said * case.omega == pytest.approx(expected, rel=1e-6)


def test_limits_known_by_number():
    assert theory.limit("SymplecticEuler", 0.0) == 2.0
    assert theory.limit("RungeKutta4", 0.0) == pytest.approx(2.8284, abs=1e-4)
    for name in runs.EXPLICIT:
        for zeta in (0.05, 0.1, 0.3):
            s = theory.limit(name, zeta)
            assert theory.growth(name, 0.999 * s, zeta) < 1.0 < theory.growth(name, 1.001 * s, zeta)


@implicit
@pytest.mark.parametrize("s", [0.1, 1.0, 30.0, 1e4])
def test_implicit_steps_have_no_limit(name, s):
    energy = body.swing(FREE, STEPPERS[name], s / FREE.omega, 60).energy
    assert energy.max() <= 1.0 + 1e-9
    # With a step beyond the period Newmark keeps, and the others lose nearly all at once.
    if s > 10.0:
        assert (
            energy[-1] == pytest.approx(1.0, abs=1e-6) if name == "Newmark" else energy[-1] < 1e-9
        )


@every
@pytest.mark.parametrize("per_period", [20, 50, 100])
def test_energy_drifts_as_predicted(name, per_period):
    s, periods = 2 * np.pi / per_period, 5
    energy = runs.energies(name, per_period, periods).energy
    factor = {
        "ExplicitEuler": 1 + s**2,
        "SymplecticEuler": 1.0,
        "AverageVelocity": 1 + s**2 / 2,
        "RungeKutta4": 1 - s**6 / 72 + s**8 / 576,
        "LinearisedImplicit": 1 / (1 + s**2),
        "Implicit": 1 / (1 + s**2),
        "Newmark": 1.0,
        "BDF2": theory.growth("BDF2", s, 0.0) ** 2,
    }[name]
    drift = np.log(energy[-1]) / (per_period * periods)
    if name == "SymplecticEuler":  # an ellipse leaning by s/2: bounded, for ever
        assert energy.max() <= 1 / (1 - s / 2) and energy.min() >= 1 / (1 + s / 2)
        assert abs(energy[-1] - 1.0) < s
    elif name in ("AverageVelocity", "BDF2"):
        # Their ellipses lean too, and BDF2 begins with backward Euler: of the order of s in all.
        assert drift == pytest.approx(np.log(factor), abs=s / (per_period * periods))
        assert (energy[-1] > 1.0) == (name == "AverageVelocity")
    else:  # matrices that turn and scale: every step alike
        assert drift == pytest.approx(np.log(factor), abs=1e-9)


@pytest.mark.parametrize("dt", [0.35, 0.5, 1.0])
def test_blow_up_names_a_dt_that_works(dt):
    with pytest.raises(pl.SolverError, match=r"blew up at t = .*smaller dt.*implicit") as caught:
        body.swing(FREE, pl.SymplecticEuler(), dt, 400)
    limit = 2.0 / FREE.omega
    assert f"dt={dt:g} s" in str(caught.value) and f"below {limit:.3g} s" in str(caught.value)
    assert len(caught.value.take) > 3  # and has what went before
    assert body.swing(FREE, pl.SymplecticEuler(), 0.99 * limit, 400).energy.max() < 300


def test_blow_up_of_steps_without_a_limit_says_so():
    with pytest.raises(pl.SolverError, match=r"ExplicitEuler feeds energy.*at every dt.*damping"):
        body.swing(FREE, pl.ExplicitEuler(), 0.3, 400)


def test_newmark_with_numerical_damping():
    """gamma > 1/2: first order, and fast modes lose their energy."""
    case, stepper = FREE, pl.Newmark(0.3025, 0.6, tolerance=0.0)
    errors = [body.swing(case, stepper, 1.0 / n, n).error for n in (200, 400, 800)]
    assert np.log2(errors[1] / errors[2]) == pytest.approx(1.0, abs=0.05)
    assert body.swing(case, stepper, 100.0, 120).energy[-1] < 1e-9
    # Its rates obey the formula that they are named after.
    run, dt = body.swing(DAMPED, stepper, 0.05, 20), 0.05
    a = -(DAMPED.omega**2) * run.x - 2 * DAMPED.zeta * DAMPED.omega * run.v
    x = run.x[:-1] + dt * run.v[:-1] + dt**2 * ((0.5 - 0.3025) * a[:-1] + 0.3025 * a[1:])
    v = run.v[:-1] + dt * (0.4 * a[:-1] + 0.6 * a[1:])
    assert np.abs(x - run.x[1:]).max() <= 1e-10 and np.abs(v - run.v[1:]).max() <= 1e-9
