"""Laws that every exported form and the energy of it must obey."""

import inspect

import numpy as np
import pytest
import warp as wp

import pliant.forms as forms
from pliant.energies import Energy
from pliant.energies.assembly import Assembly
from pliant.energies.jet import JetEnergy
from pliant.forms import Form
from tests.laws.test_condition_laws import turn
from tests.laws.test_spring_laws import dense, differences

CASES = [
    (f, dim)
    for f in (getattr(forms, name) for name in forms.__all__)
    if inspect.isclass(f) and issubclass(f, Form) and f is not Form
    for dim in f.dims
]
each = pytest.mark.parametrize("form, dim", CASES, ids=lambda v: getattr(v, "__name__", v))


def jets_of(form, dim, seed=0, spread=0.1, dtype=wp.float64, **how):
    """Three terms that share points, their energy, and a bent shape."""
    rng = np.random.default_rng(seed)
    k = form.vectors + 2
    stencils = np.arange(k) + np.arange(3)[:, None]
    points = rng.uniform(-1, 1, (k + 2, dim))
    # Derivatives: no vector changes when all points move alike. The first ones are the axes, turned
    # and sheared, as those of a grid are: so surfaces have a normal.
    operators = rng.uniform(-1, 1, (3, form.vectors, k))
    operators -= operators.mean(axis=2, keepdims=True)
    first = np.eye(max(dim, form.vectors))[: form.vectors, :dim]
    wanted = first + rng.uniform(-0.3, 0.3, (3, form.vectors, dim))
    centred = points[stencils] - points[stencils].mean(axis=1, keepdims=True)
    found = np.einsum("tai,tid->tad", operators, centred)
    operators += np.einsum("tad,tdi->tai", wanted - found, np.linalg.pinv(centred))
    root = rng.uniform(-1, 1, (3, form.measures, form.measures)) + 2 * np.eye(form.measures)
    stiffness = root @ root.transpose(0, 2, 1)
    energy = JetEnergy(
        form, points, stencils, operators=operators, stiffness=stiffness, dtype=dtype, **how
    )
    x = points + spread * rng.uniform(-1, 1, points.shape)
    return energy, Assembly(len(points), dim, [energy], dtype=dtype), points, x


def test_the_room_is_not_empty():
    assert "Taylor" in {f.__name__ for f, _ in CASES}


@each
def test_gradient_and_hessian_match_finite_differences(form, dim):
    energy, assembly, _, x = jets_of(form, dim)
    assert isinstance(energy, Energy)
    g, H = assembly.gradient(x), dense(assembly, x, project=False)
    # Centred differences at h = 1e-6: rounding 1e-16/h = 1e-10 and truncation h^2, with room.
    assert np.abs(g).max() > 0.05 and np.abs(H).max() > 0.5
    assert np.abs(g.ravel() - differences(assembly.value, x)[0]).max() <= 1e-7 * np.abs(g).max()
    assert np.abs(H - differences(assembly.gradient, x)).max() <= 1e-6 * np.abs(H).max()
    np.testing.assert_allclose(H, H.T, atol=1e-12 * np.abs(H).max())


@each
def test_rest_is_free_of_force_and_rigid_motion_costs_nothing(form, dim):
    energy, assembly, rest, x = jets_of(form, dim)
    # Nothing but the rounding of a sum over the stencil, whichever way the rest shape is turned.
    Q = turn(dim)
    for still in (rest, rest @ Q.T + 3.0):
        assert assembly.value(still) <= 1e-24 and np.abs(assembly.gradient(still)).max() <= 1e-11
    change = energy.measures(assembly.array(x)) - energy.rest
    assert (np.abs(change).max(axis=0) > 1e-4).all()  # every measure answers
    moved = x @ Q.T + 3.0
    assert assembly.value(moved) == pytest.approx(assembly.value(x), rel=1e-11)
    turned = assembly.gradient(x) @ Q.T
    np.testing.assert_allclose(assembly.gradient(moved), turned, atol=1e-11 * np.abs(turned).max())


@each
def test_forces_have_no_sum_and_no_torque(form, dim):
    _, assembly, _, x = jets_of(form, dim)
    g = assembly.gradient(x)
    np.testing.assert_allclose(g.sum(axis=0), 0.0, atol=1e-12 * np.abs(g).max() * len(g))
    torque = np.einsum("ni,nj->ij", x, g)
    np.testing.assert_allclose(torque, torque.T, atol=1e-11 * np.abs(g).max() * len(g))


@each
def test_projection_is_positive_and_leaves_definite_terms_alone(form, dim):
    indefinite = 0
    for seed in range(4):
        _, assembly, rest, x = jets_of(form, dim, seed=seed, spread=0.5)
        true, projected = (dense(assembly, x, project=p) for p in (False, True))
        values = np.linalg.eigvalsh(projected)
        assert values.min() >= -1e-12 * values.max() and values.max() > 0.5
        indefinite += np.linalg.eigvalsh(true).min() < -1e-3 * values.max()
    assert indefinite  # or nothing was tested
    at_rest = dense(assembly, rest, project=False)
    np.testing.assert_allclose(  # there every term is (ds/dd)^T C ds/dd, which is semi-definite
        dense(assembly, rest, project=True), at_rest, atol=1e-11 * np.abs(at_rest).max()
    )


@each
def test_float32_agrees_with_float64(form, dim):
    exact, coarse = (jets_of(form, dim, dtype=dtype)[1] for dtype in (wp.float64, wp.float32))
    x = jets_of(form, dim)[3]
    # float32 rounds to 6e-8; the sums are over some tens of numbers about 1.
    assert coarse.value(x) == pytest.approx(exact.value(x), rel=1e-4)
    g, H = exact.gradient(x), dense(exact, x, project=True)
    np.testing.assert_allclose(coarse.gradient(x), g, atol=5e-5 * np.abs(g).max())
    np.testing.assert_allclose(dense(coarse, x, True), H, atol=5e-5 * np.abs(H).max())


@each
def test_points_in_one_place_have_finite_forces(form, dim):
    _, assembly, rest, _ = jets_of(form, dim)
    for crushed in (np.zeros_like(rest), rest * np.eye(dim)[0]):  # to a point, to a line
        assert np.isfinite(assembly.value(crushed))
        assert np.isfinite(assembly.gradient(crushed)).all()
        assert np.isfinite(dense(assembly, crushed, project=True)).all()


@each
def test_another_rest_is_where_the_energy_is_least(form, dim):
    energy, assembly, _, x = jets_of(form, dim)
    energy.set_rest(energy.measures(assembly.array(x)))
    assert assembly.value(x) <= 1e-24 and np.abs(assembly.gradient(x)).max() <= 1e-11


@each
def test_a_ghost_is_the_energy_about_other_measures(form, dim):
    energy, assembly, points, x = jets_of(form, dim)
    ghost, plain = energy.ghost(), assembly.value(x)
    about = Assembly(len(points), dim, [ghost])
    middle = 0.5 * (points + x)
    ghost.aim(ghost.strains(assembly.array(middle)))
    ghost.weigh(3.0)
    assert about.value(middle) <= 1e-24 and about.value(x) > 1e-6
    energy.set_rest(energy.measures(assembly.array(middle)))
    assert about.value(x) == pytest.approx(3.0 * assembly.value(x), rel=1e-12)
    np.testing.assert_allclose(about.gradient(x), 3.0 * assembly.gradient(x), rtol=1e-9, atol=1e-12)
    assert assembly.value(x) != pytest.approx(plain, rel=1e-3)


@pytest.mark.parametrize("terms", [3, 100])
def test_stencils_may_be_long(terms):
    """Of 60 points, all of a small body: no core has terms of its own then."""
    rng = np.random.default_rng(2)
    points, k = rng.uniform(-1, 1, (60, 3)), 60
    operators = rng.uniform(-1, 1, (terms, 9, k)) / k
    stencils = np.array([rng.permutation(k) for _ in range(terms)])
    operators -= operators.mean(axis=2, keepdims=True)
    energy = JetEnergy(
        forms.Taylor, points, stencils, operators=operators, stiffness=np.eye(24) / terms
    )
    assembly, way = Assembly(k, 3, [energy]), rng.uniform(-1, 1, points.shape)
    x, h = 1.1 * points, 1e-6
    H = dense(assembly, x, project=False)
    there = (assembly.gradient(x + h * way) - assembly.gradient(x - h * way)) / (2 * h)
    np.testing.assert_allclose(H @ way.ravel(), there.ravel(), atol=1e-7 * np.abs(there).max())


@pytest.mark.parametrize(
    "how, words",
    [
        (
            {"operators": np.zeros((8, 11))},
            r"operators: got shape \(8, 11\); expected \(1, 9, 11\)",
        ),
        ({"stiffness": np.eye(6)}, r"stiffness: got shape \(6, 6\); expected \(1, 24, 24\)"),
        ({"rest": np.zeros(5)}, r"rest: got shape \(5,\); expected \(1, 24\)"),
        ({"points": np.zeros((11, 2))}, "2D; expected dim in"),
    ],
)
def test_arrays_of_the_wrong_shape_are_refused(how, words):
    usual = {"points": np.eye(11, 3), "operators": np.zeros((9, 11)), "stiffness": np.eye(24)}
    with pytest.raises(ValueError, match=words):
        JetEnergy(forms.Taylor, stencils=np.arange(11)[None], **(usual | how))
