"""What elastons are sums over: the map between nodes, pieces of cells, and their boundaries."""

import numpy as np
import pytest

from pliant.bodies.elastons.balance import boundary
from pliant.bodies.elastons.moving_least_squares import PAIRS, jets, neighbourhoods
from pliant.bodies.elastons.pieces import Pieces
from tests.unit.test_elastons import box, line, sheet


@pytest.mark.parametrize("sampled", [1, 2, 3])
def test_the_map_is_exact_for_the_second_degree_and_its_derivatives_are_its_own(sampled):
    rng = np.random.default_rng(0)
    grid = np.stack(np.meshgrid(*[np.arange(4.0)] * sampled, indexing="ij"), -1)
    nodes = np.zeros((4**sampled, 3))
    nodes[:, :sampled] = grid.reshape(-1, sampled) + 0.1 * rng.uniform(-1, 1, (4**sampled, sampled))
    at = np.zeros((3, 3))
    at[:, :sampled] = rng.uniform(1, 2, (3, sampled))
    radii, axes = rng.uniform(1.9, 2.1, len(nodes)), np.array([np.eye(3)] * 3)
    free = np.zeros(len(nodes), dtype=bool)

    def told(places, data):
        near = neighbourhoods(places, nodes, radii)
        operators, _, _ = jets(places, axes, sampled, nodes, radii, near, held=free)
        return np.einsum("eakd,ekd->ea", operators, data[near[0]])

    H = rng.standard_normal((3, 3))
    H = H + H.T
    H[sampled:, sampled:] = 0.0  # what nodes cannot tell
    values = 0.5 * np.einsum("ni,ij,nj->n", nodes, H, nodes) + nodes[:, 0]
    gradients = nodes @ H + [1.0, 0.0, 0.0]
    found = told(at, np.concatenate([values[:, None], gradients], axis=1))
    np.testing.assert_allclose(found[:, 0], 0.5 * np.einsum("ni,ij,nj->n", at, H, at) + at[:, 0])
    np.testing.assert_allclose(found[:, 1:4], at @ H + [1.0, 0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(found[:, 4:], [[H[p] for p in PAIRS]] * 3, atol=1e-11)

    data, h = rng.standard_normal((len(nodes), 4)), 1e-5
    there = told(at, data)
    for k in range(sampled):
        step = h * np.eye(3)[k]
        change = (told(at + step, data) - told(at - step, data)) / (2 * h)
        np.testing.assert_allclose(change[:, 0], there[:, 1 + k], atol=1e-8)
        for i in range(3):
            second = there[:, 4 + PAIRS.index((min(i, k), max(i, k)))]
            np.testing.assert_allclose(change[:, 1 + i], second, atol=1e-8)


@pytest.mark.parametrize(
    "mesh",
    [line(3), sheet(shift=0.03), box(shift=0.03), box(kind="hex"), box(kind="hex", shift=0.03)],
    ids=["line", "tri", "tet", "hex", "warped hex"],
)
def test_pieces_fill_their_cells(mesh):
    ((kind, cells),) = mesh.cells.items()
    d = {"line2": 1, "tri3": 2}.get(kind, 3)
    pieces = Pieces.of(mesh.points, cells, d)
    whole = {"line2": 1.0, "tri3": 0.4}.get(kind, 0.6 * 0.4 * 0.4)
    exact = 1e-12 if kind != "hex8" else 1e-3  # the middle of a warped octant for its mean
    assert pieces.size.sum() == pytest.approx(whole, rel=exact)
    span = np.ptp(mesh.points, axis=0)
    middle = pieces.size @ pieces.centre / whole
    np.testing.assert_allclose(middle, span / 2, atol=exact)
    about = pieces.centre - span / 2
    moments = pieces.moments + about[:, :, None] * about[:, None, :]
    np.testing.assert_allclose(
        np.einsum("e,eij->ij", pieces.size, moments) / whole, np.diag(span**2) / 12, atol=exact
    )


@pytest.mark.parametrize(
    "mesh", [line(3), sheet(), box(), box(kind="hex")], ids=lambda m: next(iter(m.cells))
)
def test_what_cells_share_cancels_on_their_boundaries(mesh):
    ((kind, cells),) = mesh.cells.items()
    d = {"line2": 1, "tri3": 2}.get(kind, 3)
    total = boundary(mesh.points, cells, d).reshape(-1, 4, 3)
    span = np.ptp(mesh.points, axis=0)[:d]
    inside = ((mesh.points[:, :d] > 1e-9) & (mesh.points[:, :d] < span - 1e-9)).all(axis=1)
    assert inside.any() and np.abs(total[inside]).max() < 1e-14
    # Of a quadratic function the integral of its gradient: of x y / 2 + x^2 / 2 over the body.
    x = mesh.points
    f = 0.5 * x[:, 0] * x[:, 1] + 0.5 * x[:, 0] ** 2
    df = np.stack([0.5 * x[:, 1] + x[:, 0], 0.5 * x[:, 0], 0 * x[:, 0]], axis=1)
    found = np.einsum("n,ni->i", f, total[:, 0]) + np.einsum("nd,ndi->i", df, total[:, 1:])
    centre, whole = np.ptp(x, axis=0) / 2, np.prod(span)
    wanted = whole * np.array([0.5 * centre[1] + centre[0], 0.5 * centre[0], 0.0])
    wanted[d:] = 0.0
    np.testing.assert_allclose(found, wanted, atol=1e-12)
