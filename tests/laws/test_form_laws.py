"""Laws of forms and of the energy of them, beside those of all energies of terms."""

import numpy as np
import pytest

import pliant.forms as forms
from pliant.energies.assembly import Assembly
from pliant.energies.jet import JetEnergy
from tests.laws.stencils import FORMS, jets_of, turn
from tests.laws.test_spring_laws import dense

each = pytest.mark.parametrize("form, dim", FORMS, ids=lambda v: getattr(v, "__name__", v))


@each
def test_rest_is_free_of_force(form, dim):
    energy, assembly, rest, x = jets_of(form, dim)
    # Nothing but the rounding of a sum over the stencil, whichever way the rest shape is turned.
    for still in (rest, rest @ turn(dim).T + 3.0):
        assert assembly.value(still) <= 1e-24 and np.abs(assembly.gradient(still)).max() <= 1e-11
    change = energy.measures(assembly.array(x)) - energy.rest
    assert (np.abs(change).max(axis=0) > 1e-4).all()  # every measure answers


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
def test_another_rest_is_where_the_energy_is_least(form, dim):
    energy, assembly, _, x = jets_of(form, dim)
    energy.set_rest(energy.measures(assembly.array(x)))
    assert assembly.value(x) <= 1e-24 and np.abs(assembly.gradient(x)).max() <= 1e-11


@each
def test_strain_inertia_is_the_energy_about_other_measures(form, dim):
    energy, assembly, points, x = jets_of(form, dim)
    twin, plain = energy.strain_inertia(), assembly.value(x)
    about = Assembly(len(points), dim, [twin])
    middle = 0.5 * (points + x)
    twin.aim(twin.strains(assembly.array(middle)))
    twin.weigh(3.0)
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
