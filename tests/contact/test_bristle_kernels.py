"""The potential of friction is that of ipctk; bristles bend as far as allowed and turn with surfaces."""

import numpy as np
import pytest
import warp as wp

from pliant.contact.bristle_kernels import bristle_kernels
from pliant.contact.closest import EDGE_EDGE, POINT_EDGE, POINT_PLANE, POINT_POINT, POINT_TRIANGLE
from tests.contact.sums import POINTS, Sum, pairs_of, slopes

ipctk = pytest.importorskip("ipctk", reason="ipctk has no wheel for this platform")
EPS = 0.05
CASES = [(kind, 3) for kind in POINTS] + [(2, 2), (3, 2)]


def grips_of(kind, corners, bristles=None, strengths=None):
    """Positions, friction about them, the pairs, and the arrays of the grips."""
    x, pairs = pairs_of(kind, corners)
    dim, count = x.shape[1], len(pairs)
    touch, run = pairs.touch(x), bristle_kernels(dim)
    vec = wp.types.vector(dim, wp.float64)
    grips = run.Grips()
    strengths = np.full(count, 2.0) if strengths is None else strengths
    grips.stencils = pairs.stencils
    grips.weights = wp.array(touch.weights, dtype=pairs.types.four)
    grips.normals = wp.array(touch.normals, dtype=vec)
    grips.bristles = wp.array(np.zeros((count, dim)) if bristles is None else bristles, dtype=vec)
    grips.strengths = wp.array(strengths, dtype=wp.float64)
    grips.lengths = wp.array(np.full(count, EPS), dtype=wp.float64)
    grips.before = wp.array(x, dtype=vec)
    return x, Sum(run, grips, count, dim, len(x)), pairs, grips


def bent(x, pairs, grips):
    out = wp.zeros(len(pairs), dtype=wp.types.vector(x.shape[1], wp.float64))
    y = wp.array(x, dtype=out.dtype)
    wp.launch(bristle_kernels(x.shape[1]).bend, len(pairs), inputs=[y, grips, pairs.kinds, out])
    return out.numpy()


#: A point over a triangle and two edges that cross, each alone within reach, as meshes of ipctk.
MESHES = {
    POINT_TRIANGLE: (
        np.array([[0.2, 0.3, 0.01], [0, 0, 0], [1.0, 0, 0.1], [0.1, 1.0, 0]]),
        np.zeros((0, 2), dtype=np.int32),
        np.array([[1, 2, 3]], dtype=np.int32),
    ),
    EDGE_EDGE: (
        np.array([[-0.4, 0.1, 0.02], [0.5, 0, 0.03], [0.1, -0.6, 0], [0, 0.5, 0.01]]),
        np.array([[0, 1], [2, 3]], dtype=np.int32),
        np.zeros((0, 3), dtype=np.int32),
    ),
}


def check_beside_ipctk(kind, V, far, seed):
    """Value, gradient and Hessian of a pair that is within reach by itself are those of ipctk."""
    _, E, F = MESHES[kind]
    E = np.concatenate([E, ipctk.edges(F)]).astype(np.int32) if len(F) else E
    mesh = ipctk.CollisionMesh(V, E, F)
    normal, tangential = ipctk.NormalCollisions(), ipctk.TangentialCollisions()
    normal.build(mesh, V, 0.1)
    tangential.build(mesh, V, normal, ipctk.BarrierPotential(0.1, 1e3), 0.4)
    assert len(tangential) == 1
    pushed = tangential[0].normal_force_magnitude
    x, energy, _, _ = grips_of(kind, V[None], strengths=np.array([0.4 * pushed]))
    way = np.random.default_rng(seed).standard_normal(V.shape)
    u = far * EPS * way / np.abs(way).max()
    D = ipctk.FrictionPotential(EPS)
    assert energy.value(x + u) == pytest.approx(D(tangential, mesh, u), rel=1e-12)
    want = D.gradient(tangential, mesh, u)
    np.testing.assert_allclose(
        energy.gradient(x + u).ravel(), want, atol=1e-12 * np.abs(want).max()
    )
    want = D.hessian(tangential, mesh, u).toarray()
    np.testing.assert_allclose(energy.hessian(x + u), want, atol=1e-11 * np.abs(want).max())


@pytest.mark.parametrize("kind", MESHES)
@pytest.mark.parametrize("far", [1e-6, 0.3, 0.999, 1.5, 40.0])
def test_value_and_derivatives_are_those_of_ipctk(kind, far):
    check_beside_ipctk(kind, MESHES[kind][0], far, seed=kind)


@pytest.mark.parametrize("kind", MESHES)
def test_random_pairs_in_random_poses_rub_as_those_of_ipctk(kind):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        V = MESHES[kind][0] + 5e-3 * rng.standard_normal((4, 3))
        V[2:] += 0.1 * rng.standard_normal((2, 3)) * [1, 1, 0]
        turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
        check_beside_ipctk(
            kind, V @ turn + rng.uniform(-1, 1, 3), rng.choice([0.1, 0.9, 5.0]), seed
        )


@pytest.mark.parametrize("kind, dim", CASES)
@pytest.mark.parametrize("far", [0.2, 3.0])
def test_derivatives_are_those_of_values(kind, dim, far):
    rng = np.random.default_rng(kind)
    corners = rng.uniform(-1, 1, (8, POINTS[kind], dim))
    bristles = 0.1 * EPS * rng.standard_normal((8, dim))
    x, energy, _, _ = grips_of(kind, corners, bristles)
    y = x + far * EPS * rng.uniform(-1, 1, x.shape)
    found = energy.gradient(y)
    want = slopes(energy.value, y, 1e-5).reshape(x.shape)
    np.testing.assert_allclose(found, want, atol=1e-7 * np.abs(want).max())
    H = energy.hessian(y)
    want = slopes(lambda z: energy.gradient(z).ravel(), y, 1e-5)
    np.testing.assert_allclose(H, want, atol=1e-6 * np.abs(want).max())
    assert np.linalg.eigvalsh(H).min() > -1e-12 * np.abs(H).max()


def test_nothing_is_pushed_where_nothing_has_slid():
    x, energy, pairs, grips = grips_of(0, np.random.default_rng(1).uniform(-1, 1, (5, 4, 3)))
    assert not energy.gradient(x).any() and np.isfinite(energy.hessian(x)).all()
    assert not bent(x, pairs, grips).any()


@pytest.mark.parametrize(
    "kind, dim", [(POINT_TRIANGLE, 3), (EDGE_EDGE, 3), (POINT_EDGE, 3), (2, 2)]
)
def test_bristles_turn_with_the_second_side(kind, dim):
    """The second side turns about its closest point; of edges only what is seen of them is known."""
    rng = np.random.default_rng(kind)
    corners = rng.uniform(-1, 1, (6, POINTS[kind], dim))
    s = 0.2 * EPS * rng.standard_normal((6, dim))
    x, _, pairs, grips = grips_of(kind, corners, s)
    first = 2 if kind == EDGE_EDGE else 1
    weights = pairs.touch(x).weights[:, first : POINTS[kind]]
    about = -np.einsum("ij,ijk->ik", weights, corners[:, first:])[:, None]
    axis = np.array([0.0, 0.0, 1.0]) if dim == 2 else rng.standard_normal(3)
    axis /= np.linalg.norm(axis)
    if dim == 3 and kind != POINT_TRIANGLE:  # an edge does not show a turn about itself
        edge = corners[:, -1] - corners[:, -2]
        corners, s, about, edge = corners[:1], s[:1], about[:1], edge[0]
        axis = np.cross(edge, axis)
        axis /= np.linalg.norm(axis)
        x, _, pairs, grips = grips_of(kind, corners, s)
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    turn = (np.eye(3) + np.sin(0.7) * K + (1 - np.cos(0.7)) * K @ K)[:dim, :dim]
    moved = corners.copy()
    moved[:, first:] = about + (corners[:, first:] - about) @ turn.T
    found = bent(moved.reshape(x.shape), pairs, grips)
    np.testing.assert_allclose(found, s @ turn.T, atol=1e-12)


@pytest.mark.parametrize("kind, dim", CASES)
def test_bristles_are_bent_by_what_the_sides_move_apart(kind, dim):
    corners = np.random.default_rng(kind).uniform(-1, 1, (6, POINTS[kind], dim))
    x, _, pairs, grips = grips_of(kind, corners)
    first, way = (2 if kind == EDGE_EDGE else 1), np.arange(1.0, dim + 1.0)
    moved = corners.copy()
    moved[:, :first] += 0.1 * way
    np.testing.assert_allclose(
        bent(moved.reshape(x.shape), pairs, grips), np.tile(0.1 * way, (6, 1))
    )


def test_bristles_on_planes_and_between_points_do_not_turn():
    x, _, pairs, grips = grips_of(POINT_POINT, np.array([[[0.0, 0, 1.0], [0, 0, 0]]]))
    grips.bristles = wp.array([[0.01, 0.02, 0.0]], dtype=wp.types.vector(3, wp.float64))
    for kind in (POINT_POINT, POINT_PLANE):
        pairs.kinds.fill_(kind)
        np.testing.assert_allclose(bent(x, pairs, grips), [[0.01, 0.02, 0.0]])
