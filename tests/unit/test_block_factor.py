"""The sparse factor of a matrix of blocks: exact, as sparse as its order, and told what it cannot do."""

import numpy as np
import pytest
import scipy.sparse as sp

from pliant.solvers.block_factor import BlockFactor
from pliant.solvers.dissection import nested_dissection


def lattice(side, dim, seed=0):
    """A symmetric matrix over a square lattice, and the points of that; its diagonal dominates."""
    points = np.stack(np.meshgrid(*[np.arange(side)] * 2, indexing="ij"), axis=-1).reshape(-1, 2)
    apart = np.abs(points[:, None] - points[None]).max(axis=2)
    graph = sp.csr_matrix(apart <= 1)
    blocks = np.random.default_rng(seed).standard_normal((graph.nnz, dim, dim))
    n = len(points)
    half = sp.bsr_matrix((blocks, graph.indices, graph.indptr), (n * dim, n * dim))
    matrix = half + half.T + 20.0 * dim * sp.identity(n * dim).tobsr((dim, dim))
    return matrix.tobsr((dim, dim)), points.astype(float)


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("side", [1, 2, 9])
def test_it_solves(dim, side):
    matrix, points = lattice(side, dim)
    order = nested_dissection(points, matrix.indptr, matrix.indices)
    factor = BlockFactor(matrix, order)
    b = np.random.default_rng(1).standard_normal(matrix.shape[0])
    x = factor.solve(b)
    assert np.abs(matrix @ x - b).max() < 1e-13  # rounding: the diagonal dominates
    assert np.array_equal(factor.solve(b), x)


def test_negative_pivots_are_no_obstacle():
    matrix, points = lattice(6, 3)
    turned = sp.diags(np.where(np.arange(matrix.shape[0]) % 7, 1.0, -1.0)).tobsr((3, 3))
    matrix = (turned @ matrix @ turned - 200.0 * sp.identity(matrix.shape[0])).tobsr((3, 3))
    assert np.linalg.eigvalsh(matrix.toarray())[0] < -100.0
    b = np.ones(matrix.shape[0])
    x = BlockFactor(matrix, np.arange(len(points))).solve(b)
    assert np.abs(matrix @ x - b).max() < 1e-12


def test_the_order_decides_how_many_blocks_there_are():
    matrix, points = lattice(40, 2)
    order = nested_dissection(points, matrix.indptr, matrix.indices)
    natural = BlockFactor(matrix, np.arange(len(points)))
    # Each row of a lattice that is eliminated row by row fills a band of 41 blocks below the diagonal.
    assert natural.blocks == pytest.approx(41 * len(points), rel=0.05)
    assert BlockFactor(matrix, order).blocks < 0.7 * natural.blocks


def test_a_pivot_of_zero_is_refused():
    matrix = sp.bsr_matrix((np.zeros((1, 3, 3)), [0], [0, 1]), (3, 3))
    with pytest.raises(RuntimeError, match="pivot"):
        BlockFactor(matrix, np.arange(1))
