"""Nothing comes near that was not named, and what is free is found to be free without a search."""

import numpy as np
import pytest

import pliant as pl
from pliant.contact import BarrierContact, ContactBody, ContactSurface, NearCheck, ObstaclePlaces
from pliant.contact.pairs import sides_of
from tests.contact.scenes import crowd, flat_crowd, sheet


def pushing(contact, x):
    """The numbers of bodies and planes whose barriers push each other at x."""
    found = set()
    for pairs in contact.near(x):
        on = pairs.touch(contact.placed(x)).forces > 0.0
        sides = sides_of(contact.surface, pairs.stencils.numpy()[on], pairs.kinds.numpy()[on])
        found |= {(int(min(s)), int(max(s))) for s in zip(*sides, strict=True)}
    return found


def named(check, x, y, **how):
    return {(int(a), int(b)) for a, b in check.near(x, y, **how)}


def box(cells=12):
    mesh = pl.meshes.box((1, 1, 1), (cells, cells, cells))
    return mesh.points, ContactBody.of(mesh, gap=1e-3, young=1e5)


def bent(x, curvature):
    """A block bent to a circle."""
    angle, out = curvature * x[:, 0], 1.0 / curvature - x[:, 2]
    return np.stack([out * np.sin(angle), x[:, 1], 1.0 / curvature - out * np.cos(angle)], axis=1)


@pytest.mark.parametrize("make", [crowd, flat_crowd])
@pytest.mark.parametrize("seed", range(4))
def test_all_that_pushes_on_a_way_is_named(make, seed):
    surface, rng = make(), np.random.default_rng(seed)
    check, contact, count = NearCheck(surface), BarrierContact(surface), surface.count
    rest, body = surface.rest[:count], surface.body[:count]
    shape, hits = (len(surface.bodies), surface.dim), 0
    for far in (0.0, 0.2, 1.0):
        x = rest + far * rng.uniform(-1, 1, shape)[body] + 0.02 * rng.standard_normal(rest.shape)
        y = x + 0.3 * rng.uniform(-1, 1, shape)[body] + 0.05 * rng.standard_normal(rest.shape)
        want = {p for s in np.linspace(0, 1, 41) for p in pushing(contact, x + s * (y - x))}
        hits += len(want)
        assert want <= named(check, x, y)
    assert hits > 5


def test_a_body_that_deforms_freely_is_not_searched():
    x, body = box()
    check = NearCheck(ContactSurface([body]))
    turn = np.linalg.qr(np.random.default_rng(0).standard_normal((3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    for y in (x + 5.0, x @ turn.T, bent(x, 0.3), x * [1.0, 1.3, 0.6], x + 0.1 * np.sin(x[:, ::-1])):
        assert named(check, y, y) == set()
    assert named(check, x, x + [0.0, 3.0, 0.0]) == set() and check.searches == 0


@pytest.mark.parametrize("degrees", [20, 60, 120, 172, 179])
def test_a_sheet_that_folds_comes_near_to_itself_at_last(degrees):
    flat = sheet(12, gap=0.005)
    surface, x = ContactSurface([flat]), flat.points.copy()
    angle, out = np.radians(degrees), x[:, 0] - 0.5
    x[:, 0] = 0.5 + np.where(out > 0.0, out * np.cos(angle), out)
    x[:, 2] = np.where(out > 0.0, out * np.sin(angle), 0.0)
    near = named(NearCheck(surface), x, x)
    assert near == pushing(BarrierContact(surface), x) == ({(0, 0)} if degrees > 175 else set())


def test_what_passes_through_itself_in_one_step_is_named():
    flat = sheet(12, gap=0.005)
    x = flat.points.copy()
    above = x[:, 0] > 0.5
    x[above] = x[above] * [-1, 1, 1] + [1.05, 0, 0.1]  # folded over, a tenth above
    through = x - np.where(above[:, None], [0.0, 0.0, 0.2], 0.0)
    check = NearCheck(ContactSurface([flat]))
    assert named(check, x, x) == set() and named(check, x, through) == {(0, 0)}


def test_obstacles_and_bodies_are_named_when_they_are_reached():
    x, body = box(2)
    ball = ContactBody(
        np.array([[0.5, 0.5, 3.0]]), loose=np.array([0]), radius=0.5, gap=1e-3, given=True
    )
    floor = np.array([[0.0, 0.0, -1.0]]), np.array([[0.0, 0.0, 1.0]])
    check = NearCheck(ContactSurface([body, body, ball], planes=floor))
    apart = np.concatenate([x, x + [2.0, 0.0, 0.0]])

    def moved(first, second=0.0):
        return apart + np.repeat([[0.0, 0.0, first], [second, 0.0, 0.0]], len(x), axis=0)

    assert named(check, apart, apart) == set() and check.searches == 0
    assert named(check, apart, moved(-0.9985)) == set()
    assert named(check, apart, moved(-0.9995)) == {(0, 3)}
    assert named(check, apart, moved(1.4985)) == set()
    assert named(check, apart, moved(1.4995)) == {(0, 2)}
    assert named(check, apart, moved(0.0, -0.9985)) == set()
    assert named(check, apart, moved(0.0, -0.9995)) == {(0, 1)}
    assert named(check, apart, moved(0.0, -9.0)) >= {(0, 1)}  # through it


def test_obstacles_that_move_are_named_when_they_reach_a_body():
    x, body = box(2)
    ball = ContactBody(np.array([[0.5, 0.5, 3.0]]), loose=np.array([0]), radius=0.5, given=True)
    floor = np.array([[0.5, 0.5, -1.0]]), np.array([[0.0, 0.0, 1.0]])
    check = NearCheck(ContactSurface([body, ball], planes=floor))

    def places(ball_at, floor_at, tilt=0.0):
        normal = np.array([[np.sin(tilt), 0.0, np.cos(tilt)]])
        return ObstaclePlaces(
            np.array([[0.5, 0.5, ball_at]]),
            np.array([[0.5, 0.5, floor_at]]),
            normal,
            np.eye(3)[None],
            np.zeros((1, 3)),
        )

    still = places(3.0, -1.0)
    for there, want in (
        (still, set()),
        (places(1.4, -1.0), {(0, 1)}),
        (places(3.0, 0.1), {(0, 2)}),
        (places(3.0, -1.0, tilt=1.3), {(0, 2)}),
        (places(3.0, -1.0, tilt=0.5), set()),
    ):
        assert named(check, x, x, obstacles=(still, there)) == want


@pytest.mark.parametrize("seed", range(3))
def test_where_it_was_calm_before_changes_no_answer(seed):
    """A body that flies, vibrates and folds over, asked on and on and each time anew."""
    flat, rng = sheet(8, gap=0.005), np.random.default_rng(seed)
    surface, x, answers = ContactSurface([flat]), flat.points.copy(), []
    check = NearCheck(surface)
    for k in range(60):
        share = max(0.0, (k - 30) / 25)  # of a fold
        y = flat.points.copy()
        angle, out = np.pi * min(share, 1.0), np.maximum(y[:, 0] - 0.5, 0.0)
        y[:, 0] += out * (np.cos(angle) - 1.0)
        y[:, 2] += out * np.sin(angle)
        y += 2e-4 * rng.standard_normal(y.shape) + [0.0, 0.0, -0.1 * k]
        answers.append(named(NearCheck(surface), x, y))
        assert named(check, x, y) == answers[-1]
        x = y
    assert set() in answers and {(0, 0)} in answers and check.looks < 40


def test_what_comes_near_others_need_not_be_asked_about_itself():
    flat = sheet(12, gap=0.005)
    x = flat.points.copy()
    x[x[:, 0] > 0.5] = x[x[:, 0] > 0.5] * [-1, 1, 1] + [1.05, 0, 0.002]  # folded onto itself
    far, near = ([0.0, 0.0, 5.0], [0.0, 0.0, 0.003])
    floor = np.array([[0.0, 0.0, 0.0]]), np.array([[0.0, 0.0, 1.0]])
    surface = ContactSurface([flat], planes=floor)
    assert named(NearCheck(surface), x + far, x + far, once=True) == {(0, 0)}
    assert named(NearCheck(surface), x + near, x + near) == {(0, 0), (0, 1)}
    check = NearCheck(surface)
    assert named(check, x + near, x + near, once=True) == {(0, 1)} and check.searches == 0
