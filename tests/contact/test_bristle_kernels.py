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
    wp.launch(bristle_kernels(x.shape[1]).bend, len(pairs), inputs=[y, grips, pairs.struct, out])
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


@pytest.mark.parametrize("kind", MESHES)
@pytest.mark.parametrize("far", [1e-6, 0.3, 0.999, 1.5, 40.0])
def test_value_and_derivatives_are_those_of_ipctk(kind, far):
    V, E, F = MESHES[kind]
    E = np.concatenate([E, ipctk.edges(F)]).astype(np.int32) if len(F) else E
    mesh = ipctk.CollisionMesh(V, E, F)
    normal, tangential = ipctk.NormalCollisions(), ipctk.TangentialCollisions()
    normal.build(mesh, V, 0.1)
    tangential.build(mesh, V, normal, ipctk.BarrierPotential(0.1, 1e3), 0.4)
    assert len(tangential) == 1
    pushed = tangential[0].normal_force_magnitude
    x, energy, _, _ = grips_of(kind, V[None], strengths=np.array([0.4 * pushed]))
    way = np.random.default_rng(kind).standard_normal(V.shape)
    u = far * EPS * way / np.abs(way).max()
    D = ipctk.FrictionPotential(EPS)
    assert energy.value(x + u) == pytest.approx(D(tangential, mesh, u), rel=1e-12)
    want = D.gradient(tangential, mesh, u)
    np.testing.assert_allclose(
        energy.gradient(x + u).ravel(), want, atol=1e-12 * np.abs(want).max()
    )
    want = D.hessian(tangential, mesh, u).toarray()
    np.testing.assert_allclose(energy.hessian(x + u), want, atol=1e-11 * np.abs(want).max())


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


@pytest.mark.parametrize("kind, dim", CASES)
def test_bristles_are_bent_by_what_slides_and_no_further_than_eps(kind, dim):
    corners = np.random.default_rng(kind).uniform(-1, 1, (6, POINTS[kind], dim))
    first = 2 if kind == EDGE_EDGE else 1
    for far, longest in ((0.1, 0.1 * EPS), (3.0, EPS)):
        x, _, pairs, grips = grips_of(kind, corners)
        n = pairs.touch(x).normals
        way = np.cross(n, [1.0, 2.0, 3.0]) if dim == 3 else np.stack([n[:, 1], -n[:, 0]], axis=1)
        way /= np.linalg.norm(way, axis=1)[:, None]
        moved = corners.copy()
        moved[:, :first] += far * EPS * way[:, None]
        found = bent(moved.reshape(x.shape), pairs, grips)
        np.testing.assert_allclose(np.linalg.norm(found, axis=1), longest, rtol=0.2)
        assert np.linalg.norm(found, axis=1).max() <= EPS * (1.0 + 1e-12)


@pytest.mark.parametrize(
    "kind, dim", [(POINT_TRIANGLE, 3), (EDGE_EDGE, 3), (POINT_EDGE, 3), (2, 2)]
)
def test_bristles_turn_with_the_bodies(kind, dim):
    rng = np.random.default_rng(kind)
    corners = rng.uniform(-1, 1, (6, POINTS[kind], dim))
    n = pairs_of(kind, corners)[1].touch(corners.reshape(-1, dim)).normals
    s = 0.2 * EPS * rng.standard_normal((6, dim))
    s -= np.einsum("ij,ij->i", s, n)[:, None] * n
    x, _, pairs, grips = grips_of(kind, corners, s)
    turn = np.linalg.qr(rng.standard_normal((dim, dim)))[0]
    turn *= np.linalg.det(turn)  # in space the sign of all, in the plane of a mirror image
    if np.linalg.det(turn) < 0:
        turn[:, 0] *= -1.0
    # The pair turns about each of its closest points, so that nothing slides.
    grips.before = wp.array(x @ turn.T, dtype=wp.types.vector(dim, wp.float64))
    y = wp.array(x @ turn.T, dtype=wp.types.vector(dim, wp.float64))
    still = bent(y.numpy(), pairs, grips)  # before and after are the same: nothing turns but n
    assert np.isfinite(still).all()
    # A small turn, where what slides is known to be small.
    angle = 1e-6
    K = rng.standard_normal((dim, dim))
    K = angle * (K - K.T)
    x, _, pairs, grips = grips_of(kind, corners, s)
    found = bent(x + x @ K.T, pairs, grips)
    touch = pairs.touch(x)
    k = POINTS[kind]
    gap = touch.distances[:, None] * touch.normals  # the way between the closest points turns too
    slid = gap @ K.T
    slid -= np.einsum("ij,ij->i", slid, n)[:, None] * n
    np.testing.assert_allclose(found, s + slid + s @ K.T, atol=1e-9 * k)


def test_bristles_on_planes_and_between_points_stay():
    x, _, pairs, grips = grips_of(POINT_POINT, np.array([[[0.0, 0, 1.0], [0, 0, 0]]]))
    pairs.kinds.fill_(POINT_PLANE)
    grips.bristles = wp.array([[0.01, 0.02, 0.0]], dtype=wp.types.vector(3, wp.float64))
    np.testing.assert_allclose(bent(x, pairs, grips), [[0.01, 0.02, 0.0]])
