"""Blocks of pairs in matrices of the host, and in products of a device."""

import numpy as np
import pytest
import scipy.sparse as sp
import warp as wp

from pliant.solvers import BlockPattern, Galerkin, PairBlocks, interpolations, pair_matrix
from pliant.solvers.conjugate import ConjugateGradients


def some_blocks(count, points, rng):
    """Blocks at random places, some twice, some not used."""
    rows, columns = rng.integers(0, points, (2, count)).astype(np.int32)
    above = rng.standard_normal((count, 3, 3))
    above[rows == columns] = 0.0
    mat = wp.types.matrix((3, 3), wp.float64)
    arrays = [wp.array(a, dtype=wp.int32, device="cpu") for a in (rows, columns)]
    return PairBlocks(*arrays, wp.array(above, dtype=mat, device="cpu"))


def dense(pairs, points):
    out = np.zeros((points, 3, points, 3))
    for i, j, block in zip(
        *(a.numpy() for a in (pairs.rows, pairs.columns, pairs.above)), strict=True
    ):
        if i != j:
            out[i, :, j] += block
            out[j, :, i] += block.T
    return out.reshape(3 * points, -1)


def test_matrices_have_both_triangles_and_no_pins():
    rng = np.random.default_rng(0)
    pairs = [some_blocks(40, 12, rng), some_blocks(0, 12, rng), some_blocks(25, 12, rng)]
    free = np.ones(12, dtype=bool)
    want = sum(dense(p, 12) for p in pairs)
    np.testing.assert_allclose(pair_matrix(pairs, free, 3).toarray(), want, atol=1e-14)
    free[[2, 7]] = False
    kept = np.repeat(free, 3)
    found = pair_matrix(pairs, free, 3)
    np.testing.assert_allclose(found.toarray(), want[kept][:, kept], atol=1e-14)
    assert found.blocksize == (3, 3) and pair_matrix([], free, 3).nnz == 0
    moved = pairs[0].shifted(5)
    np.testing.assert_allclose(dense(moved, 17)[15:, 15:], dense(pairs[0], 12), atol=1e-14)


@pytest.mark.parametrize("dtype", [wp.float64, pytest.param(wp.float32, marks=pytest.mark.slow)])
def test_conjugate_gradients_solve_with_pairs_that_change(dtype):
    """A net of springs, with blocks between points that are far apart in it."""
    n = 20
    line = np.arange(n * n).reshape(n, n)
    edges = np.concatenate(
        [
            np.stack([a.ravel(), b.ravel()], axis=1)
            for a, b in ((line[:-1], line[1:]), (line[:, :-1], line[:, 1:]))
        ]
    )
    x = np.array([(i, j, 0.0) for i in range(n) for j in range(n)])
    pattern, free = BlockPattern(n * n, [edges]), np.ones(n * n, dtype=bool)
    graph = sp.coo_matrix((np.ones(len(edges)), edges.T), (n * n, n * n))
    laplace = sp.csgraph.laplacian(graph + graph.T) + 0.1 * sp.identity(n * n)
    whole = sp.kron(laplace, np.eye(3)).tobsr((3, 3))
    galerkin = Galerkin(interpolations(x, [edges], free), pattern, 3, device="cpu", dtype=dtype)
    solver, rng = ConjugateGradients(galerkin), np.random.default_rng(1)
    mat, vec = wp.types.matrix((3, 3), wp.float64), wp.types.vector(3, wp.float64)
    for count in (0, 30, 2000, 5):
        # Each pair is k (e_i - e_j)(e_i - e_j)^T; its blocks on the diagonal are in the pattern.
        ends, k = rng.integers(0, n * n, (count, 2)), rng.uniform(0, 3, count)
        k[ends[:, 0] == ends[:, 1]] = 0.0
        own = np.bincount(ends.ravel(), np.repeat(k, 2), n * n) if count else np.zeros(n * n)
        blocks = whole.copy()
        blocks.sort_indices()
        values = blocks.data.copy()
        values[pattern.diagonal] += own[:, None, None] * np.eye(3)
        arrays = [wp.array(e.astype(np.int32), dtype=wp.int32, device="cpu") for e in ends.T]
        above = wp.array(-k[:, None, None] * np.eye(3), dtype=mat, device="cpu")
        pairs = [PairBlocks(*arrays, above)] if count else []
        A = pattern.matrix(values) + pair_matrix(pairs, free, 3)
        b = rng.standard_normal((n * n, 3))
        rhs, out = wp.array(b, dtype=vec, device="cpu"), wp.zeros(n * n, dtype=vec, device="cpu")
        given = wp.array(values, dtype=mat, device="cpu")
        report = solver.solve(given, rhs, out, rtol=1e-5, weight=0.0, pairs=pairs, limit=300)
        left = b.ravel() - A @ out.numpy().ravel()
        assert report.converged and np.linalg.norm(left) < 1e-4 * np.linalg.norm(b), count
