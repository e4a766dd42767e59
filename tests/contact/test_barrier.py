"""The barrier is that of ipctk, scaled; its gradient is exact, its Hessian semi-definite."""

import numpy as np
import pytest

from pliant.contact.barrier_kernels import barrier_kernels
from pliant.contact.closest import EDGE_EDGE, POINT_PLANE, POINT_POINT
from tests.contact.sums import POINTS, Sum, pairs_of, slopes

ipctk = pytest.importorskip("ipctk", reason="ipctk has no wheel for this platform")
CASES = [(kind, 3) for kind in POINTS] + [(2, 2), (3, 2)]


def barrier(kind, corners, **how):
    x, pairs = pairs_of(kind, corners, **how)
    return x, Sum(barrier_kernels(x.shape[1]), pairs.struct, len(pairs), x.shape[1], len(x))


@pytest.mark.parametrize("share", [1e-12, 1e-6, 0.01, 0.3, 0.7, 0.999, 1.0 - 1e-9])
def test_two_points_feel_the_barrier_of_ipctk(share):
    reach, thickness, k = 3e-3, 0.02, 7.0
    d = share * reach
    ends = np.array([[[thickness + d, 0.0, 0.0], [0.0, 0.0, 0.0]]])
    x, energy = barrier(POINT_POINT, ends, law=(thickness, reach, k, 0.0))
    y = (x[0, 0] - thickness) / reach  # what rounding has left of the share
    want = k * ipctk.barrier(y * reach, reach) / reach**2
    slope = k * ipctk.barrier_first_derivative(y * reach, reach) / reach**2
    bend = k * ipctk.barrier_second_derivative(y * reach, reach) / reach**2
    near = 1e-12 if share < 0.9 else 1e-6  # where it ends theirs loses digits
    assert energy.value(x) == pytest.approx(want, rel=near)
    np.testing.assert_allclose(energy.gradient(x)[:, 0], [slope, -slope], rtol=near)
    n = np.array([1.0, 0, 0, -1.0, 0, 0])
    np.testing.assert_allclose(energy.hessian(x), bend * np.outer(n, n), rtol=near)


def test_what_touches_has_infinite_energy_and_what_is_far_none():
    touching = np.zeros((1, 2, 3))
    assert barrier(POINT_POINT, touching)[1].value(touching[0]) == np.inf
    x, energy = barrier(POINT_POINT, np.array([[[2.0, 0, 0], [0, 0, 0]]]))
    assert energy.value(x) == 0.0 and not energy.gradient(x).any() and not energy.hessian(x).any()


@pytest.mark.parametrize("kind, dim", CASES)
def test_gradients_are_those_of_values(kind, dim):
    rng = np.random.default_rng(kind)
    corners = rng.uniform(-1, 1, (12, POINTS[kind], dim))
    x, energy = barrier(kind, corners, law=(1e-3, 3.0, 2.0, 0.5))
    found, want = energy.gradient(x), slopes(energy.value, x, 1e-4).reshape(x.shape)
    assert np.abs(found).max() > 0.1
    np.testing.assert_allclose(found, want, atol=1e-7 * np.abs(want).max())


@pytest.mark.parametrize("kind, dim", CASES)
def test_projected_hessians_are_that_along_the_distance_and_what_is_positive_beside(kind, dim):
    """Away from parallel edges the matrix is b'' times the gradient of the distance, twice, and more.

    What comes on top is the positive part of the curvature of the distance, so that no direction is
    less stiff than it is by the exact Hessian. Of points there is none.
    """
    corners = np.random.default_rng(kind).uniform(-1, 1, (12, POINTS[kind], dim))
    x, energy = barrier(kind, corners, law=(0.0, 3.0, 2.0, 0.0))
    _, pairs = pairs_of(kind, corners)
    d = pairs.touch(x).distances

    def distances(y):
        return pairs.touch(y).distances

    J = slopes(distances, x, 1e-4)
    bend = [2.0 * ipctk.barrier_second_derivative(v, 3.0) / 9.0 for v in d]
    want = J @ np.diag(bend) @ J.T
    found, exact = energy.hessian(x), energy.hessian(x, project=False)
    for less in (want, exact, 0.0 * want):
        assert np.linalg.eigvalsh(found - less).min() > -1e-7 * np.abs(found).max()
    straight = kind in (POINT_POINT, POINT_PLANE)
    assert np.allclose(found, want, atol=1e-7 * np.abs(want).max()) == straight


@pytest.mark.parametrize("kind, dim", CASES)
def test_exact_hessians_are_those_of_gradients(kind, dim):
    """Also of edges that are mollified; the distance has no second derivative where features change."""
    corners = np.random.default_rng(kind).uniform(-1, 1, (12, POINTS[kind], dim))
    x, energy = barrier(kind, corners, law=(1e-3, 3.0, 2.0, 0.5))
    want = slopes(lambda y: energy.gradient(y).ravel(), x, 1e-5)
    np.testing.assert_allclose(energy.hessian(x, project=False), want, atol=1e-7 * abs(want).max())


def nearly_parallel(angle, rng):
    """Two edges 0.4 apart at an angle, somewhere in space."""
    u, v = np.array([1.0, 0, 0]), np.array([np.cos(angle), np.sin(angle), 0])
    a, c = np.array([-0.3, 0.0, 0.4]), -0.6 * v
    turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    return np.array([[a, a + u, c, c + v]]) @ turn


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-4, 1e-2, 0.02, 0.031, 0.04, 1.0])
def test_nearly_parallel_edges_are_mollified_as_in_ipctk(angle):
    rng = np.random.default_rng(3)
    corners = nearly_parallel(angle, rng)
    e = ipctk.edge_edge_mollifier_threshold(*corners[0])
    x, energy = barrier(EDGE_EDGE, corners, law=(0.0, 1.0, 5.0, e))
    d = pairs_of(EDGE_EDGE, corners)[1].touch(x).distances[0]
    m, b = ipctk.edge_edge_mollifier(*corners[0], e), 5.0 * ipctk.barrier(d, 1.0)
    assert energy.value(x) == pytest.approx(m * b, rel=1e-12, abs=1e-15)
    down = np.sqrt(ipctk.edge_edge_distance(*corners[0]))
    slope = ipctk.edge_edge_distance_gradient(*corners[0]) / (2.0 * down)
    want = b * ipctk.edge_edge_mollifier_gradient(*corners[0], e)
    want = want + m * 5.0 * ipctk.barrier_first_derivative(d, 1.0) * slope
    np.testing.assert_allclose(energy.gradient(x).ravel(), want, rtol=1e-9, atol=1e-12 * b)
    H = energy.hessian(x)
    assert np.linalg.eigvalsh(H).min() > -1e-12 * max(np.abs(H).max(), 1.0)
    assert np.abs(H).max() > 1.0


def test_the_hessian_of_parallel_edges_is_exact():
    corners = nearly_parallel(0.0, np.random.default_rng(4))
    e = ipctk.edge_edge_mollifier_threshold(*corners[0])
    x, energy = barrier(EDGE_EDGE, corners, law=(0.0, 1.0, 5.0, e))
    want = slopes(lambda y: energy.gradient(y).ravel(), x, 1e-7)
    found = energy.hessian(x)
    np.testing.assert_allclose(found, want, atol=1e-5 * np.abs(want).max())


def test_a_plane_pushes_one_point():
    n = np.array([[0.6, 0.8]])
    planes = (np.array([[1.0, 2.0]]), n)
    corners = np.array([[[1.0, 2.0]]]) + 0.3 * n[:, None]
    x, pairs = pairs_of(POINT_PLANE, corners, law=(0.1, 0.5, 2.0, 0.0), planes=planes)
    s = pairs.stencils.numpy()
    s[:, 1] = -2
    pairs.stencils.assign(s)
    energy = Sum(barrier_kernels(2), pairs.struct, 1, 2, 1)
    assert energy.value(x) == pytest.approx(2.0 * ipctk.barrier(0.2, 0.5) / 0.25, rel=1e-12)
    want = slopes(energy.value, x, 1e-4).reshape(1, 2)
    np.testing.assert_allclose(energy.gradient(x), want, rtol=1e-9)
    want = slopes(lambda y: energy.gradient(y).ravel(), x, 1e-4)
    np.testing.assert_allclose(energy.hessian(x), want, rtol=1e-8)
    assert energy.value(x - n) == np.inf


def test_points_that_are_given_get_nothing():
    corners = np.random.default_rng(5).uniform(-1, 1, (1, 4, 3))
    x, pairs = pairs_of(0, corners, law=(0.0, 3.0, 1.0, 0.0))
    whole = Sum(barrier_kernels(3), pairs.struct, 1, 3, 4)
    part = Sum(barrier_kernels(3), pairs.struct, 1, 3, 2)
    np.testing.assert_array_equal(part.gradient(x), whole.gradient(x)[:2])
    np.testing.assert_array_equal(part.hessian(x), whole.hessian(x)[:6, :6])
