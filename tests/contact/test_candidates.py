"""No pair is missed, none is listed twice, and lists hold as long as they say."""

import numpy as np
import pytest
import warp as wp

from pliant.contact.barrier import BarrierContact
from pliant.contact.candidates import Candidates
from pliant.contact.closest import POINT_PLANE
from pliant.contact.features import Features
from tests.contact.scenes import crowd, flat_crowd, names, within

CROWDS = [crowd, flat_crowd]


def lists(surface, margin=0.02, slack=0.004):
    features = Features(surface, device="cpu")
    return [Candidates(features, own=own, margin=margin, slack=slack) for own in (True, False)]


def array(x):
    return wp.array(x, dtype=wp.types.vector(x.shape[1], wp.float64), device="cpu")


def listed(found):
    both = [names(pairs) for pairs in found]
    every = both[0][0] | both[1][0]
    assert len(every) == both[0][1] + both[1][1], "a pair is listed twice"
    return {name for name in every if name[0] != POINT_PLANE}


@pytest.mark.parametrize("make", CROWDS)
@pytest.mark.parametrize("seed", range(3))
def test_all_pairs_within_reach_are_near_and_listed(make, seed):
    surface = make()
    rng = np.random.default_rng(seed)
    x = surface.rest + 0.02 * rng.standard_normal(surface.rest.shape)
    both = lists(surface)
    near = listed([c.near(array(x)) for c in both])
    want = within(surface, x)
    assert len(want) > 15 and want <= near
    assert near <= within(surface, x, 2 * 0.004)
    assert listed([c.pairs for c in both]) >= near
    # A list holds while points move by less than the margin.
    way = rng.standard_normal(x.shape)
    way *= 0.012 / np.linalg.norm(way, axis=1)[:, None]
    far = listed([c.near(array(x + way)) for c in both])
    assert within(surface, x + way) <= far
    assert [c.searches for c in both] == [1, 1]


@pytest.mark.parametrize("make", CROWDS)
def test_pairs_that_meet_on_a_way_are_covered(make):
    surface = make()
    rng = np.random.default_rng(5)
    x = surface.rest + 0.02 * rng.standard_normal(surface.rest.shape)
    dx = 0.4 * rng.uniform(-1, 1, (len(surface.bodies), surface.dim))[surface.body]
    dx = dx + 0.05 * rng.standard_normal(x.shape)
    found = listed([c.cover(array(x), array(x + dx)) for c in lists(surface)])
    for share in np.linspace(0.0, 1.0, 21):
        assert within(surface, x + share * dx) <= found


@pytest.mark.parametrize("make", CROWDS)
def test_points_near_planes_are_listed(make):
    surface = make()
    x = surface.rest
    _, others = lists(surface)
    found = {name for name in names(others.near(array(x)))[0] if name[0] == POINT_PLANE}
    (origin,), (normal,) = surface.planes
    d = (x - origin) @ normal - surface.radius - surface.gap
    near = [p for p in surface.points if p < surface.count and d[p] < 0.0]
    assert near and {(POINT_PLANE, p) for p in near} <= {name[:2] for name in found}


def test_flight_of_a_body_does_not_search_its_own_pairs_again():
    surface = crowd()
    own, others = lists(surface)
    for k in range(5):
        x = array(surface.rest + 0.5 * k)
        own.near(x)
        others.near(x)
    assert own.searches == 1 and others.searches > 2


def test_pairs_of_ignored_and_given_bodies_and_of_neighbours_are_left_out():
    surface = crowd()
    stencils = np.concatenate(
        [c.cover(*(array(surface.rest),) * 2).stencils.numpy() for c in lists(surface)]
    )
    body = surface.body
    for s in stencils:
        points = s[s >= 0]
        assert len(set(points)) == len(points)
        touching = {int(body[p]) for p in points}
        assert touching != {0, 2} and not touching <= {4, 5}


def test_memory_brings_the_same_pairs_back():
    surface = crowd()
    rng = np.random.default_rng(0)
    contact = BarrierContact(surface)
    n = surface.count
    x = surface.rest[:n] + 1e-3 * rng.standard_normal((n, 3))
    contact.value(array(x))
    kept, want = contact.memory(), [p.stencils.numpy().copy() for p in contact.near(array(x))]
    contact.step_limit(array(x), array(0.3 * rng.standard_normal(x.shape)))
    contact.value(array(x + 0.2))
    contact.remember(kept)
    assert contact.memory().own is kept.own and contact.memory().others is kept.others
    for pairs, stencils in zip(contact.near(array(x)), want, strict=True):
        np.testing.assert_array_equal(pairs.stencils.numpy(), stencils)


def test_few_and_many_slices_find_the_same(monkeypatch):
    surface = crowd()
    x = array(surface.rest)
    whole = [c.cover(x, x).stencils.numpy() for c in lists(surface)]
    monkeypatch.setattr("pliant.contact.pair_search.LEAST", 3)
    monkeypatch.setattr("pliant.contact.pair_search.cores", lambda: 3)
    cut = [c.cover(x, x).stencils.numpy() for c in lists(surface)]
    monkeypatch.setattr("pliant.contact.pair_search.parallel", lambda device: True)
    counted = [c.cover(x, x).stencils.numpy() for c in lists(surface)]
    for a, b, c in zip(whole, cut, counted, strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(a, c)
