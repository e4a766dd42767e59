"""Times of impact are never late, seldom early, and no pair passes through another."""

import numpy as np
import pytest
import warp as wp

from pliant.contact.closest import (
    EDGE_EDGE,
    POINT_EDGE,
    POINT_PLANE,
    POINT_POINT,
    POINT_TRIANGLE,
)
from pliant.contact.impact import KEEP, free_share, impact_times
from tests.contact.exact_times import random_pairs, times_of
from tests.contact.sums import POINTS, pairs_of
from tests.contact.test_distances import NASTY

CASES = [(POINT_TRIANGLE, 3), (EDGE_EDGE, 3), (POINT_EDGE, 2)]
#: A barrier that begins here [m], of points some metres apart.
REACH = 1e-3


def shares(kind, x, dx, thickness=0.0):
    points, pairs = pairs_of(kind, x, law=(thickness, REACH, 1.0, 0.0))
    return impact_times(pairs, points, dx.reshape(points.shape))


@pytest.mark.parametrize("kind, dim", CASES)
@pytest.mark.parametrize("speed", [0.1, 1.0, 30.0])
def test_never_later_than_the_exact_time_and_at_least_0_8_of_it(kind, dim, speed):
    x, dx = random_pairs(kind, dim, 4000, seed=kind, speed=speed)
    exact, found = times_of(kind, x, dx), shares(kind, x, dx)
    hits = np.isfinite(exact)
    assert hits.sum() > 300
    assert (found[hits] < exact[hits]).all()
    assert (found[hits] >= 0.8 * exact[hits]).all()
    assert (found <= 1.0).all() and (found > 0.0).all()


@pytest.mark.parametrize("kind", [POINT_TRIANGLE, EDGE_EDGE])
def test_never_later_than_tight_inclusion(kind):
    ipctk = pytest.importorskip("ipctk", reason="ipctk has no wheel for this platform")
    x, dx = random_pairs(kind, 3, 300, seed=11)
    found, ccd = shares(kind, x, dx), ipctk.TightInclusionCCD(1e-9, -1, 1.0)
    ask = ccd.point_triangle_ccd if kind == POINT_TRIANGLE else ccd.edge_edge_ccd
    hits = 0
    for p, q, t in zip(x, x + dx, found, strict=True):
        hit, when = ask(*p, *q)
        if hit:
            hits += 1
            assert (
                0.8 * when <= t <= when + 1e-7
            )  # it tells a time that is earlier by its tolerance
    assert hits >= 40


@pytest.mark.parametrize("kind, dim", [*CASES, (POINT_EDGE, 3), (POINT_POINT, 3), (POINT_POINT, 2)])
@pytest.mark.parametrize("thickness", [0.0, 0.05])
def test_on_the_way_every_pair_keeps_its_gap_and_stops_only_where_it_is_small(kind, dim, thickness):
    rng = np.random.default_rng(kind)
    k = POINTS[kind]
    x = rng.uniform(-1, 1, (500, k, dim))
    dx = rng.choice([0.1, 3.0], (500, 1, 1)) * rng.uniform(-1, 1, x.shape)
    first = 2 if kind == EDGE_EDGE else 1
    dx[:, :first] += 2.0 * (x[:, first:].mean(axis=1) - x[:, :first].mean(axis=1))[:, None]

    def gaps(t):
        points, pairs = pairs_of(kind, x + t[:, None, None] * dx)
        return pairs.touch(points).distances - thickness

    start = gaps(np.zeros(500))
    t = shares(kind, x, dx, thickness)
    assert (t[start <= 0.0] == 0.0).all()
    apart = start > 0.0
    stop = KEEP * np.minimum(start, REACH)
    for share in np.linspace(0.0, 1.0, 101):
        assert (gaps(share * t)[apart] >= stop[apart] * (1.0 - 1e-9)).all()
    stopped = apart & (t < 1.0)
    if thickness or (kind, dim) in CASES:  # else a point hardly meets another one, or an edge
        assert stopped.sum() > 10
    assert (gaps(t)[stopped] <= 1.1 * stop[stopped] * (1.0 + 1e-9)).all()


@pytest.mark.parametrize("dim", [2, 3])
def test_planes_that_move_and_turn(dim):
    rng = np.random.default_rng(dim)
    count = 400
    x, dx = rng.uniform(-1, 1, (count, 1, dim)), 2.0 * rng.uniform(-1, 1, (count, 1, dim))
    n, m = rng.standard_normal((2, count, dim))
    n, m = (v / np.linalg.norm(v, axis=1)[:, None] for v in (n, n + 0.5 * m))
    origin, move = rng.uniform(-1, 1, (2, count, dim))
    points, pairs = pairs_of(POINT_PLANE, x, law=(0.01, REACH, 1.0, 0.0), planes=(origin, n))
    s = pairs.stencils.numpy()
    s[:, 1] = -2 - np.arange(count)
    pairs.stencils.assign(s)

    def gaps(t):
        normal = n + t[:, None] * (m - n)
        normal = normal / np.linalg.norm(normal, axis=1)[:, None]
        away = x[:, 0] + t[:, None] * dx[:, 0] - origin - t[:, None] * move
        return np.einsum("ij,ij->i", away, normal) - 0.01

    t = impact_times(pairs, points, dx.reshape(points.shape), planes=(move, m - n))
    inside = gaps(np.zeros(count)) <= 0.0
    assert (t[inside] == 0.0).all() and inside.any()
    for share in np.linspace(0.0, 1.0, 101):
        assert (gaps(share * t)[~inside] > 0.0).all()
    still = impact_times(pairs, points, dx.reshape(points.shape))
    speed = np.einsum("ij,ij->i", dx[:, 0], n)
    with np.errstate(divide="ignore"):
        exact = -gaps(np.zeros(count)) / speed
    hits = ~inside & (exact > 0.0) & (exact < 1.0)
    assert hits.sum() > 50
    assert (still[hits] < exact[hits]).all() and (still[hits] >= 0.8 * exact[hits]).all()
    assert (still[~inside & ~hits] > 0.89).all()


def test_the_least_share_is_that_of_the_first_pair():
    x, dx = random_pairs(EDGE_EDGE, 3, 2000, seed=3)
    points, pairs = pairs_of(EDGE_EDGE, x, law=(0.0, REACH, 1.0, 0.0))
    every = impact_times(pairs, points, dx.reshape(points.shape))
    given = (wp.array(a.reshape(points.shape), dtype=pairs.types.vec) for a in (x, dx))
    assert free_share(pairs, *given) == every.min() > 0.0


def test_parallel_and_touching_and_resting_pairs_have_finite_shares():
    e = np.eye(3)
    x = np.array([[0 * e[0], e[0], e[1], e[0] + e[1]]] * 3)
    dx = np.zeros_like(x)
    dx[1, 2:] = -2.0 * e[1]  # one edge moves across the other, parallel to it
    dx[2] = 5.0  # both go together
    assert shares(EDGE_EDGE, x, dx) == pytest.approx([1.0, 0.5, 1.0], rel=1e-3)
    touching = np.zeros((1, 4, 3))
    touching[0, 1:] = e
    touching[0, 0] = e[0]
    assert shares(POINT_TRIANGLE, touching, dx[1:2]) == [0.0]


@pytest.mark.parametrize("name", NASTY)
def test_nasty_pairs_keep_their_gap_on_every_way(name):
    """Edges that are parallel or have no length, triangles that are lines, needles or points."""
    kind, corners, _ = NASTY[name]
    rng = np.random.default_rng(5)
    x = np.array([corners] * 60)
    first = 2 if kind == EDGE_EDGE else 1
    dx = rng.choice([0.05, 0.5, 5.0], (60, 1, 1)) * rng.uniform(-1, 1, x.shape)
    dx[::2, :first] += 2.0 * (x[::2, first:].mean(axis=1) - x[::2, :first].mean(axis=1))[:, None]

    def gaps(t):
        points, pairs = pairs_of(kind, x + t[:, None, None] * dx)
        return pairs.touch(points).distances

    start, t = gaps(np.zeros(60)), shares(kind, x, dx)
    assert np.isfinite(t).all() and (t >= 0.0).all() and (t <= 1.0).all()
    assert (t[start < 1e-12] == 0.0).all()
    apart = start > 1e-12
    for share in np.linspace(0.0, 1.0, 101):
        left = gaps(share * t)[apart]
        assert (left >= KEEP * np.minimum(start[apart], REACH) * (1.0 - 1e-9)).all()


def pass_through(count, seed):
    """How many of so many fast pairs would touch before the time they were given."""
    late = hits = 0
    for kind in (POINT_TRIANGLE, EDGE_EDGE):
        x, dx = random_pairs(kind, 3, count // 2, seed=seed + kind, speed=50.0 if seed % 2 else 1.0)
        exact, found = times_of(kind, x, dx), shares(kind, x, dx)
        late += int((exact <= found).sum())
        hits += int(np.isfinite(exact).sum())
    return late, hits


def test_many_fast_pairs_do_not_pass_through():
    late, hits = pass_through(60_000, seed=5)
    assert late == 0 and hits > 5_000


@pytest.mark.slow
def test_a_million_fast_pairs_do_not_pass_through():
    late, hits = np.sum([pass_through(100_000, seed) for seed in range(10)], axis=0)
    assert late == 0 and hits > 100_000
