"""Matrices in the order of their factors: the same entries, whatever pattern comes next."""

import numpy as np
import scipy.sparse as sp

from pliant.solvers.dissection import Ordered


def blocky(points, pairs, d=2, seed=0):
    rng = np.random.default_rng(seed)
    rows = np.concatenate([pairs[:, 0], pairs[:, 1], np.arange(points)])
    columns = np.concatenate([pairs[:, 1], pairs[:, 0], np.arange(points)])
    graph = sp.csr_matrix((np.ones(len(rows)), (rows, columns)), (points, points))
    blocks = rng.standard_normal((graph.nnz, d, d))
    blocks[0] = 0.0  # a block of zeros keeps its place
    return sp.bsr_matrix((blocks, graph.indices, graph.indptr), (points * d, points * d))


def test_entries_are_those_of_the_matrix_and_patterns_may_change():
    n = 60
    positions = np.random.default_rng(1).uniform(size=(n, 2))
    line = np.stack([np.arange(n - 1), np.arange(1, n)], axis=1)
    ring = np.concatenate([line, [[0, n - 1]]])
    ordered = Ordered(positions)
    for pairs, seed in ((line, 0), (line, 1), (ring, 2), (line, 3)):
        matrix = blocky(n, pairs, seed=seed)
        found, unknowns = ordered(matrix)
        assert np.array_equal(np.sort(unknowns), np.arange(2 * n))
        assert np.array_equal(found.toarray(), matrix.toarray()[np.ix_(unknowns, unknowns)])
