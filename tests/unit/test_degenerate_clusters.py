"""Relative damping of points that lie on a line, in one place, far away, or alone."""

import warnings

import numpy as np
import pytest

import pliant as pl
from pliant.control import Points
from pliant.control.torque import turning

WAYS = ["rotation", "distances", "directions", "programme", None]


def shapes(d):
    rng = np.random.default_rng(0)
    some = rng.standard_normal((6, d))
    line = np.outer(np.linspace(0, 1, 6), rng.standard_normal(d))
    return {
        "on a line": line,
        "on a line far away": 1e3 + line,
        "in a plane": some * np.r_[np.ones(d - 1), 0.0],
        "two in one place": some[[0, 1, 2, 3, 4, 4]],
        "all in one place": np.full((6, d), 0.3),
        "nearly in one place": 0.3 + 1e-14 * some,
        "two": some[:2],
        "a nanometre": 1e-9 * some,
        "100 m": 1e2 * some,
        "a thousand kilometres away": 1e6 + some,
    }


@pytest.mark.parametrize("connected", [False, True])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", shapes(3))
@pytest.mark.parametrize("dim", [2, 3])
def test_forces_are_finite_and_balanced(dim, name, way, connected):
    """No nan and no warning; the sum to rounding, the torque to that of positions."""
    x, rng = shapes(dim)[name], np.random.default_rng(1)
    n = len(x)
    masses = 10.0 ** rng.uniform(-3, 3, n)
    v = rng.standard_normal((n, dim))
    pairs = np.stack(np.triu_indices(n, 1), axis=1) if connected else None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        f = pl.RelativeDamping(1.0, torque=way).forces(Points(x, masses, pairs), v, 0.01)
    assert np.isfinite(f).all()
    assert np.abs(f.sum(axis=0)).max() <= 1e-12 * np.abs(f).sum()
    after = v + 0.01 * f / masses[:, None]
    assert masses @ (after * after).sum(axis=1) <= masses @ (v * v).sum(axis=1) * (1 + 1e-12)
    if way is not None:
        r = x - x.mean(axis=0)
        r -= r.mean(axis=0)
        torque = np.einsum("akd,kd->a", turning(r), f)
        assert np.abs(torque).max() <= 1e-10 * np.abs(f).sum() * max(np.abs(r).max(), 1e-300)


def test_points_that_are_alone_get_no_force():
    points = Points(np.eye(3), np.ones(3), pairs=np.zeros((0, 2), dtype=int))
    for way in WAYS:
        f = pl.RelativeDamping(1.0, torque=way).forces(points, np.eye(3), 0.1)
        assert f.shape == (3, 3) and not f.any()
    one = Points(np.zeros((1, 2)), np.ones(1))
    assert not pl.RelativeDamping(1.0).forces(one, np.ones((1, 2)), 0.1).any()


def test_springs_of_no_length_have_no_direction():
    points = Points(np.zeros((2, 3)), np.ones(2), pairs=np.array([[0, 1]]))
    v = np.array([[1.0, 0, 0], [-1.0, 0, 0]])
    assert not pl.SpringDamping(1.0).forces(points, v, 0.1).any()
    assert pl.SpringDamping(1.0, projected=False).forces(points, v, 0.1)[0, 0] == -2.0


@pytest.mark.parametrize("masses", [np.array([1.0, 0.0]), np.array([1.0, -1.0]), np.ones(3)])
def test_masses_must_be(masses):
    with pytest.raises(ValueError, match="one mass > 0"):
        Points(np.eye(2), masses)


def test_points_of_ones_own_may_be_lists_and_must_fit():
    x = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    points = Points(x, [1.0, 2.0, 3.0], pairs=[(0, 1), (1, 2)])
    v = np.eye(3, 2)
    assert pl.RelativeDamping(0.5).forces(points, v, 0.1).shape == (3, 2)
    assert pl.SpringDamping(0.5).forces(points, v, 0.1).any()
    with pytest.raises(ValueError, match="from 0 to 2"):
        Points(x, [1.0, 2.0, 3.0], pairs=[(0, 3)])
    with pytest.raises(ValueError, match="or 3 weights"):
        pl.RelativeDamping(0.5, torque="directions", about=[1, 2]).forces(points, v, 0.1)


def test_whole_numbers_may_be_those_of_numpy():
    points = Points(np.random.default_rng(0).random((8, 3)), np.ones(8))
    found = pl.RelativeDamping(0.5, clusters=np.int64(3)).forces(points, points.x, 0.1)
    assert (found == pl.RelativeDamping(0.5, clusters=3).forces(points, points.x, 0.1)).all()
    assert pl.IterativeSpringDamping(1.0, iterations=np.int32(3)).iterations == 3
    for wrong in (True, 2.5):
        with pytest.raises(ValueError, match="whole number"):
            pl.IterativeSpringDamping(1.0, iterations=wrong)
    with pytest.raises(ValueError, match="no cluster"):
        pl.RelativeDamping(0.5, clusters=()).forces(points, points.x, 0.1)


def test_one_damping_after_another_has_clusters_of_its_own():
    """They are remembered by the points; what is gone must not be taken for what comes after it."""
    rng = np.random.default_rng(0)
    points, v = Points(rng.random((12, 3)), np.ones(12)), rng.random((12, 3))
    wrong = 0
    for size in (2, 3, 4, 6) * 50:
        groups = list(np.arange(12).reshape(-1, size))
        found = pl.RelativeDamping(0.5, clusters=groups).forces(points, v, 0.1)
        fresh = Points(points.x, points.masses)
        wrong += not (found == pl.RelativeDamping(0.5, clusters=groups).forces(fresh, v, 0.1)).all()
    assert wrong == 0


def test_pins_hold_and_take_the_momentum_away():
    """A clamp moves with the others in the mean, and gets no force itself."""
    mesh = pl.meshes.rectangle((1, 1), (3, 3))
    net = pl.Springs(
        mesh, stiffness=50.0, mass=0.1, damping=pl.RelativeDamping(1.0, clusters="cells")
    )
    clamp = mesh.points[:, 0] < 1e-9
    net.fix(clamp)
    net.place(mesh.points * [1.2, 1.0])
    pl.Scene(net).run(seconds=0.5, dt=1 / 100, stepper=pl.SymplecticEuler())
    assert (net.positions[clamp] == mesh.points[clamp] * [1.2, 1.0]).all()
    assert np.isfinite(net.positions).all()


def test_the_bound_of_many_points_is_that_of_all_eigenvalues():
    mesh = pl.meshes.box((2, 1, 1), (6, 3, 3))
    points = Points(mesh.points, np.linspace(1, 3, len(mesh)), mesh.edges)
    assert points.x.size > 300
    for projected in (False, True):
        damping = pl.SpringDamping(1.0, projected=projected)
        largest = damping.eigenvalues(points)[-1]
        # Lanczos ends at rounding of the largest eigenvalue.
        assert damping.bound(points, 0.01) == pytest.approx(2 / (0.01 * largest), rel=1e-9)
