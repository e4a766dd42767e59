"""Position-based dynamics: sweeps end at backward Euler."""

import sys
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.step import xpbd
from pliant.step.xpbd_sweeps import colours
from tests.verification.xpbd_cases import DT, G, chain

from . import published_pbd as published

sys.path.insert(0, str(Path(__file__).parents[2] / "studies"))


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
    body = pl.ConstraintBody(ball, distance=0.3, area=0.1, volume=2.0, mass=0.02)
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
    body = pl.ConstraintBody(ball, mass=0.01, distance=0.06, area=0.02, volume=1.8)
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
