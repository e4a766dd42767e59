"""Laws of the energy of a shape off its examples."""

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.energies import Energy, SolidEnergy
from pliant.energies.assembly import Assembly
from pliant.energies.example import ExampleEnergy
from tests.laws.stencils import turn
from tests.laws.test_spring_laws import differences

MESHES = {
    "tri3": lambda: pl.meshes.rectangle((2, 1), (2, 1)),
    "quad4": lambda: pl.meshes.rectangle((2, 1), (2, 1), kind="quad"),
    "tet4": lambda: pl.meshes.box((2, 1, 1), (2, 1, 1)),
    "hex8": lambda: pl.meshes.box((2, 1, 1), (2, 1, 1), kind="hex"),
}
kinds = pytest.mark.parametrize("kind", MESHES)
limits = pytest.mark.parametrize("bounds", [None, (0.0, 1.0)])
parts = pytest.mark.parametrize("local", [False, True])


def shown(kind, *, bounds=None, local=False, dtype=wp.float64):
    """The energy, what evaluates it, its poses (rest first), and a shape that is near none of them."""
    mesh, rng = MESHES[kind](), np.random.default_rng(2)
    cells = mesh.cells[kind]
    poses = mesh.points + 0.1 * rng.uniform(-1, 1, (2, *mesh.points.shape))
    material = pl.StableNeoHookean(young=3.0, poisson=0.3)
    energy = ExampleEnergy(
        SolidEnergy(mesh.points, cells, kind, material, dtype=dtype),
        poses,
        strength=2.0,
        bounds=bounds,
        region=(mesh.points[cells].mean(axis=1)[:, 0] > 1.0).astype(int) if local else None,
    )
    x = poses[0] + 0.6 * (poses[1] - mesh.points) + 0.05 * rng.uniform(-1, 1, mesh.points.shape)
    assembly = Assembly(len(mesh), mesh.dim, [energy], dtype=dtype)
    return energy, assembly, [mesh.points, *poses], x


def dense(assembly, x, project):
    U = assembly.low_rank(x)
    return assembly.pattern.matrix(assembly.blocks(x, project=project)).toarray() - U @ U.T


@kinds
@limits
@parts
def test_gradient_and_hessian_match_finite_differences(kind, bounds, local):
    energy, assembly, _, x = shown(kind, bounds=bounds, local=local)
    assert isinstance(energy, Energy)
    g, H = assembly.gradient(x), dense(assembly, x, project=False)
    # Centred differences at h = 1e-6: rounding 1e-16/h = 1e-10 and truncation h^2, with room.
    assert np.abs(g).max() > 0.005 and np.abs(H).max() > 0.5
    # Two weights a region, less those that bounds hold: x lies beyond the examples.
    free = assembly.low_rank(x).shape[1]
    assert 1 <= free < 2 * (1 + local) if bounds else free == 2 * (1 + local)
    assert np.abs(g.ravel() - differences(assembly.value, x)[0]).max() <= 1e-6 * np.abs(g).max()
    assert np.abs(H - differences(assembly.gradient, x)).max() <= 1e-6 * np.abs(H).max()
    np.testing.assert_allclose(H, H.T, atol=1e-12 * np.abs(H).max())


@kinds
@limits
@parts
def test_examples_are_free_of_energy_and_force_wherever_they_lie(kind, bounds, local):
    energy, assembly, poses, x = shown(kind, bounds=bounds, local=local)
    Q = turn(poses[0].shape[1])
    assert assembly.value(x) > 1e-4 and np.abs(assembly.gradient(x)).max() > 1e-3
    for i, pose in enumerate(poses):
        for at in (pose, pose @ Q.T + 3.0):
            # Strains are rounded to 1e-15: energies are their squares.
            assert assembly.value(at) <= 1e-27
            assert np.abs(assembly.gradient(at)).max() <= 1e-13
            w = energy.weights(assembly.array(at))
            np.testing.assert_allclose(w, np.broadcast_to(np.eye(3)[i], w.shape), atol=1e-12)


@kinds
def test_rigid_motion_costs_nothing_and_forces_have_no_sum(kind):
    _, assembly, _, x = shown(kind)
    Q, g = turn(x.shape[1]), assembly.gradient(x)
    assert assembly.value(x @ Q.T + 3.0) == pytest.approx(assembly.value(x), rel=1e-11)
    np.testing.assert_allclose(
        assembly.gradient(x @ Q.T + 3.0), g @ Q.T, atol=1e-11 * np.abs(g).max()
    )
    np.testing.assert_allclose(g.sum(axis=0), 0.0, atol=1e-13)
    torque = np.einsum("ni,nj->ij", x, g)
    np.testing.assert_allclose(torque, torque.T, atol=1e-13)


@kinds
@limits
def test_the_projected_hessian_is_semi_definite_with_its_columns(kind, bounds):
    _, assembly, poses, _ = shown(kind, bounds=bounds)
    rng, indefinite = np.random.default_rng(5), 0
    for _ in range(8):
        x = poses[0] + 0.3 * rng.uniform(-1, 1, poses[0].shape)
        values = np.linalg.eigvalsh(dense(assembly, x, project=True))
        assert values.min() >= -1e-12 * values.max() and values.max() > 0.5
        indefinite += np.linalg.eigvalsh(dense(assembly, x, project=False)).min() < -1e-3
    assert indefinite  # or nothing was tested


@kinds
def test_on_the_way_to_a_stretched_example_there_is_no_energy(kind):
    """Between two stretches of the same axes strains fit together: the blend is a shape."""
    mesh = MESHES[kind]()
    stretch = np.diag([1.3, 0.8, 1.1][: mesh.dim])
    material = pl.StableNeoHookean(young=3.0, poisson=0.3)
    solid = SolidEnergy(mesh.points, mesh.cells[kind], kind, material)
    energy = ExampleEnergy(solid, (mesh.points @ stretch)[None], strength=2.0)
    assembly, way = (
        Assembly(len(mesh), mesh.dim, [energy]),
        mesh.points @ (stretch - np.eye(mesh.dim)),
    )
    for w in (-0.5, 0.3, 1.7):
        x = mesh.points + w * way
        assert assembly.value(x) <= 1e-27 and np.abs(assembly.gradient(x)).max() <= 1e-13
        assert energy.weights(assembly.array(x))[0] == pytest.approx([1 - w, w], abs=1e-12)
        d = way.ravel()
        blocks = assembly.pattern.matrix(assembly.blocks(x, project=False))
        assert d @ (blocks @ d) > 0.1  # at fixed weights; and with them none
        assert abs(d @ dense(assembly, x, project=False) @ d) <= 1e-12


def test_float32_agrees_with_float64():
    _, exact, _, x = shown("tet4")
    coarse = shown("tet4", dtype=wp.float32)[1]
    # Strains of 0.1 are differences of numbers near 1 that float32 rounds to 6e-8.
    assert coarse.value(x) == pytest.approx(exact.value(x), rel=1e-4)
    g, U = exact.gradient(x), exact.low_rank(x)
    np.testing.assert_allclose(coarse.gradient(x), g, atol=1e-4 * np.abs(g).max())
    np.testing.assert_allclose(
        coarse.low_rank(x) @ coarse.low_rank(x).T, U @ U.T, atol=1e-4 * np.abs(U @ U.T).max()
    )
