"""Position-based dynamics on motions that are known: chains, an oscillator, a tumbling body."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from tests.verification.xpbd_cases import G, chain

from . import published_pbd as published

sys.path.insert(0, str(Path(__file__).parents[2] / "studies"))
theory = importlib.import_module("oscillator.theory")
# --- stiffness ------------------------------------------------------------------------------
K, MASS, LINKS = 1000.0, 0.1, 4


def stretches(x):
    """Changes of length of the links of a chain that hangs along y [m]."""
    return -np.diff(x[:, 1]) - 1.0 / LINKS


@pytest.mark.parametrize("dt", [1 / 30, 1 / 60, 1 / 240])
@pytest.mark.parametrize("sweeps", [50, 200, 1000])
def test_a_hanging_chain_has_the_stiffness_of_its_springs(dt, sweeps):
    """k = m g / dx, whatever dt and the number of sweeps; drag brings it to rest."""
    body = chain(LINKS, k=K, mass=MASS, way=(0.0, -1.0), damping=pl.Rayleigh(mass=40.0))
    pl.Scene([body], gravity=(0, -G)).run(
        seconds=1.5, dt=dt, stepper=pl.XPBD(sweeps, tolerance=None), progress=False
    )
    carried = MASS * G * np.arange(LINKS, 0, -1)
    # The slowest mode, omega = 35/s, falls by exp(-17/s): 1e-11 of the way is left. 50 sweeps leave
    # 1e-8 where k dt^2/m is largest, 11.
    np.testing.assert_allclose(carried / stretches(body.positions), K, rtol=1e-7)


def test_plain_position_based_dynamics_has_not():
    """The contrast: its stiffness grows with the sweeps and with shorter steps, without end."""
    found = {}
    points = np.linspace(0.0, 1.0, LINKS + 1)[:, None] * np.array([0.0, -1.0])
    pairs = np.stack([np.arange(LINKS), np.arange(LINKS) + 1], axis=1)
    for dt, sweeps in ((1 / 60, 2), (1 / 60, 20), (1 / 240, 2)):
        x = published.run(
            points,
            pairs,
            np.full(LINKS, 1 / LINKS),
            np.full(LINKS + 1, MASS),
            [0],
            range(LINKS),
            gravity=(0, -G),
            dt=dt,
            steps=round(1.5 / dt),
            sweeps=sweeps,
            drag=40.0,
            share=0.3,
        )
        found[dt, sweeps] = LINKS * MASS * G / stretches(x)[0]
    assert found[1 / 60, 20] > 5 * found[1 / 60, 2]
    assert found[1 / 240, 2] > 5 * found[1 / 60, 2]


# --- order and momentum ---------------------------------------------------------------------


def swing(stepper, s, zeta, steps):
    """A point on a spring with omega = 1/s that is drawn along it: (x, v/omega) of every step."""
    mesh = pl.Mesh([(0.0, 0.0), (1.0, 0.0)], {"line": [(0, 1)]})
    body = pl.Springs(mesh, stiffness=1.0, mass=1.0, damping=pl.Rayleigh(mass=2.0 * zeta))
    body.fix([0])
    body.place([(0.0, 0.0), (1.1, 0.0)])
    take = pl.Scene([body]).run(seconds=steps * s, dt=s, stepper=stepper, progress=False)
    return np.c_[take.positions[:, 1, 0] - 1.0, take.velocities[:, 1, 0]] / 0.1


@pytest.mark.parametrize("zeta", [0.0, 0.1, 0.6])
@pytest.mark.parametrize("s", [0.05, 0.5, 1.5, 100.0])
def test_a_step_is_the_matrix_of_backward_euler(s, zeta):
    expected = theory.states("Implicit", s, zeta, 16)
    found = swing(pl.XPBD(), s, zeta, 16)
    # One condition is put right by one visit, to rounding of 1 m against 0.1 m of motion.
    assert np.abs(found - expected).max() <= 1e-12


def test_first_order_on_the_damped_oscillator():
    zeta, errors, steps = 0.1, [], (200, 400, 800)
    turn = np.sqrt(1 - zeta**2)
    for n in steps:
        s = 2 * np.pi / n
        t = s * np.arange(n + 1)
        exact = np.exp(-zeta * t) * (np.cos(turn * t) + zeta / turn * np.sin(turn * t))
        errors.append(np.abs(swing(pl.XPBD(), s, zeta, n)[:, 0] - exact).max())
    # The next term of the error bends the line by about omega dt, 0.03 to 0.008.
    assert -np.polyfit(np.log(steps), np.log(errors), 1)[0] == pytest.approx(1.0, abs=0.04)


def momenta(body):
    x, v, m = body.positions, body.velocity, body.masses[:, None]
    return (m * v).sum(axis=0), np.cross(x, m * v).sum(axis=0)


@pytest.mark.parametrize("tolerance", [1e-8, None])
def test_momentum_of_a_free_tumbling_body(tolerance):
    """Linear to rounding, solved or not; angular drifts with dt, as that of backward Euler."""
    drifts, theirs = [], []
    for steps in (25, 50, 100):
        for kept, stepper in (
            (drifts, pl.XPBD(20 if tolerance is None else 5000, tolerance=tolerance)),
            (theirs, pl.Implicit(tolerance=0.0)),
        ):
            body = pl.ConstraintBody(
                pl.meshes.box((1, 0.5, 0.5), (2, 1, 1)), distance=20.0, volume=20.0, mass=0.1
            )
            body.place(body.positions * [1.05, 1.0, 0.97] + 0.5)
            spin = np.array([1.0, 2.0, 6.0])
            body.velocity = np.cross(spin, body.positions - 0.5) + [0.3, -0.2, 0.1]
            before = momenta(body)
            pl.Scene([body]).run(seconds=0.1, dt=0.1 / steps, stepper=stepper, progress=False)
            after = momenta(body)
            linear, angular = (
                np.abs(b - a).max() / np.abs(a).max() for a, b in zip(before, after, strict=True)
            )
            kept.append(angular)
            if kept is drifts:
                # Coordinates of 2 m round to 2e-16, over dt = 1 ms velocities to 2e-13, in 100 steps.
                assert linear <= 3e-12
    assert np.log2(drifts[0] / drifts[-1]) / 2 == pytest.approx(1.0, abs=0.15)
    # 20 sweeps, too, end near enough for that; solved, both drift alike.
    assert drifts == pytest.approx(theirs, rel=0.05 if tolerance is None else 1e-4)
