"""Laws of conditions and of the energy k/2 C^2 of them, beside those of all energies of terms."""

import numpy as np
import pytest

import pliant.conditions as conditions
from pliant.energies.condition import ConditionEnergy
from tests.laws.stencils import CONDITIONS, stencils_of
from tests.laws.test_spring_laws import dense

each = pytest.mark.parametrize(
    "condition, dim", CONDITIONS, ids=lambda v: getattr(v, "__name__", v)
)


@each
def test_rest_is_free_of_force(condition, dim):
    energy, assembly, rest, x = stencils_of(condition, dim)
    # C of the rest shape is rounding, 1e-16 of the numbers it is the difference of.
    assert np.abs(energy.conditions(assembly.array(rest))).max() <= 1e-14
    assert assembly.value(rest) <= 1e-26 and np.abs(assembly.gradient(rest)).max() <= 1e-13
    assert np.abs(energy.conditions(assembly.array(x))).min() > 1e-4


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


def test_volumes_are_refused_in_the_plane():
    with pytest.raises(ValueError, match="2D"):
        ConditionEnergy(conditions.Volume, np.eye(4)[:, :2], np.arange(4)[None], stiffness=1.0)
