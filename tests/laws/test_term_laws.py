"""Laws that the energies of every exported condition and of every exported form obey alike."""

import numpy as np
import pytest
import warp as wp

from pliant.energies import Energy
from tests.laws.stencils import CONDITIONS, FORMS, jets_of, stencils_of, turn
from tests.laws.test_spring_laws import dense, differences

CASES = [(stencils_of, c, dim) for c, dim in CONDITIONS]
CASES += [(jets_of, f, dim) for f, dim in FORMS]
NAMES = [f"{kind.__name__}-{dim}" for _, kind, dim in CASES]
each = pytest.mark.parametrize("make, kind, dim", CASES, ids=NAMES)


def test_the_rooms_are_not_empty():
    assert {"Distance", "Area", "Volume"} <= {c.__name__ for c, _ in CONDITIONS}
    assert "Taylor" in {f.__name__ for f, _ in FORMS}


@each
def test_gradient_and_hessian_match_finite_differences(make, kind, dim):
    energy, assembly, _, x = make(kind, dim)
    assert isinstance(energy, Energy)
    g, H = assembly.gradient(x), dense(assembly, x, project=False)
    # Centred differences at h = 1e-6: rounding 1e-16/h = 1e-10 and truncation h^2, with room.
    assert np.abs(g).max() > 0.05 and np.abs(H).max() > 0.5
    assert np.abs(g.ravel() - differences(assembly.value, x)[0]).max() <= 1e-7 * np.abs(g).max()
    assert np.abs(H - differences(assembly.gradient, x)).max() <= 1e-6 * np.abs(H).max()
    np.testing.assert_allclose(H, H.T, atol=1e-12 * np.abs(H).max())


@each
def test_rigid_motion_costs_nothing(make, kind, dim):
    _, assembly, _, x = make(kind, dim)
    Q = turn(dim)
    moved = x @ Q.T + 3.0
    assert assembly.value(moved) == pytest.approx(assembly.value(x), rel=1e-11)
    turned = assembly.gradient(x) @ Q.T
    np.testing.assert_allclose(assembly.gradient(moved), turned, atol=1e-11 * np.abs(turned).max())


@each
def test_forces_have_no_sum_and_no_torque(make, kind, dim):
    _, assembly, _, x = make(kind, dim)
    g = assembly.gradient(x)
    # A form sums over longer stencils: ten times the rounding of a condition.
    size = (10.0 if make is jets_of else 1.0) * np.abs(g).max() * len(g)
    np.testing.assert_allclose(g.sum(axis=0), 0.0, atol=1e-13 * size)
    torque = np.einsum("ni,nj->ij", x, g)
    np.testing.assert_allclose(torque, torque.T, atol=1e-12 * size)


@each
def test_float32_agrees_with_float64(make, kind, dim):
    exact, coarse = (make(kind, dim, dtype=dtype)[1] for dtype in (wp.float64, wp.float32))
    x = make(kind, dim)[3]
    # float32 rounds to 6e-8. Conditions are differences of numbers about 1 / 0.1; a form sums over
    # some tens of numbers about 1.
    allowed = 5e-5 if make is jets_of else 2e-5
    assert coarse.value(x) == pytest.approx(exact.value(x), rel=1e-4)
    g, H = exact.gradient(x), dense(exact, x, project=True)
    np.testing.assert_allclose(coarse.gradient(x), g, atol=allowed * np.abs(g).max())
    np.testing.assert_allclose(dense(coarse, x, True), H, atol=allowed * np.abs(H).max())


@each
def test_points_in_one_place_have_finite_forces(make, kind, dim):
    _, assembly, rest, _ = make(kind, dim)
    for crushed in (np.zeros_like(rest), rest * np.eye(dim)[0]):  # to a point, to a line
        assert np.isfinite(assembly.value(crushed))
        assert np.isfinite(assembly.gradient(crushed)).all()
        assert np.isfinite(dense(assembly, crushed, project=True)).all()
