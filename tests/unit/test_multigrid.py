"""Grids over a mesh, and the cycle on them: as fast on every mesh, and symmetric."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as sla
import warp as wp
from elastic import Elastic, bent

import pliant as pl
from pliant.solvers.grids import Grids
from pliant.solvers.multigrid import Multigrid

#: Of an almost static step: rest within a second [1/s^2].
WEIGHT = 4.0


def beam(cells: tuple, **options: str) -> pl.Mesh:
    return pl.meshes.box((4, 1, 1), cells, **options)


def graded(mesh: pl.Mesh) -> pl.Mesh:
    """Cells that are four times longer at the far end than at the near one."""
    points = mesh.points.copy()
    points[:, 0] = 4.0 * ((points[:, 0] / 4.0) + 0.6 * (points[:, 0] / 4.0) ** 2) / 1.6
    return pl.Mesh(points, mesh.cells)


def iterations(elastic: Elastic, x: np.ndarray | None = None, **options: float) -> int:
    report, _, _ = elastic.solve(elastic.points if x is None else x, weight=WEIGHT, **options)
    assert report.converged and not report.indefinite
    return report.iterations


@pytest.mark.parametrize(
    "mesh", [beam((10, 4, 4)), pl.meshes.annulus(1.0, 2.0, (60, 10)), beam((8, 3, 3), kind="hex")]
)
def test_grid_functions_hold_every_linear_field(mesh):
    free = mesh.points[:, 0] > mesh.points[:, 0].min() + 1e-9
    grids = Grids(mesh.points, list(mesh.cells.values()), free, coarsest=10)
    through = np.eye(len(mesh.points))
    for grid in grids.levels:
        through = through @ grid.interpolation().toarray()
        inside = through[free]
        np.testing.assert_allclose(inside.sum(axis=1), 1.0, atol=1e-12)
        # some nodal field interpolates X exactly on the free points
        field = np.linalg.lstsq(inside, mesh.points[free], rcond=None)[0]
        np.testing.assert_allclose(inside @ field, mesh.points[free], atol=1e-9)
        assert not through[~free].any()


def test_an_almost_empty_lattice_is_numbered_like_a_full_one(monkeypatch):
    mesh = beam((10, 4, 4))
    arguments = (mesh.points, list(mesh.cells.values()), np.ones(len(mesh.points), bool))
    by_flags = Grids(*arguments, coarsest=10)
    monkeypatch.setattr("pliant.solvers.grids.ROOM_CELLS", 0)
    by_sorting = Grids(*arguments, coarsest=10)
    assert len(by_flags) == len(by_sorting) > 1
    for a, b in zip(by_flags.levels, by_sorting.levels, strict=True):
        for name in ("corners", "lattice", "slots", "parents", "children"):
            assert np.array_equal(getattr(a, name), getattr(b, name))


def test_corners_far_from_the_body_are_left_out():
    ring = pl.meshes.annulus(4.0, 5.0, (200, 8))
    grid = Grids(ring.points, list(ring.cells.values()), np.ones(len(ring.points), bool)).levels[0]
    sides = np.ptp(grid.lattice, axis=0) + 2
    assert grid.nodes < 0.5 * np.prod(sides)  # the ring covers a third of its box
    assert (np.diff(grid.pattern.starts) <= 9).all()  # the stencil of a 2D grid


def test_iterations_do_not_grow_with_the_mesh():
    small, large = (iterations(Elastic(beam(c))) for c in ((10, 4, 4), (20, 7, 7)))
    assert large <= 1.5 * small and large <= 20


@pytest.mark.parametrize(
    ("mesh", "bound"),
    [
        (pl.meshes.annulus(1.0, 2.0, (90, 15)), 20),
        (pl.meshes.rectangle((4, 1), (48, 12), kind="quad"), 20),
        (beam((16, 5, 5), kind="hex"), 20),
        (graded(beam((20, 6, 6))), 30),  # one spacing for cells of all sizes: slower, not lost
        (beam((24, 2, 2)), 30),
    ],
)
def test_other_meshes_converge_as_fast(mesh, bound):
    assert iterations(Elastic(mesh)) <= bound


def test_grids_made_at_rest_serve_a_bent_body():
    elastic = Elastic(beam((16, 5, 5)))
    x = bent(elastic.points, 80.0)
    turned = iterations(elastic, x)
    assert turned <= 25
    assert turned < 0.7 * iterations(elastic, x, frames=False, limit=300)


def test_solution_is_that_of_a_direct_solver():
    elastic = Elastic(beam((8, 3, 3)))
    _, u, (A, rhs) = elastic.solve(bent(elastic.points, 30.0), weight=WEIGHT, rtol=1e-10)
    exact = sla.spsolve(A.tocsc(), rhs.ravel()).reshape(u.shape)
    np.testing.assert_allclose(u, exact, atol=1e-8 * np.abs(exact).max())


def test_cycle_is_symmetric_and_positive():
    elastic = Elastic(beam((8, 3, 3)))
    blocks, _ = elastic.system(elastic.points, WEIGHT)
    elastic.multigrid.load(blocks, weight=WEIGHT)
    a, b = (elastic.random(seed) for seed in (1, 2))
    Ba, Bb = (elastic.applied(v) for v in (a, b))
    np.testing.assert_allclose(np.vdot(a, Bb), np.vdot(b, Ba), rtol=1e-9)
    assert np.vdot(a, Ba) > 0.0 and np.vdot(b, Bb) > 0.0


def test_one_refresh_serves_any_weight():
    elastic = Elastic(beam((12, 4, 4)))
    for weight in (4.0, 5.0, 3600.0, 1e6, 0.0):
        report, _, _ = elastic.solve(elastic.points, weight=weight)
        assert report.converged and report.iterations <= 20


def test_stiffness_of_the_grids_is_that_of_their_functions():
    """Where grid cells are unions of mesh cells the grid's matrix is P^T K P, exactly."""
    elastic = Elastic(beam((8, 4, 4), kind="hex"))
    blocks, _ = elastic.system(elastic.points, 0.0)
    elastic.multigrid.load(blocks, weight=0.0)
    K = elastic.pattern.matrix(elastic.stiffness(elastic.points))
    P = np.kron(elastic.grids.levels[0].interpolation().toarray(), np.eye(3))
    level = elastic.multigrid.levels[0]
    found = level.pattern.matrix(level.K.numpy()).toarray()
    np.testing.assert_allclose(found, P.T @ (K @ P), atol=1e-9 * np.abs(found).max())


def test_float32_in_slices_reaches_what_float64_asks():
    """By differences of neighbours: products of smooth fields in float32 would be far worse."""
    elastic = Elastic(beam((16, 5, 5)), dtype=wp.float32, sliced=True)
    report, u, (A, rhs) = elastic.solve(elastic.points, weight=WEIGHT, rtol=1e-5)
    assert report.converged
    left = np.linalg.norm(rhs.ravel() - A @ u.ravel()) / np.linalg.norm(rhs)
    assert left < 1e-4  # float32 rounds to 1e-7, the condition of the matrix is 1e5


def test_slices_in_two_dimensions():
    mesh = pl.meshes.rectangle((4, 1), (24, 6))
    plain, sliced = (Elastic(mesh, sliced=s).solve(mesh.points, weight=WEIGHT) for s in (0, 1))
    assert plain[0].iterations == sliced[0].iterations
    np.testing.assert_allclose(plain[1], sliced[1], atol=1e-9 * np.abs(plain[1]).max())


def test_a_mesh_of_one_cell_is_one_grid_cell():
    mesh = pl.meshes.box((1, 1, 1), (1, 1, 1))
    assert Elastic(mesh).solve(mesh.points, weight=WEIGHT)[0].converged


@pytest.mark.gpu
@pytest.mark.skipif(not wp.is_cuda_available(), reason="needs a CUDA device")
def test_cuda_solves_what_the_cpu_solves():
    mesh = beam((16, 5, 5))
    x = bent(mesh.points, 60.0)
    host, there = (
        Elastic(mesh, **options).solve(x, weight=WEIGHT, rtol=1e-5)
        for options in ({}, {"device": "cuda", "dtype": wp.float32})
    )
    # A cycle in float32 is linear and symmetric to 1e-5 only, which costs a few directions.
    assert there[0].converged and there[0].iterations <= 1.3 * host[0].iterations
    np.testing.assert_allclose(there[1], host[1], atol=1e-3 * np.abs(host[1]).max())


def test_needs_no_more_than_the_interface():
    """`Multigrid.refresh` takes any function that fills the cells of the first grid."""
    elastic = Elastic(beam((8, 3, 3)))
    before = elastic.multigrid.levels[0].K.numpy().copy()
    stiffness = elastic.multigrid.cells.numpy().copy()

    def add(multigrid: Multigrid) -> None:
        multigrid.cells.assign(2.0 * stiffness)

    elastic.multigrid.refresh(add)
    np.testing.assert_allclose(elastic.multigrid.levels[0].K.numpy(), 2.0 * before, rtol=1e-12)


@pytest.mark.parametrize("dtype, rounding", [(wp.float64, 1e-12), (wp.float32, 1e-5)])
def test_terms_come_to_every_grid_as_to_the_points(dtype, rounding):
    """K of each grid grows by P^T Q^T H Q P, also by what couples points far from each other."""
    mesh = beam((8, 4, 4))
    elastic, rng = Elastic(mesh), np.random.default_rng(0)
    n, dim = mesh.points.shape
    kinds = [np.arange(n)[:, None], rng.integers(0, n, (7, 2)), rng.integers(0, n, (3, 3))]
    grids = Grids(mesh.points, list(mesh.cells.values()), elastic.free, also=kinds, coarsest=12)
    multigrid = Multigrid(grids, elastic.pattern, elastic.masses, dtype=dtype)
    assert len(multigrid.levels) >= 2
    turns = np.linalg.qr(rng.standard_normal((n, dim, dim)))[0]
    double, H = wp.types.matrix((dim, dim), wp.float64), np.zeros((n * dim, n * dim))
    terms = []
    for stencils in kinds:
        k = stencils.shape[1]
        blocks = rng.standard_normal((len(stencils), k, k, dim, dim))
        blocks[: len(blocks) // 3] = 0.0
        for points, own in zip(stencils, blocks, strict=True):
            at = (dim * points[:, None] + np.arange(dim)).ravel()
            np.add.at(H, (at[:, None], at), own.swapaxes(1, 2).reshape(k * dim, k * dim))
        arrays = (
            wp.array(stencils, dtype=wp.int32),
            wp.array(blocks.reshape(-1, dim, dim), dtype=double),
            wp.array(turns, dtype=double),
        )
        terms.append(arrays)

    def add(m: Multigrid) -> None:
        for arrays in terms:
            m.add_terms(0.5, *arrays)

    multigrid.refresh(add)
    P = sp.block_diag(list(turns)) @ sp.identity(n * dim)
    for grid, level in zip(grids.levels, multigrid.levels, strict=True):
        P = P @ sp.kron(grid.interpolation(), sp.identity(dim))
        wanted = 0.5 * P.T @ H @ P
        found = grid.pattern.matrix(level.K.numpy()).toarray()
        np.testing.assert_allclose(found, wanted, atol=rounding * np.abs(wanted).max())
    multigrid.refresh(lambda m: None)
    assert not any(level.K.numpy().any() for level in multigrid.levels)
