"""Laws that every exported condition and the energy k/2 C^2 of it must obey."""

import inspect

import numpy as np
import pytest
import warp as wp

import pliant.conditions as conditions
from pliant.conditions import Condition
from pliant.energies import Energy
from pliant.energies.assembly import Assembly
from pliant.energies.condition import ConditionEnergy
from tests.laws.test_spring_laws import dense, differences

CASES = [
    (c, dim)
    for c in (getattr(conditions, name) for name in conditions.__all__)
    if inspect.isclass(c) and issubclass(c, Condition) and c is not Condition
    for dim in c.dims
]
each = pytest.mark.parametrize("condition, dim", CASES, ids=lambda v: getattr(v, "__name__", v))


def stencils_of(condition, dim, seed=0, spread=0.15, dtype=wp.float64):
    """Three stencils that share points, their energy, and a bent shape."""
    rng = np.random.default_rng(seed)
    k = condition.points
    stencils = np.array([np.roll(np.arange(k), s) + s for s in range(3)])
    # Well apart, so that no stencil is nearly flat: corners of a simplex, and steps beyond it.
    points = np.concatenate([np.zeros((1, dim)), np.eye(dim), np.ones((3, dim))])[: k + 2]
    points = points + np.linspace(0.0, 0.7, k + 2)[:, None] ** 2 * np.linspace(0.2, 1.0, dim)
    points += rng.uniform(-0.1, 0.1, points.shape)
    stiffness = rng.uniform(1.0, 5.0, 3)
    energy = ConditionEnergy(condition, points, stencils, stiffness=stiffness, dtype=dtype)
    x = points + spread * rng.uniform(-1, 1, points.shape)
    return energy, Assembly(len(points), dim, [energy], dtype=dtype), points, x


def turn(dim, seed=1):
    Q, _ = np.linalg.qr(np.random.default_rng(seed).standard_normal((dim, dim)))
    Q[:, 0] *= np.linalg.det(Q)  # no mirror: volumes have a sign
    return Q


def test_the_room_is_not_empty():
    names = {c.__name__ for c, _ in CASES}
    assert {"Distance", "Area", "Volume"} <= names


@each
def test_gradient_and_hessian_match_finite_differences(condition, dim):
    energy, assembly, _, x = stencils_of(condition, dim)
    assert isinstance(energy, Energy)
    g, H = assembly.gradient(x), dense(assembly, x, project=False)
    # Centred differences at h = 1e-6: rounding 1e-16/h = 1e-10 and truncation h^2, with room.
    assert np.abs(g).max() > 0.05 and np.abs(H).max() > 0.5
    assert np.abs(g.ravel() - differences(assembly.value, x)[0]).max() <= 1e-7 * np.abs(g).max()
    assert np.abs(H - differences(assembly.gradient, x)).max() <= 1e-6 * np.abs(H).max()
    np.testing.assert_allclose(H, H.T, atol=1e-12 * np.abs(H).max())


@each
def test_rest_is_free_of_force_and_rigid_motion_costs_nothing(condition, dim):
    energy, assembly, rest, x = stencils_of(condition, dim)
    # C of the rest shape is rounding, 1e-16 of the numbers it is the difference of.
    assert np.abs(energy.conditions(assembly.array(rest))).max() <= 1e-14
    assert assembly.value(rest) <= 1e-26 and np.abs(assembly.gradient(rest)).max() <= 1e-13
    assert np.abs(energy.conditions(assembly.array(x))).min() > 1e-4
    Q = turn(dim)
    moved = x @ Q.T + 3.0
    assert assembly.value(moved) == pytest.approx(assembly.value(x), rel=1e-11)
    turned = assembly.gradient(x) @ Q.T
    np.testing.assert_allclose(assembly.gradient(moved), turned, atol=1e-11 * np.abs(turned).max())


@each
def test_forces_have_no_sum_and_no_torque(condition, dim):
    _, assembly, _, x = stencils_of(condition, dim)
    g = assembly.gradient(x)
    np.testing.assert_allclose(g.sum(axis=0), 0.0, atol=1e-13 * np.abs(g).max() * len(g))
    torque = np.einsum("ni,nj->ij", x, g)
    np.testing.assert_allclose(torque, torque.T, atol=1e-12 * np.abs(g).max() * len(g))


@each
def test_projection_is_positive_and_leaves_definite_terms_alone(condition, dim):
    indefinite = 0
    for seed in range(8):
        _, assembly, rest, x = stencils_of(condition, dim, seed=seed, spread=0.4)
        true, projected = (dense(assembly, x, project=p) for p in (False, True))
        values = np.linalg.eigvalsh(projected)
        # The projection is Jacobi's, good to 1e-15 of the largest eigenvalue.
        assert values.min() >= -1e-12 * values.max() and values.max() > 0.5
        indefinite += np.linalg.eigvalsh(true).min() < -1e-2
        if not condition.gauss_newton:  # negative eigenvalues were cut off, and nothing else
            assert np.linalg.eigvalsh(projected - true).min() >= -1e-11 * values.max()
    assert indefinite  # or nothing was tested
    np.testing.assert_allclose(  # at rest the term is k dC dC^T, which is semi-definite
        dense(assembly, rest, project=True), dense(assembly, rest, project=False), atol=1e-11
    )


@each
def test_float32_agrees_with_float64(condition, dim):
    exact, coarse = (
        stencils_of(condition, dim, dtype=dtype)[1] for dtype in (wp.float64, wp.float32)
    )
    x = stencils_of(condition, dim)[3]
    # float32 rounds positions to 6e-8; conditions are differences of numbers about 1 / 0.1.
    assert coarse.value(x) == pytest.approx(exact.value(x), rel=1e-4)
    g, H = exact.gradient(x), dense(exact, x, project=True)
    np.testing.assert_allclose(coarse.gradient(x), g, atol=2e-5 * np.abs(g).max())
    np.testing.assert_allclose(dense(coarse, x, True), H, atol=2e-5 * np.abs(H).max())


@each
def test_points_in_one_place_have_finite_forces(condition, dim):
    _, assembly, rest, _ = stencils_of(condition, dim)
    for crushed in (np.zeros_like(rest), rest * np.eye(dim)[0]):  # to a point, to a line
        assert np.isfinite(assembly.value(crushed))
        assert np.isfinite(assembly.gradient(crushed)).all()
        assert np.isfinite(dense(assembly, crushed, project=True)).all()


def test_volumes_are_refused_in_the_plane():
    with pytest.raises(ValueError, match="2D"):
        ConditionEnergy(conditions.Volume, np.eye(4)[:, :2], np.arange(4)[None], stiffness=1.0)
