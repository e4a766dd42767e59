"""Laws of springs."""

import numpy as np
import pytest

import pliant as pl
from pliant.energies import Energy
from pliant.energies.assembly import Assembly
from pliant.energies.spring import SpringEnergy

LAWS = {
    "plain": {},
    "stiffening": {"stiffening": 3.0},
    "string": {"pulls_only": True},
}
laws = pytest.mark.parametrize("law", LAWS)
dims = pytest.mark.parametrize("dim", [2, 3])


def net(dim, law, seed=0, spread=0.15):
    """Springs on the edges of a small mesh, an assembly over them, and a bent shape."""
    mesh = pl.meshes.rectangle((2, 1), (2, 1)) if dim == 2 else pl.meshes.box((1, 1, 1), (1, 1, 1))
    rng = np.random.default_rng(seed)
    ends = mesh.points[mesh.edges]
    lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    energy = SpringEnergy(
        mesh.points,
        mesh.edges,
        stiffness=rng.uniform(1.0, 5.0, len(mesh.edges)),
        rest=lengths,
        **LAWS[law],
    )
    x = mesh.points + spread * rng.uniform(-1, 1, mesh.points.shape)
    return energy, Assembly(len(mesh), dim, [energy]), mesh.points, x


def dense(assembly, x, project):
    return assembly.pattern.matrix(assembly.blocks(x, project=project)).toarray()


def differences(function, x, h=1e-6):
    columns = []
    for i in np.ndindex(x.shape):
        dx = np.zeros_like(x)
        dx[i] = h
        columns.append((np.ravel(function(x + dx)) - np.ravel(function(x - dx))) / (2 * h))
    return np.stack(columns, axis=-1)


@laws
@dims
def test_gradient_and_hessian_match_finite_differences(dim, law):
    energy, assembly, _, x = net(dim, law)
    assert isinstance(energy, Energy)
    g, H = assembly.gradient(x), dense(assembly, x, project=False)
    # Centred differences at h = 1e-6: rounding 1e-16/h = 1e-10 and truncation h^2, with room.
    assert np.abs(g).max() > 0.1 and np.abs(H).max() > 1.0
    assert np.abs(g.ravel() - differences(assembly.value, x)[0]).max() <= 1e-7 * np.abs(g).max()
    assert np.abs(H - differences(assembly.gradient, x)).max() <= 1e-6 * np.abs(H).max()
    np.testing.assert_allclose(H, H.T, atol=1e-12)


@laws
@dims
def test_rest_is_free_of_force_and_rigid_motion_costs_nothing(dim, law):
    _, assembly, rest, x = net(dim, law)
    assert assembly.value(rest) == 0.0 and np.abs(assembly.gradient(rest)).max() <= 1e-14
    Q, _ = np.linalg.qr(np.random.default_rng(1).standard_normal((dim, dim)))
    moved = x @ Q.T + 3.0
    assert assembly.value(moved) == pytest.approx(assembly.value(x), rel=1e-12)
    turned = assembly.gradient(x) @ Q.T
    np.testing.assert_allclose(assembly.gradient(moved), turned, atol=1e-12)
    np.testing.assert_allclose(assembly.gradient(x).sum(axis=0), 0.0, atol=1e-13)


@laws
@dims
def test_projection_is_positive_and_leaves_stretched_nets_alone(dim, law):
    _, assembly, rest, x = net(dim, law)
    values = np.linalg.eigvalsh(dense(assembly, x, project=True))
    assert values.min() >= -1e-12 * values.max() and values.max() > 1.0
    wide = 1.3 * rest
    np.testing.assert_allclose(
        dense(assembly, wide, project=True), dense(assembly, wide, project=False), atol=1e-12
    )
    if law != "string":  # under pressure the true Hessian has negative curvature
        tight = dense(assembly, 0.5 * rest, project=False)
        assert np.linalg.eigvalsh(tight).min() < -0.1


def test_strings_do_not_push():
    _, assembly, rest, _ = net(3, "string")
    assert assembly.value(0.7 * rest) == 0.0 and not assembly.gradient(0.7 * rest).any()


def test_points_in_one_place_have_finite_forces():
    _, assembly, rest, _ = net(3, "plain")
    together = np.zeros_like(rest)
    assert np.isfinite(assembly.gradient(together)).all() and assembly.value(together) > 0.0
    assert np.isfinite(dense(assembly, together, project=True)).all()
