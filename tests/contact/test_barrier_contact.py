"""Contact of several bodies: an energy with exact gradients that nothing passes through."""

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.contact import BarrierContact, ContactBody, ContactSurface
from pliant.energies import Energy, Searching
from pliant.solvers import pair_matrix
from tests.contact.scenes import crowd, flat_crowd, rod, sheet
from tests.contact.sums import slopes

CROWDS = [crowd, flat_crowd]


class Numpy:
    """An energy of contact over numpy arrays."""

    def __init__(self, surface, **how):
        self.contact, self.n, self.dim = BarrierContact(surface, **how), surface.count, surface.dim
        self._vec = wp.types.vector(self.dim, wp.float64)

    def array(self, x):
        return wp.array(x, dtype=self._vec, device="cpu")

    def value(self, x):
        return self.contact.value(self.array(x))

    def gradient(self, x):
        g = wp.zeros(self.n, dtype=self._vec)
        self.contact.add_gradient(self.array(x), g)
        return g.numpy()

    def hessian(self, x, project=True):
        blocks = wp.zeros(self.n, dtype=wp.types.matrix((self.dim, self.dim), wp.float64))
        slots = wp.array(np.arange(self.n).reshape(-1, 1, 1), dtype=wp.int32)
        self.contact.add_hessian(self.array(x), blocks, slots, project)
        found = self.contact.pair_blocks(self.array(x), project)
        out = pair_matrix(found, np.ones(self.n, dtype=bool), self.dim).toarray()
        out = out.reshape((self.n, self.dim) * 2)
        out[np.arange(self.n), :, np.arange(self.n)] += blocks.numpy()
        return out.reshape(self.n * self.dim, -1)

    def step_limit(self, x, dx):
        return self.contact.step_limit(self.array(x), self.array(dx))


def near_start(surface, seed=0, size=1e-3):
    x = surface.rest[: surface.count]
    return x + size * np.random.default_rng(seed).standard_normal(x.shape)


def test_it_is_an_energy():
    contact = BarrierContact(crowd())
    assert isinstance(contact, Energy) and isinstance(contact, Searching) and contact.limits_steps
    assert contact.stencils.shape == (contact.surface.count, 1)


@pytest.mark.parametrize("make", CROWDS)
def test_gradients_are_those_of_values_and_hessians_are_semi_definite(make):
    surface = make()
    energy, x = Numpy(surface), near_start(surface)
    assert 0.0 < energy.value(x) < np.inf
    found, want = energy.gradient(x), slopes(energy.value, x, 1e-6).reshape(x.shape)
    np.testing.assert_allclose(found, want, atol=1e-6 * np.abs(want).max())
    want = slopes(lambda y: energy.gradient(y).ravel(), x, 1e-6)
    found = energy.hessian(x, project=False)
    np.testing.assert_allclose(found, want, atol=1e-5 * np.abs(want).max())
    H = energy.hessian(x)
    np.testing.assert_allclose(H, H.T, atol=1e-12 * np.abs(H).max())
    assert np.linalg.eigvalsh(H).min() > -1e-12 * np.abs(H).max() and np.abs(H).max() > 0.0


def test_forces_between_free_bodies_sum_to_zero_and_so_do_their_moments():
    bodies = [b for b in crowd().bodies if not b.given]
    surface = ContactSurface(bodies)
    energy, x = Numpy(surface), near_start(surface)
    g = energy.gradient(x)
    scale = np.abs(g).sum()
    assert scale > 1.0
    np.testing.assert_allclose(g.sum(axis=0), 0.0, atol=1e-13 * scale)
    np.testing.assert_allclose(np.cross(x, g).sum(axis=0), 0.0, atol=1e-13 * scale)


@pytest.mark.parametrize("make", CROWDS)
@pytest.mark.parametrize("speed", [0.01, 0.3, 5.0])
def test_steps_within_the_limit_stay_admissible(make, speed):
    surface = make()
    energy, rng = Numpy(surface), np.random.default_rng(1)
    x = near_start(surface)
    limited = 0
    for _ in range(12):
        dx = speed * rng.uniform(-1, 1, (len(surface.bodies), surface.dim))[surface.body]
        dx = dx[: surface.count] + 0.1 * speed * rng.standard_normal(x.shape)
        share = energy.step_limit(x, dx)
        assert share > 0.0
        limited += share <= 1.0
        x = x + min(share, 1.0) * dx
        assert np.isfinite(energy.value(x))
    assert limited > 1


def test_parallel_rods_repel_each_other():
    """The barrier of parallel edges is mollified away: points and edges must do."""
    a, b = rod(1, (0, 0, 0), (1, 0, 0)), rod(1, (0.2, 0.06, 0), (0.8, 0.06, 0))
    energy = Numpy(ContactSurface([a, b]))
    x = np.concatenate([a.points, b.points])
    g = energy.gradient(x)
    assert (g[:2, 1] > 0.0).all() and (g[2:, 1] < 0.0).all()
    assert energy.step_limit(x, np.array([0, 1.0, 0]) * np.array([[1], [1], [0], [0]])) < 0.021


def test_a_ball_pushes_the_middle_of_a_large_triangle():
    ball = ContactBody(
        np.array([[0.0, 0, -0.3]]), loose=np.array([0]), radius=0.29, given=True, gap=0.1
    )
    corners = np.array([[-5.0, -4, 0], [5, -4, 0], [0, 6, 0]])
    triangle = ContactBody(corners, triangles=np.array([[0, 1, 2]]), gap=0.05, young=1e4)
    energy = Numpy(ContactSurface([triangle, ball]))
    g = energy.gradient(corners)
    assert (g[:, 2] < 0.0).all()
    share = energy.step_limit(corners, np.tile([0.0, 0, -1.0], (3, 1)))
    assert 0.008 <= share < 0.01
    # A ball that has come closer pushes more.
    energy.contact.aim(np.array([[0.0, 0, -0.295]]))
    assert (energy.gradient(corners)[:, 2] < 2.0 * g[:, 2]).all()
    energy.contact.aim(np.array([[0.0, 0, -0.2]]))
    assert energy.value(corners) == np.inf


def test_pairs_that_are_closer_at_rest_than_they_are_thick_begin_from_there():
    """A fine sheet that is as thick as its cells are wide does not burst."""
    thick = sheet(6, 0.06, radius=0.01, gap=0.004)
    energy = Numpy(ContactSurface([thick]))
    assert energy.value(thick.points) == 0.0
    pressed = thick.points * [0.8, 1.0, 1.0]
    assert 0.0 < energy.value(pressed) < np.inf


def test_the_barrier_of_a_floor_has_the_pressure_of_kappa():
    """One metre square at a distance of a quarter of the gap."""
    body = sheet(4, 1.0, gap=0.02, young=3e4)
    floor = np.array([[0.0, 0, -0.005]]), np.array([[0.0, 0, 1.0]])
    energy = Numpy(ContactSurface([body], planes=floor))
    y = 0.25
    slope = (1.0 - y) * (2.0 * np.log(y) - (1.0 - y) / y)
    assert energy.gradient(body.points)[:, 2].sum() == pytest.approx(0.1 * 3e4 * slope, rel=1e-12)
    assert energy.gradient(body.points)[:, :2] == pytest.approx(0.0)


def test_given_bodies_come_last():
    a = sheet()
    given = ContactBody(a.points, triangles=a.triangles, given=True)
    with pytest.raises(ValueError, match="come after all others"):
        ContactSurface([given, a])


def test_obstacles_that_move_stop_before_what_stands_still():
    body = sheet(2, 1.0, gap=0.02)
    ball = ContactBody(
        np.array([[0.4, 0.3, -0.5]]), loose=np.array([0]), radius=0.2, given=True, gap=0.02
    )
    floor = np.array([[0.0, 0.0, -1.0]]), np.array([[0.0, 0.0, 1.0]])
    energy = Numpy(ContactSurface([body, ball], planes=floor))
    x = energy.array(body.points)
    share = energy.contact.obstacle_limit(x, given=np.array([[0.4, 0.3, 0.5]]))
    assert 0.8 * 0.3 <= share < 0.3
    up = floor[0] + [0.0, 0.0, 2.0], floor[1]
    assert 0.8 * 0.5 <= energy.contact.obstacle_limit(x, planes=up) < 0.5
    assert energy.contact.obstacle_limit(x, given=np.array([[0.4, 0.3, -0.6]])) == 1.0
    energy.contact.aim(planes=(floor[0] + [0.0, 0.0, 0.99], floor[1]))
    assert energy.value(body.points) > 0.0
    energy.contact.aim(planes=up)
    assert energy.value(body.points) == np.inf


def test_a_way_through_everything_is_cut_before_it_lists_all_pairs(monkeypatch):
    surface = crowd()
    energy, x = Numpy(surface), near_start(surface)
    dx = np.random.default_rng(0).uniform(-3, 3, x.shape)
    want = energy.step_limit(x, dx)
    energy = Numpy(surface)
    for candidates in (energy.contact._own, energy.contact._others):
        candidates._search._most = 2000
    found = energy.step_limit(x, dx)
    assert 0.0 < found <= want * (1.0 + 1e-9)
    assert len(energy.contact._own.pairs) <= 3 * 2 * 2000


def test_points_without_a_place_touch_nothing_and_do_not_hang():
    surface = crowd()
    x = near_start(surface)
    energy = Numpy(surface)
    want = energy.gradient(x)
    count = [len(pairs) for pairs in energy.contact.near(energy.array(x))]
    lost = x.copy()
    lost[surface.body[: surface.count] == 3] = np.nan  # all of the rod
    energy = Numpy(surface)
    found = energy.gradient(lost)
    assert all(
        len(pairs) < n
        for pairs, n in zip(energy.contact.near(energy.array(lost))[1:], count[1:], strict=True)
    )
    first = surface.body[: surface.count] == 0  # it does not touch the rod
    np.testing.assert_array_equal(found[first], want[first])


def test_areas_are_shares_of_the_surface():
    box = pl.meshes.box((0.5, 0.4, 0.3), (3, 2, 2))
    whole = 2.0 * (0.5 * 0.4 + 0.4 * 0.3 + 0.3 * 0.5)
    for areas in ContactSurface([ContactBody.of(box)]).areas:
        assert areas.sum() == pytest.approx(whole)
    flat = pl.meshes.rectangle((0.5, 0.4), (3, 2))
    points, edges, _ = ContactSurface([ContactBody.of(flat, depth=0.2)]).areas
    assert points.sum() == pytest.approx(0.2 * 1.8) and edges.sum() == pytest.approx(0.2 * 1.8)


@pytest.mark.parametrize("kind", ["tet10", "hex20", "tri6"])
def test_nodes_on_edges_are_part_of_the_surface(kind):
    if kind == "tri6":
        mesh = pl.meshes.rectangle((1, 1), (2, 2), kind=kind)
    else:
        mesh = pl.meshes.box((1, 1, 1), (2, 2, 2), kind=kind)
    surface = ContactSurface([ContactBody.of(mesh)])
    boundary = np.unique(np.concatenate([f.ravel() for f in mesh.boundary.values()]))
    np.testing.assert_array_equal(surface.points, boundary)
    assert surface.areas[0].sum() == pytest.approx(6.0 if mesh.dim == 3 else 4.0)
