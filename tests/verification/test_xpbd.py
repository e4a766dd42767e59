"""Position-based dynamics: sweeps end at backward Euler, and stiffness is that of the springs."""

import importlib
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.stepping import xpbd
from pliant.stepping.xpbd_sweeps import colours

from . import published_pbd as published

sys.path.insert(0, str(Path(__file__).parents[2] / "studies"))
theory = importlib.import_module("oscillator.theory")
G, DT = 9.81, 1 / 60


def chain(links=20, *, k=2000.0, mass=0.01, way=(1.0, 0.0), damping=None):
    """A chain of 1 m from the origin, held at its first point."""
    points = np.linspace(0.0, 1.0, links + 1)[:, None] * np.array(way)
    pairs = np.stack([np.arange(links), np.arange(links) + 1], axis=1)
    body = pl.Springs(pl.Mesh(points, {"line": pairs}), stiffness=k, mass=mass, damping=damping)
    body.fix([0])
    return body


def cloth():
    """A sheet held at two corners, level, with the noise that lets it fold."""
    flat = pl.meshes.rectangle((1, 1), (5, 5))
    mesh = pl.Mesh(np.insert(flat.points, 1, 0.0, axis=1), flat.cells)
    body = pl.Cloth(mesh, stretch=400.0, shear=100.0, bend=1e-3, density=0.2)
    x, _, z = mesh.points.T
    body.fix((z < 1e-9) & ((x < 1e-9) | (x > 1 - 1e-9)))
    noise = np.random.default_rng(0).standard_normal(mesh.points.shape)
    body.place(mesh.points + 1e-4 * noise * ~body.pinned[:, None])
    return body


def balloon():
    """Teschner's: distances, areas and volumes of a ball that hangs by its top."""
    ball = pl.meshes.sphere(radius=0.5, cells=2)
    body = pl.Preserving(ball, distance=0.3, area=0.1, volume=2.0, mass=0.02)
    body.fix(ball.points[:, 1] > 0.3)
    return body


CASES = {"chain": chain, "cloth": cloth, "balloon": balloon}
every = pytest.mark.parametrize("case", CASES)


def fall(case, stepper, seconds=0.2, dt=DT, damping=None):
    body = CASES[case]()
    body.damping = damping
    gravity = (0.0, -G, 0.0)[: body.dim]
    return pl.Scene([body], gravity=gravity).run(
        seconds=seconds, dt=dt, stepper=stepper, progress=False
    )


@cache
def backward_euler(case):
    return fall(case, pl.Implicit(tolerance=0.0))


@every
def test_sweeps_end_at_backward_euler(case):
    """50, 200 and 1000 sweeps: ever nearer to the minimum that Newton's method finds."""
    truth = backward_euler(case).positions
    misses = [
        np.abs(fall(case, pl.XPBD(n, tolerance=None)).positions - truth).max()
        for n in (50, 200, 1000)
    ]
    # Each step of the two solvers ends within rounding, Newton's at 1e-9 of the size and mostly far
    # below; 12 steps, in which a sheet begins to fold, carry that on.
    assert misses[-1] <= 1e-9
    floor = 1e-11
    for fewer, more in pairwise(misses):
        assert more < 0.3 * fewer or more <= floor
    assert np.abs(truth[-1] - truth[0]).max() > 0.1


def test_impulses_that_overshoot_as_they_turn_are_slowed(monkeypatch):
    """A ball so soft that cells are crushed: where visits alone would go back and forth for ever."""
    ball = pl.meshes.sphere(radius=0.5, cells=3)
    body = pl.Preserving(ball, mass=0.01, distance=0.06, area=0.02, volume=1.8)
    body.fix(ball.points[:, 1] > 0.42)
    scene = pl.Scene([body], gravity=(0, -G, 0))
    take = scene.run(seconds=0.7, dt=DT, stepper=pl.Implicit(tolerance=0.0), progress=False)
    misses = {}
    for least in (1.0, xpbd.LEAST):
        monkeypatch.setattr(xpbd, "LEAST", least)
        misses[least] = 0.0
        for frame in range(26, 40, 4):
            body.place(take.positions[frame])
            body.velocity = take.velocities[frame]
            scene.step(DT, stepper=pl.XPBD(1000, tolerance=None))
            miss = np.abs(body.positions - take.positions[frame + 1]).max()
            misses[least] = max(misses[least], miss)
    assert misses[1.0] > 1e-3 and misses[1 / 64] < 1e-10


def test_a_sheet_pushed_together_in_one_step_is_solved_in_parts():
    """Corners that jump inwards by 4 mm fold it: refused, not guessed; with substeps it is solved."""
    flat = pl.meshes.rectangle((1, 1), (12, 12))
    mesh = pl.Mesh(np.insert(flat.points, 1, 0.0, axis=1), flat.cells)
    body = pl.Cloth(mesh, stretch=1000.0, shear=100.0, bend=1e-3, density=0.2)
    corners = (np.abs(mesh.points[:, [0, 2]] - 0.5) > 0.5 - 1e-9).all(axis=1)
    start, way = mesh.points[corners], [0.5, 0.0, 0.5] - mesh.points[corners]
    noise = np.random.default_rng(0).standard_normal(mesh.points.shape)
    body.place(mesh.points + 1e-4 * noise * ~corners[:, None])
    body.move(corners, lambda t: start + 0.5 * t * way)
    scene = pl.Scene([body], gravity=(0, -G, 0))
    with pytest.raises(pl.SolverError, match="not solved in 500 sweeps.*substeps"):
        scene.step(DT, stepper=pl.XPBD(500))
    for _ in range(3):
        (report,) = scene.step(DT, stepper=pl.XPBD(2000, substeps=4))
        assert report.reason == "converged"


@every
@pytest.mark.parametrize("tolerance", [1e-2, 1e-3, 1e-5])
def test_tolerance_is_what_is_left_of_a_step(case, tolerance):
    """Steps from states of the backward Euler run, against where it went from there."""
    take, body = backward_euler(case), CASES[case]()
    scene = pl.Scene([body], gravity=(0.0, -G, 0.0)[: body.dim])
    shares = []
    for frame in range(1, len(take.times) - 1, 3):
        x, v = take.positions[frame], take.velocities[frame]
        body.place(x)
        body.velocity = v
        flown = np.where(body.pinned[:, None], x, x + DT * v + DT**2 * scene.gravity)
        (report,) = scene.step(DT, stepper=pl.XPBD(20000, tolerance=tolerance))
        assert report.reason == "converged"
        left = np.abs(body.positions - take.positions[frame + 1]).max()
        shares.append(left / np.abs(take.positions[frame + 1] - flown).max())
    # What is left is foreseen from the rate of the slowest of two looks; twice that is room.
    assert max(shares) <= 2.0 * tolerance
    assert max(shares) >= 0.05 * tolerance  # nor are sweeps wasted


def test_a_digit_costs_the_same_number_of_sweeps():
    """Linear convergence: 90 sweeps a digit for the chain of 20 links and k dt^2/m = 56."""
    needed = [
        fall("chain", pl.XPBD(5000, tolerance=10.0**-d)).solver["iterations"].mean()
        for d in (3, 5, 7)
    ]
    first, second = np.diff(needed) / 2
    assert first == pytest.approx(second, rel=0.1) and 60 < second < 120


def test_relaxation_saves_sweeps_and_changes_nothing():
    needed, ends = [], []
    for relaxation in (1.0, 1.8):
        take = fall("chain", pl.XPBD(5000, tolerance=1e-8, relaxation=relaxation))
        needed.append(take.solver["iterations"].mean())
        ends.append(take.positions[-1])
    assert needed[1] < 0.25 * needed[0]
    assert np.abs(ends[0] - ends[1]).max() <= 1e-8


@pytest.mark.parametrize("sweeps", [1, 3, 40])
def test_along_a_line_it_is_the_published_formula(sweeps):
    """Gradients that do not turn: [macklin2016] (18), sweep by sweep, to rounding."""
    body = chain(8, k=500.0, mass=0.02, way=(0.0, -1.0))
    pairs, links = body.pairs, 8
    order = np.argsort(colours(pairs.astype(np.int32), links + 1), kind="stable")
    stepper = pl.XPBD(sweeps, tolerance=None)
    pl.Scene([body], gravity=(0, -G)).run(seconds=10 * DT, dt=DT, stepper=stepper, progress=False)
    expected = published.run(
        body.mesh.points,
        pairs,
        np.full(links, 1 / links),
        body.masses,
        [0],
        order,
        gravity=(0, -G),
        dt=DT,
        steps=10,
        sweeps=sweeps,
        compliance=np.full(links, 1 / 500.0 / DT**2),
    )
    np.testing.assert_allclose(body.positions, expected, atol=1e-13)


def test_published_impulses_that_do_not_turn_miss_backward_euler():
    """A swinging chain: the printed formula ends elsewhere, however often it sweeps."""
    body, truth = chain(), backward_euler("chain").positions[-1]
    order = np.argsort(colours(body.pairs.astype(np.int32), len(body)), kind="stable")
    printed = published.run(
        body.mesh.points,
        body.pairs,
        body.lengths(),
        body.masses,
        [0],
        order,
        gravity=(0, -G),
        dt=DT,
        steps=12,
        sweeps=400,
        compliance=np.full(20, 1 / 2000.0 / DT**2),
    )
    miss = np.abs(printed - truth).max()
    ours = np.abs(fall("chain", pl.XPBD(1000, tolerance=None)).positions[-1] - truth).max()
    assert 1e-4 < miss < 1e-2 and ours < 1e-10


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
            body = pl.Preserving(
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


def test_substeps_are_steps():
    """Pins and loads are those of the times between."""

    def end(stepper, dt):
        body = chain(6, k=300.0)
        body.move([0], lambda t: np.array([[0.1 * np.sin(20 * t), 0.05 * t]]))
        body.push(force=lambda t: np.array([0.0, 0.05 * np.sin(30 * t)]), on=[6])
        pl.Scene([body], gravity=(0, -G)).run(seconds=0.2, dt=dt, stepper=stepper, progress=False)
        return body.positions

    whole, parts = end(pl.XPBD(substeps=4), 0.02), end(pl.XPBD(), 0.005)
    # The times of the parts are sums in another order.
    assert np.abs(whole - parts).max() <= 1e-12
    assert np.abs(whole - end(pl.XPBD(), 0.02)).max() > 1e-3


@every
def test_with_damped_conditions_it_is_the_implicit_step_too(case):
    damping = pl.ConditionDamping(rate=0.02)
    ends = [
        fall(case, stepper, damping=damping).positions[-1]
        for stepper in (pl.XPBD(5000, tolerance=1e-9), pl.Implicit(tolerance=0.0))
    ]
    # Both are solved to 1e-9 of motions of 0.1 m, and 12 steps carry that on.
    assert np.abs(ends[0] - ends[1]).max() <= 1e-8
    assert np.abs(ends[1] - backward_euler(case).positions[-1]).max() > 1e-6
