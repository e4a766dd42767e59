"""Distances, closest points and normals of pairs are those of ipctk, on random and on nasty pairs."""

import numpy as np
import pytest

from pliant.contact.closest import (
    EDGE_EDGE,
    POINT_EDGE,
    POINT_PLANE,
    POINT_POINT,
    POINT_TRIANGLE,
)
from tests.contact.sums import POINTS, pairs_of

ipctk = pytest.importorskip("ipctk", reason="ipctk has no wheel for this platform")
PEER = {
    POINT_TRIANGLE: (ipctk.point_triangle_distance, ipctk.point_triangle_distance_gradient),
    EDGE_EDGE: (ipctk.edge_edge_distance, ipctk.edge_edge_distance_gradient),
    POINT_EDGE: (ipctk.point_edge_distance, ipctk.point_edge_distance_gradient),
    POINT_POINT: (ipctk.point_point_distance, ipctk.point_point_distance_gradient),
}
IN = [(kind, 3) for kind in POINTS] + [(POINT_EDGE, 2), (POINT_POINT, 2)]


def random_pairs(kind, dim, count=2000):
    """Pairs of all sizes, thin ones among them, near the origin and far from it."""
    rng = np.random.default_rng(7 * kind + dim)
    x = rng.uniform(-1, 1, (count, POINTS[kind], dim))
    x[::3, :, 0] *= 1e-3
    x[::5] *= 10.0 ** rng.uniform(-4, 3, (len(x[::5]), 1, 1))
    return x


@pytest.mark.parametrize("kind, dim", IN)
def test_random_pairs_are_as_far_apart_as_ipctk_says(kind, dim):
    x = random_pairs(kind, dim)
    points, pairs = pairs_of(kind, x)
    found = pairs.touch(points)
    distance, gradient = PEER[kind]
    size = np.abs(x).max(axis=(1, 2))
    want = np.array([distance(*p) for p in x])
    assert (np.abs(found.distances**2 - want) <= 1e-12 * size**2).all()
    k = POINTS[kind]
    slope = 2.0 * (found.distances[:, None] * found.weights[:, :k])[:, :, None]
    slope = slope * found.normals[:, None]
    want = np.array([gradient(*p) for p in x]).reshape(x.shape)
    # A gradient is as exact as the angles of a pair allow.
    error = np.abs(slope - want).max(axis=(1, 2)) / size
    assert np.quantile(error, 0.97) < 1e-12 and error.max() < 1e-9
    np.testing.assert_allclose(np.linalg.norm(found.normals, axis=1), 1.0, rtol=1e-14)
    np.testing.assert_allclose(found.weights.sum(axis=1), 0.0, atol=1e-14)


def brute_distance(kind, x):
    """The least distance of closest points on a fine grid that is narrowed down, without any case."""
    first, second = (1, 3) if kind == POINT_TRIANGLE else (2, 2) if kind == EDGE_EDGE else (1, 2)

    def shares(count):
        line = np.linspace(0, 1, 61)
        if count == 1:
            return np.ones((1, 1))
        if count == 2:
            return np.stack([1 - line, line], axis=1)
        a, b = (v.ravel() for v in np.meshgrid(line, line))
        kept = a + b <= 1.0
        return np.stack([1 - a - b, a, b], axis=1)[kept]

    a, b = shares(first) @ x[:first], shares(second) @ x[first : first + second]
    return np.sqrt(((a[:, None] - b[None]) ** 2).sum(axis=2).min())


E3 = np.eye(3)
O3 = np.zeros(3)
NASTY = {
    "parallel edges side by side": (EDGE_EDGE, [O3, E3[0], E3[1], E3[0] + E3[1]], 1.0),
    "opposite edges side by side": (EDGE_EDGE, [O3, E3[0], E3[0] + E3[1], E3[1]], 1.0),
    "parallel edges past each other": (EDGE_EDGE, [O3, E3[0], 3 * E3[0] + E3[1], 4 * E3[0]], None),
    "edges on one line": (EDGE_EDGE, [O3, E3[0], 3 * E3[0], 5 * E3[0]], 2.0),
    "the same edge": (EDGE_EDGE, [O3, E3[0], O3, E3[0]], 0.0),
    "crossing edges": (EDGE_EDGE, [-E3[0], E3[0], -E3[1], E3[1]], 0.0),
    "an edge of no length": (EDGE_EDGE, [E3[2], E3[2], -E3[1], E3[1]], 1.0),
    "two edges of no length": (EDGE_EDGE, [E3[2], E3[2], O3, O3], 1.0),
    "edges at an angle of 1e-9": (
        EDGE_EDGE,
        [-E3[0], E3[0] + 1e-9 * E3[1], 0.5 * E3[2] - E3[0], 0.5 * E3[2] + E3[0]],
        0.5,
    ),
    "edges at an angle of 1e-12": (
        EDGE_EDGE,
        [-E3[0], E3[0] + 1e-12 * E3[1], 0.5 * E3[2] - E3[0], 0.5 * E3[2] + E3[0]],
        0.5,
    ),
    "a triangle that is a line": (POINT_TRIANGLE, [E3[2], -E3[0], E3[0], 3 * E3[0]], 1.0),
    "a triangle that is a point": (POINT_TRIANGLE, [E3[2], O3, O3, O3], 1.0),
    "two corners in one place": (POINT_TRIANGLE, [E3[2], O3, O3, E3[0]], 1.0),
    "a point on a corner": (POINT_TRIANGLE, [O3, O3, E3[0], E3[1]], 0.0),
    "a point over a corner": (POINT_TRIANGLE, [E3[2], O3, E3[0], E3[1]], 1.0),
    "a point over an edge": (POINT_TRIANGLE, [0.5 * E3[0] + E3[2], O3, E3[0], E3[1]], 1.0),
    "a point in the triangle": (POINT_TRIANGLE, [0.25 * (E3[0] + E3[1]), O3, E3[0], E3[1]], 0.0),
    "a needle": (
        POINT_TRIANGLE,
        [0.5 * E3[0] + E3[2], O3, E3[0], 0.5 * E3[0] + 1e-9 * E3[1]],
        1.0,
    ),
    "a point beside an edge of no length": (POINT_EDGE, [E3[0], O3, O3], 1.0),
    "a point on an edge": (POINT_EDGE, [0.3 * E3[0], O3, E3[0]], 0.0),
    "two points in one place": (POINT_POINT, [E3[0], E3[0]], 0.0),
}


@pytest.mark.parametrize("name", NASTY)
@pytest.mark.parametrize("far", [0.0, 100.0])
def test_nasty_pairs_have_finite_and_right_answers(name, far):
    kind, corners, want = NASTY[name]
    x = np.array([corners]) + far * np.array([1.0, -2.0, 0.5])
    points, pairs = pairs_of(kind, x)
    found = pairs.touch(points)
    if want is None:
        want = brute_distance(kind, x[0])
    assert abs(found.distances[0] - want) <= 1e-13 * max(1.0, far)
    assert abs(np.linalg.norm(found.normals[0]) - 1.0) < 1e-14
    k = len(corners)
    apart = found.weights[0, :k] @ (x[0] - x[0, :1])
    assert abs(np.linalg.norm(apart) - found.distances[0]) <= 1e-13 * max(1.0, far)
    first = 2 if kind == EDGE_EDGE else 1
    w = found.weights[0, :k] * np.where(np.arange(k) < first, 1.0, -1.0)
    assert (w >= -1e-15).all() and abs(w.sum() - 2.0) < 1e-14
    assert found.distances[0] <= brute_distance(kind, x[0]) + 1e-12 if kind != POINT_POINT else True


def test_nearly_parallel_edges_that_cross_are_not_seen_too_far():
    """At every angle the distance is right to rounding of the lengths."""
    rng = np.random.default_rng(1)
    angle = 10.0 ** rng.uniform(-10, 0, 3000)
    gap, s, t = 10.0 ** rng.uniform(-6, -1, 3000), *rng.uniform(0.1, 0.9, (2, 3000))
    u = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    v = np.broadcast_to(E3[0], u.shape)
    a, c = -s[:, None] * u + gap[:, None] * E3[2], -t[:, None] * v
    turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    points, pairs = pairs_of(EDGE_EDGE, np.stack([a, a + u, c, c + v], axis=1) @ turn)
    np.testing.assert_allclose(pairs.touch(points).distances, gap, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("dim", [2, 3])
def test_distances_from_planes_have_a_sign(dim):
    rng = np.random.default_rng(2)
    n = rng.standard_normal((3, dim))
    n /= np.linalg.norm(n, axis=1)[:, None]
    origin, x = rng.standard_normal((3, dim)), rng.standard_normal((50, 1, dim))
    points, pairs = pairs_of(POINT_PLANE, x, planes=(origin, n))
    stencils = pairs.stencils.numpy()
    stencils[:, 1] = -2 - np.arange(50) % 3
    pairs.stencils.assign(stencils)
    found = pairs.touch(points)
    k = np.arange(50) % 3
    want = np.einsum("ij,ij->i", points - origin[k], n[k])
    np.testing.assert_allclose(found.distances, want, rtol=1e-13, atol=1e-15)
    assert (want < 0).any()
    np.testing.assert_array_equal(found.normals, n[k])
