"""Penalties: what overlaps is found, what touches is pushed apart, and bad input is refused."""

import numpy as np
import pytest
import warp as wp
from scipy.optimize import lsq_linear, nnls

import pliant as pl
from pliant.contact import PenaltyContact, overlapping, points_in_cells
from pliant.contact.closest_pairs import distances
from pliant.contact.surfaces import filled_cells
from pliant.contact.touching import point_triangle, segments
from pliant.energies import Energy
from pliant.energies.assembly import Assembly
from tests.unit.soft_bodies import two_blocks


def brute(first, second):
    (a, b), (c, d) = first, second
    return np.nonzero(((a[:, None] <= d) & (c <= b[:, None])).all(axis=2))


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_no_overlap_of_boxes_is_missed(dim, seed):
    """Boxes of very different sizes, far from the origin, points among them."""
    rng = np.random.default_rng(seed)

    def boxes(count):
        low = rng.uniform(-1, 1, (count, dim)) + 1e3 * rng.integers(-1, 2)
        size = 10.0 ** rng.uniform(-3, 0.3, (count, 1)) * rng.uniform(0, 1, (count, dim))
        size[: count // 5] = 0.0
        return low, low + size

    first, second = boxes(80), boxes(120)
    second = tuple(x - second[0].mean(axis=0) + first[0].mean(axis=0) for x in second)
    found, expected = overlapping(first, second), brute(first, second)
    assert len(expected[0]) > 10
    np.testing.assert_array_equal(found, expected)


def test_boxes_that_touch_overlap_and_none_is_none():
    low = np.array([[0.0, 0.0], [1.0, 0.0], [2.5, 0.0]])
    np.testing.assert_array_equal(
        overlapping((low[:1], low[:1] + 1.0), (low[1:], low[1:] + 1.0)), [[0], [0]]
    )
    empty = np.zeros((0, 2))
    assert len(overlapping((empty, empty), (low, low))[0]) == 0
    same = np.zeros((4, 3))  # all in one place
    assert len(overlapping((same, same), (same, same))[0]) == 16


@pytest.mark.parametrize("seed", range(8))
def test_no_point_in_a_tetrahedron_is_missed(seed):
    """Soups of tetrahedra large and small, flat ones too, against all pairs by volumes."""
    rng = np.random.default_rng(seed)
    size = 10.0 ** rng.uniform(-2, 0.3, (150, 1, 1))
    corners = rng.uniform(0, 1, (150, 1, 3)) + size * rng.uniform(-1, 1, (150, 4, 3))
    corners[0] = corners[0, :1]  # no volume
    loose = rng.uniform(0, 1, (200, 3))
    x = np.concatenate([corners.reshape(-1, 3), loose])
    cells, points = np.arange(600).reshape(150, 4), np.arange(0, 800, 2)
    whole = np.linalg.det(corners[:, 1:] - corners[:, :1])
    expected = []
    for i, p in enumerate(points):
        parts = np.empty((150, 4))
        for a in range(4):
            c = corners.copy()
            c[:, a] = x[p]
            parts[:, a] = np.linalg.det(c[:, 1:] - c[:, :1])
        with np.errstate(divide="ignore", invalid="ignore"):
            inside = (parts / whole[:, None] > 0).all(axis=1)
        inside[(cells == p).any(axis=1)] = False
        expected += [(i, j) for j in np.flatnonzero(inside)]
    assert len(expected) > 100
    assert list(zip(*points_in_cells(x, points, cells), strict=True)) == expected


@pytest.mark.parametrize("turn, offset", [(0.0, 0.0), (0.4, 0.0), (0.0, 57.1), (1.3, -211.7)])
@pytest.mark.parametrize("dim, kind", [(2, "tri"), (2, "quad"), (3, "tet"), (3, "hex")])
def test_what_is_on_shared_faces_edges_and_corners_is_inside(dim, kind, turn, offset):
    """Every point of a lattice within a block is in a cell of it, and in its part but once."""
    block = (
        pl.meshes.rectangle((1, 1), (2, 2), kind=kind)
        if dim == 2
        else pl.meshes.box((1, 1, 1), (2, 2, 2), kind=kind)
    )
    step = np.arange(1, 8) / 8
    loose = np.stack(np.meshgrid(*[step] * dim, indexing="ij"), axis=-1).reshape(-1, dim)
    R = np.eye(dim)
    R[:2, :2] = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
    outside = loose + np.eye(dim)[0] * (1 - loose[:, :1] + 1e-6)
    x = np.concatenate([block.points, loose, outside]) @ R.T + offset
    n, m, cells = len(block), len(loose), filled_cells(block)
    points = n + np.arange(2 * m)
    found = np.unique(points_in_cells(x, points, cells)[0])
    assert np.array_equal(found, np.arange(m))


def test_shortest_ways_between_segments():
    """Against bounded least squares over where along each."""
    x = np.random.default_rng(3).uniform(-1, 1, (60, 4, 3))
    found = distances(x.reshape(-1, 3), segments, np.arange(240).reshape(60, 4))
    for (a, b, c, d), apart in zip(x, found, strict=True):
        best = lsq_linear(np.stack([b - a, c - d], axis=1), c - a, (0.0, 1.0), tol=1e-14)
        assert apart == pytest.approx(np.linalg.norm(best.fun), abs=1e-7)


def test_shortest_ways_from_points_to_triangles():
    """Against non-negative least squares, in which weights that do not sum to one cost dearly."""
    x, much = np.random.default_rng(4).uniform(-1, 1, (60, 4, 3)), 1e5
    found = distances(x.reshape(-1, 3), point_triangle, np.arange(240).reshape(60, 4))
    for corners, apart in zip(x, found, strict=True):
        rows = np.concatenate([corners[1:].T, [[much] * 3]])
        weights, _ = nnls(rows, np.append(corners[0], much))
        best = np.linalg.norm(weights @ corners[1:] / weights.sum() - corners[0])
        assert apart == pytest.approx(best, abs=1e-7)


def test_parallel_segments_touch_in_the_middle():
    """Side by side all places are as close; a push at one end would turn them."""
    x = np.array([[0.0, 0], [2, 0], [1, 0.1], [3, 0.1]])
    mesh = pl.Mesh(x, {"line": [[0, 1], [2, 3]]})
    rods = pl.ImpactRods(mesh, young=1.0, density=1.0, radius=0.04)
    g = rods.system().assembly.gradient(x - [[0, 0], [0, 0], [0, 0.05], [0, 0.05]])
    assert g[:, 1] / g[0, 1] == pytest.approx([1, 3, -3, -1])


def stacked(dim, gap):
    """Two blocks above each other, the upper one smaller and turned a little."""
    block = pl.meshes.rectangle((1, 1), (2, 2)) if dim == 2 else pl.meshes.box((1, 1, 1), (1, 1, 1))
    c, s = np.cos(0.13), np.sin(0.13)
    turn = np.eye(dim)
    turn[:2, :2] = [[c, -s], [s, c]]
    up = np.array([0.21, 1 + gap, 0.17])[:dim]
    ((kind, cells),) = block.cells.items()
    upper = 0.6 * block.points @ turn.T + up
    points = np.concatenate([block.points, upper])
    return pl.Mesh(points, {kind: np.concatenate([cells, cells + len(block)])}), len(block)


def sunk(dim, depth):
    """Positions with the upper block pressed into the lower one, all points moved a little."""
    mesh, n = stacked(dim, gap=0.2)
    x = mesh.points + 0.01 * np.random.default_rng(1).uniform(-1, 1, mesh.points.shape)
    x[n:, 1] -= depth
    return mesh, x


CASES = {
    "near": (PenaltyContact(thickness=0.15, stiffness=3.0), 0.17),
    "inside": (PenaltyContact(thickness=0.05, stiffness=3.0), 0.31),
    "edges": (PenaltyContact(thickness=0.15, stiffness=3.0, edges=True), 0.17),
}


def at(case, dim):
    contact, depth = CASES[case]
    mesh, x = sunk(dim, depth)
    energies = contact.energies(mesh)
    assert all(isinstance(e, Energy) for e in energies)
    return Assembly(len(mesh), dim, energies), x


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("case", CASES)
def test_forces_are_the_gradient(case, dim):
    """Of contacts inside while depths are held, as they are while a step is solved."""
    assembly, x = at(case, dim)
    g, h = assembly.gradient(x), 1e-6
    if case == "inside":
        assembly.energies[0].hold(assembly.array(x))
        np.testing.assert_array_equal(assembly.gradient(x), g)
    found = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        dx = np.zeros_like(x)
        dx[i] = h
        found[i] = (assembly.value(x + dx) - assembly.value(x - dx)) / (2 * h)
    assert np.abs(g).max() > 0.03
    # Truncation h^2 and rounding 1e-16/h, with room.
    np.testing.assert_allclose(g, found, atol=1e-8)


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("case", CASES)
def test_parts_keep_momentum_and_angular_momentum(case, dim):
    assembly, x = at(case, dim)
    f = -assembly.gradient(x)
    np.testing.assert_allclose(f.sum(axis=0), 0.0, atol=1e-14)
    torque = np.einsum("ni,nj->ij", x, f)
    np.testing.assert_allclose(torque, torque.T, atol=1e-13)
    assert f[len(x) // 2 :, 1].sum() > 0.05  # the upper one is pushed up


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("case", CASES)
def test_the_hessian_is_that_of_gauss_and_newton(case, dim):
    """Blocks less columns are sum k g g^T with the gradients g of distances, and semi-definite."""
    assembly, x = at(case, dim)
    U = assembly.low_rank(x)
    blocks = assembly.pattern.matrix(assembly.blocks(x, project=True)).toarray()
    H = blocks - U @ U.T
    values = np.linalg.eigvalsh(H)
    assert values.min() > -1e-12 and U.shape[1] >= 3
    # Each contact has one direction; W = sum k/2 g^2 says how far it is along it.
    contacts = U.shape[1] // 3
    assert (values > 1e-9).sum() <= contacts
    g = assembly.gradient(x).ravel()
    # k g g^T of gap c: the gradient is in its range, and g^T H^+ g = sum k c^2 = 2 W.
    assert g @ np.linalg.pinv(H, rcond=1e-9) @ g <= 2 * assembly.value(x) * (1 + 1e-9)
    if contacts == 1:
        assert g @ np.linalg.pinv(H, rcond=1e-9) @ g == pytest.approx(2 * assembly.value(x))


def test_search_is_repeated_when_points_have_moved_and_not_before():
    mesh, x = sunk(3, 0.17)
    (energy,) = PenaltyContact(thickness=0.15, stiffness=3.0).energies(mesh)
    vec = wp.types.vector(3, wp.float64)

    def value(y):
        return energy.value(wp.array(y, dtype=vec, device="cpu"))

    near = value(x)
    pairs = energy._facets.pairs[0]
    value(x + 1e-3)
    assert energy._facets.pairs[0] is pairs
    far = x.copy()
    far[len(x) // 2 :, 1] += 5.0
    assert value(far) == 0.0 and len(energy._facets.pairs[0]) == 0
    assert value(x) == near > 0.0


@pytest.mark.parametrize("which", ["thickness", "stiffness"])
def test_refused_numbers(which):
    with pytest.raises(ValueError, match=f"got {which}=0.0; expected more than 0"):
        PenaltyContact(**({"thickness": 0.1, "stiffness": 1.0} | {which: 0.0}))


def test_what_does_not_fit_the_body_is_refused_when_it_is_given():
    body = pl.Body(pl.meshes.rectangle(), pl.Corotated(young=1e4, poisson=0.3))
    with pytest.raises(ValueError, match="all of one part"):
        body.touch(PenaltyContact(0.1, 1.0))
    line = pl.Mesh([[0, 0], [1, 0], [0, 1], [1, 1]], {"line": [[0, 1], [2, 3]]})
    with pytest.raises(ValueError, match="ImpactRods"):
        PenaltyContact(0.1, 1.0).energies(line)


def test_settle_is_refused_for_what_may_fall_and_works_for_what_is_held():
    """A beam sinks onto another below it; both come to rest there when asked."""
    beam = pl.meshes.rectangle((2, 0.4), (10, 2))
    n, cells = len(beam), beam.cells["tri3"]
    points = np.concatenate([beam.points, beam.points + [0.3, -0.45]])
    mesh = pl.Mesh(points, {"tri": np.concatenate([cells, cells + n])})
    body = pl.Body(mesh, pl.Corotated(young=2e5, poisson=0.3), damping=pl.Settle(0.5))
    body.touch(PenaltyContact(thickness=0.03, stiffness=5e4))
    scene = pl.Scene(body, gravity=(0, -9.81))
    with pytest.raises(ValueError, match="nothing would stop a body that falls"):
        scene.run(seconds=0.1)
    left = np.concatenate([points[:n, 0] < 1e-9, points[n:, 1] < -0.45 + 1e-9])
    body.fix(left)  # the upper one by its end, the lower one by its sole
    take = scene.run(seconds=0.8, dt=1 / 120, progress=False)
    gap = take.positions[:, :n, 1].min() - points[n:, 1].max()
    assert -0.03 < gap < 0.03  # it lies on the other
    assert take.rest_time() == pytest.approx(0.5, rel=0.1)  # no promise in contact, yet


def test_an_equilibrium_holds_the_pushes_that_act_in_it():
    """Blocks that are held overlapping: found with pushes held, it is one with those it has there."""
    mesh, n = stacked(2, gap=-0.15)
    body = pl.Body(mesh, pl.StableNeoHookean(young=100.0, poisson=0.3))
    body.fix((mesh.points[:, 1] < 1e-9) | (mesh.points[:, 1] > mesh.points[n:, 1].max() - 0.1))
    body.touch(PenaltyContact(thickness=0.01, stiffness=30.0))
    x = pl.Scene(body).equilibrium().positions[0]
    system = body.system()
    elastic, push = (Assembly(len(x), 2, [e]).gradient(x) for e in system.assembly.energies)
    assert np.abs(push).max() > 1.0 and np.abs(x - mesh.points).max() > 0.02
    # Shapes agree to 1e-9 of the size, about 2; the stiffest point has some 200 N/m.
    assert np.abs((elastic + push)[system.free]).max() < 4e-7


def test_parts_of_a_body_that_is_tied_to_another_push_as_those_of_one_that_is_not():
    """Its points are numbered behind those of another; the other weighs nothing."""
    found = []
    for tied in (False, True):
        body = two_blocks()
        x = body.positions.copy()
        x[len(x) // 2 :, 1] -= 0.1
        body.place(x)
        body.velocity = (0.0, 0.0, 0.0)
        line = pl.Mesh([[0.0, 0, 0], [-1.0, 0, 0]], {"line": [[0, 1]]})
        other = pl.Springs(line, stiffness=1.0, mass=1e-9, name="other")
        scene = pl.Scene([other, body] if tied else [body])
        if tied:
            scene.add(pl.Tie(other, [0], body, [0]))
        take = scene.run(seconds=0.02, dt=1 / 240, progress=False)
        found.append(take[body].positions)
    assert np.ptp(found[0], axis=0).max() > 0.01
    # Steps are solved to 1e-9 of the size; a point has 1e-10 of the mass more.
    np.testing.assert_allclose(found[1], found[0], atol=1e-8)
