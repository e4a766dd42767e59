"""Friction of bodies: it is a potential, bristles remember, and what should stick stays."""

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.contact import BarrierContact, BristleFriction, Bristles, ContactBody, ContactSurface
from pliant.solvers import pair_matrix
from tests.contact.scenes import crowd, flat_crowd, sheet
from tests.contact.sums import slopes

CROWDS = [crowd, flat_crowd]


class Numpy:
    """Friction over numpy arrays."""

    def __init__(self, surface, friction=0.4, **how):
        self.contact = BarrierContact(surface)
        self.friction = BristleFriction(self.contact, friction, **how)
        self.n, self.dim = surface.count, surface.dim

    def array(self, x):
        return wp.array(x, dtype=self.contact.vec, device="cpu")

    def grip(self, x, bristles=None, **how):
        bristles = Bristles.none(self.dim) if bristles is None else bristles
        self.friction.grip(self.array(x), bristles, self.array(x), **how)

    def value(self, x):
        return self.friction.value(self.array(x))

    def gradient(self, x):
        g = wp.zeros(self.n, dtype=self.contact.vec)
        self.friction.add_gradient(self.array(x), g)
        return g.numpy()

    def hessian(self, x):
        blocks = wp.zeros(self.n, dtype=wp.types.matrix((self.dim, self.dim), wp.float64))
        slots = wp.array(np.arange(self.n).reshape(-1, 1, 1), dtype=wp.int32)
        self.friction.add_hessian(self.array(x), blocks, slots, True)
        found = self.friction.pair_blocks(self.array(x), True)
        out = pair_matrix(found, np.ones(self.n, dtype=bool), self.dim).toarray()
        out = out.reshape((self.n, self.dim) * 2)
        out[np.arange(self.n), :, np.arange(self.n)] += blocks.numpy()
        return out.reshape(self.n * self.dim, -1)

    def bent(self, x):
        return self.friction.bent(self.array(x))


def start(surface):
    x = surface.rest[: surface.count]
    return x + 1e-3 * np.random.default_rng(0).standard_normal(x.shape)


@pytest.mark.parametrize("make", CROWDS)
@pytest.mark.parametrize("far", [0.1, 3.0])
def test_gradients_and_hessians_are_those_of_values(make, far):
    surface = make()
    energy, x = Numpy(surface), start(surface)
    energy.grip(x)
    assert len(energy.friction) > 10
    y = x + far * 5e-4 * np.random.default_rng(1).uniform(-1, 1, x.shape)
    found, want = energy.gradient(y), slopes(energy.value, y, 1e-7).reshape(y.shape)
    np.testing.assert_allclose(found, want, atol=1e-6 * np.abs(want).max())
    H = energy.hessian(y)
    want = slopes(lambda z: energy.gradient(z).ravel(), y, 1e-7)
    np.testing.assert_allclose(H, want, atol=1e-5 * np.abs(want).max())
    assert np.linalg.eigvalsh(H).min() > -1e-12 * np.abs(H).max()


def test_friction_is_at_most_mu_times_the_push_and_keeps_momentum():
    surface = ContactSurface([b for b in crowd().bodies if not b.given])
    energy, x = Numpy(surface, 0.7), start(surface)
    energy.grip(x)
    y = x + np.random.default_rng(2).uniform(-1, 1, (len(surface.bodies), 3))[surface.body]
    f = energy.gradient(y)
    np.testing.assert_allclose(f.sum(axis=0), 0.0, atol=1e-12 * np.abs(f).sum())
    pushes = sum(
        p.touch(energy.array(x)).forces.sum() for p in energy.contact.near(energy.array(x))
    )
    assert 0.0 < energy.value(y) <= 0.7 * pushes * np.linalg.norm(y - x, axis=1).max() * 2.0


@pytest.mark.parametrize("share", [0.3, 5.0])
def test_bristles_remember_and_end_at_eps(share):
    """A sheet on a floor is shifted in three steps: the force is that of the whole way."""
    body = sheet(3, 1.0, gap=0.02, young=1e4)
    floor = np.array([[0.0, 0, -0.01]]), np.array([[0.0, 0, 1.0]])
    energy = Numpy(ContactSurface([body], planes=floor), 0.5)
    eps = 1e-3
    x, bristles = body.points, Bristles.none(3)
    way = share * eps * np.array([0.6, 0.8, 0.0])
    for _ in range(3):
        energy.grip(x, bristles)
        x = x + way / 3.0
        force, bristles = energy.gradient(x).sum(axis=0), energy.bent(x)
    y = min(share, 1.0)
    np.testing.assert_allclose(bristles.bends, y * eps * np.tile([0.6, 0.8, 0], (16, 1)), rtol=1e-9)
    push = energy.contact.near(energy.array(x))[1].touch(energy.array(x)).forces.sum()
    assert np.linalg.norm(force) == pytest.approx(0.5 * push * (2 * y - y * y), rel=1e-9)
    # Nothing more has moved: nothing changes.
    energy.grip(x, bristles)
    np.testing.assert_allclose(energy.gradient(x).sum(axis=0), force, rtol=1e-9)
    again = energy.bent(x)
    np.testing.assert_allclose(again.bends, bristles.bends, rtol=1e-12)


def test_a_point_that_slides_on_to_the_next_triangle_keeps_its_bristle():
    floor, above = sheet(6, 1.0, gap=0.04), sheet(1, 0.1, at=(0.42, 0.42, 0.02), gap=0.04)
    surface = ContactSurface([floor, above])
    energy = Numpy(surface, 0.5, bend=np.array([1.0, 1.0]))
    x, bristles = surface.rest, Bristles.none(3)
    for _ in range(5):
        energy.grip(x, bristles)
        x = x + np.where(surface.body == 1, 0.05, 0.0)[:, None] * [1.0, 0.0, 0.0]
        bristles = energy.bent(x)
    points = 0 + len(floor.points) + np.arange(4)
    energy.grip(x, bristles)
    numbers = energy.friction.numbers
    stencils = energy.friction._pairs.stencils.numpy()
    kinds = energy.friction._pairs.kinds.numpy()
    of = [bristles.of(numbers[(kinds == 0) & (stencils[:, 0] == p)]) for p in points]
    for bends in of:
        assert len(bends) and bends[:, 0] == pytest.approx(0.25, rel=0.1)


def test_what_moves_along_with_a_floor_or_an_obstacle_does_not_slide():
    body = sheet(3, 1.0, gap=0.02, young=1e4)
    floor = np.array([[0.0, 0, -0.01]]), np.array([[0.0, 0, 1.0]])
    way = np.array([[0.3, -0.2, 0.0]])
    energy = Numpy(ContactSurface([body], planes=floor), 0.5)
    energy.grip(body.points, moves=way)
    assert np.abs(energy.gradient(body.points + way)).max() < 1e-9
    assert np.abs(energy.gradient(body.points)).max() > 0.1
    table = sheet(2, 2.0, at=(-0.5, -0.5, -0.01), given=True, gap=0.02)
    energy = Numpy(ContactSurface([body, table]), 0.5)
    energy.contact.aim(table.points + way)
    energy.grip(body.points, given=table.points)
    assert len(energy.friction) > 4
    assert np.abs(energy.gradient(body.points + way)).max() < 1e-9
    assert np.abs(energy.gradient(body.points)).max() > 0.1


def test_pairs_have_their_own_friction():
    body = sheet(3, 1.0, gap=0.02, young=1e4)
    floor = np.array([[0.0, 0, -0.01], [0.0, 0, -0.01]]), np.array([[0.0, 0, 1.0]] * 2)
    energy = Numpy(ContactSurface([body], planes=floor), np.array([[9.0, 0.2, 0.0]]))
    energy.grip(body.points)
    assert len(energy.friction) == 16
    f = energy.gradient(body.points + [1.0, 0.0, 0.0]).sum(axis=0)[0]
    push = energy.contact.near(energy.array(body.points))[1].touch(energy.array(body.points)).forces
    assert f == pytest.approx(0.2 * 0.5 * push.sum(), rel=1e-9)


def test_a_fold_that_touches_itself_has_a_bristle_on_each_side():
    """A strip of three layers: points of the middle one touch above and below."""
    n, width = 30, 1.0
    along = np.linspace(0, 3, n + 1)
    turn = np.array([along, along * 0]).T
    x = np.zeros((n + 1, 3))
    # A zigzag of three runs, 0.02 apart, whose ends are joined by steep cells.
    phase = along % 2.0
    x[:, 0] = np.where(phase <= 1.0, phase, 2.0 - phase)
    x[:, 2] = 0.02 * np.floor(along + 1e-9)
    two = np.concatenate([x, x + [0.0, width, 0.0]])
    k = np.arange(n)
    triangles = np.concatenate(
        [np.stack([k, k + 1, k + n + 2], axis=1), np.stack([k, k + n + 2, k + n + 1], axis=1)]
    )
    flat = np.concatenate([np.column_stack([turn, along * 0])] * 2)
    flat[n + 1 :, 1] += width
    body = ContactBody(flat, triangles=triangles, gap=0.05, young=1e4)
    energy = Numpy(ContactSurface([body]), 0.5)
    energy.grip(two)
    stencils, kinds = energy.friction._pairs.stencils.numpy(), energy.friction._pairs.kinds.numpy()
    middle = n // 2
    mine = (kinds == 0) & (stencils[:, 0] == middle)
    numbers = energy.friction.numbers[mine]
    layers = two[stencils[mine, 1], 2]
    assert len(set(numbers)) == 2 and layers.min() < two[middle, 2] < layers.max()
    for number in set(numbers):
        assert np.ptp(layers[numbers == number]) == 0.0


def test_a_pair_that_is_given_two_frictions_is_refused():
    with pytest.raises(ValueError, match=r"got friction 0.2 and 0.5 of 'box' and 'floor'"):
        pl.Contact(friction={("box", "floor"): 0.2, ("floor", "box"): 0.5})
    assert pl.Contact(friction={("a", "b"): 0.2, ("b", "a"): 0.2}).between("b", "a", None) == 0.2
