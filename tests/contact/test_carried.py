"""Surfaces that follow the points of a body: their forces and stiffness are those of the points."""

import numpy as np
import pytest
import warp as wp

from pliant.contact import BarrierContact, BristleFriction, Bristles, ContactBody, ContactSurface
from pliant.contact.carried import SurfaceMap
from pliant.solvers import pair_matrix
from tests.contact.scenes import rod, sheet
from tests.contact.sums import slopes


def followed(body, seed=0):
    """The same surface; each point of it is a mean of three points, two of them shared with others."""
    rng, count = np.random.default_rng(seed), len(body.points) + 2
    nodes = np.arange(len(body.points))[:, None] + np.arange(3)
    weights = rng.uniform(0.2, 0.5, nodes.shape)
    weights /= weights.sum(axis=1, keepdims=True)
    return ContactBody(
        body.points,
        triangles=body.triangles,
        edges=body.edges,
        gap=body.gap,
        young=body.young,
        radius=body.radius,
        carried=SurfaceMap(count, nodes, weights),
    )


def scene():
    """A sheet, a rod across it and a sheet over both, of which the first and the last follow others."""
    bodies = [
        followed(sheet(3, 0.8)),
        rod(4, (-0.2, 0.3, 0.06), (0.9, 0.4, 0.055)),
        followed(sheet(2, 0.7, at=(0.05, 0.1, 0.1)), seed=1),
    ]
    floor = np.array([[0.0, 0.0, -0.03]]), np.array([[0.0, 0.0, 1.0]])
    return ContactSurface(bodies, planes=floor)


def unknown(surface):
    """Points whose surface is near the one at rest."""
    S = np.zeros((surface.count, surface.carried.count))
    np.add.at(
        S, (np.arange(surface.count)[:, None], surface.carried.nodes), surface.carried.weights
    )
    x = np.linalg.lstsq(S, surface.rest, rcond=None)[0]
    return S, x + 1e-3 * np.random.default_rng(2).standard_normal(x.shape)


def array(x):
    return wp.array(x, dtype=wp.vec3d, device="cpu")


def gradient(energy, x):
    g = wp.zeros(len(x), dtype=wp.vec3d, device="cpu")
    energy.add_gradient(array(x), g)
    return g.numpy()


def hessian(energy, x):
    n = len(x)
    blocks = wp.zeros(n, dtype=wp.mat33d, device="cpu")
    slots = wp.array(np.arange(n).reshape(-1, 1, 1), dtype=wp.int32, device="cpu")
    energy.add_hessian(array(x), blocks, slots, False)
    out = pair_matrix(energy.pair_blocks(array(x), False), np.ones(n, dtype=bool), 3).toarray()
    out = out.reshape(n, 3, n, 3)
    out[np.arange(n), :, np.arange(n)] += blocks.numpy()
    return out.reshape(3 * n, -1)


def test_the_surface_is_where_the_points_put_it():
    surface = scene()
    S, x = unknown(surface)
    contact = BarrierContact(surface)
    assert contact.stencils.shape == (len(x), 1) and sum(surface.unknowns) == len(x)
    np.testing.assert_allclose(contact.placed(array(x)).numpy(), S @ x, atol=1e-15)


@pytest.mark.parametrize("rubs", [False, True])
def test_forces_and_stiffness_are_the_slopes_of_energies(rubs):
    surface = scene()
    _, x = unknown(surface)
    energy = contact = BarrierContact(surface)
    if rubs:
        energy = BristleFriction(contact, 0.4)
        energy.grip(array(x), Bristles.none(3), array(x))
        x = x + 1e-4 * np.random.default_rng(3).standard_normal(x.shape)
    g = gradient(energy, x)
    assert np.abs(g).max() > 0.0
    want = slopes(lambda y: energy.value(array(y)), x, 1e-6).reshape(x.shape)
    # Central differences of 1e-6 m at gaps of some 1e-2 m err by some 1e-8 of the third derivative.
    np.testing.assert_allclose(g, want, atol=1e-6 * np.abs(g).max())
    H, want = hessian(energy, x), slopes(lambda y: gradient(energy, y).ravel(), x, 1e-6)
    np.testing.assert_allclose(H, want, atol=1e-5 * np.abs(want).max())


def test_steps_end_before_the_surface_touches():
    surface = scene()
    _, x = unknown(surface)
    contact, down = BarrierContact(surface), np.zeros_like(x)
    first = surface.unknowns[0] + surface.unknowns[1]
    down[first:, 2] = -1.0  # the upper sheet falls on the rod
    share = contact.step_limit(array(x), array(down))
    assert 0.0 < share < 0.03
    assert contact.value(array(x + share * down)) < np.inf
    assert contact.value(array(x + 0.03 * down)) == np.inf  # inside of the rod


def test_what_pins_hold_is_held_if_all_of_it_is():
    carried = SurfaceMap(
        4, np.array([[0, 1], [1, 2], [3, 3]]), np.array([[0.5, 0.5], [1.0, 0.0], [1.0, 0.0]])
    )
    assert carried.held(np.array([True, True, False, False])).tolist() == [True, True, False]
