"""Sparse matrices less a few outer products."""

import numpy as np
import pytest
import scipy.sparse as sp

from pliant.solvers import Complement, KeptPreconditioner, LowRankUpdate, lowest_modes, updated


def chain(n=40, d=3, r=2, seed=0):
    """A chain's stiffness in space, and columns that leave it definite but a hundredth of itself."""
    rng = np.random.default_rng(seed)
    links = sp.diags([2.0 * np.ones(n), -np.ones(n - 1), -np.ones(n - 1)], [0, 1, -1])
    sparse = sp.kron(links, np.eye(d)).tobsr((d, d)) + sp.identity(n * d).tobsr((d, d))
    columns = rng.standard_normal((n * d, r))
    inner = columns.T @ np.linalg.solve(sparse.toarray(), columns)
    values, turn = np.linalg.eigh(inner)
    return sparse.tobsr((d, d)), columns @ (turn * np.sqrt(0.99 / values)) @ turn.T, rng


def test_products_diagonal_and_sums_are_those_of_the_full_matrix():
    sparse, columns, rng = chain()
    matrix, full = LowRankUpdate(sparse, columns), sparse.toarray() - columns @ columns.T
    u = rng.standard_normal(len(columns))
    np.testing.assert_allclose(matrix @ u, full @ u, atol=1e-12)
    np.testing.assert_allclose(matrix.diagonal(), np.diag(full), atol=1e-13)
    np.testing.assert_allclose(matrix.toarray(), full, atol=1e-13)
    shift = sp.diags(np.ones(len(columns))).tobsr(sparse.blocksize)
    np.testing.assert_allclose((matrix + shift) @ u, full @ u + u, atol=1e-12)


def test_no_columns_leave_the_sparse_matrix():
    sparse, columns, _ = chain()
    assert updated(sparse, None) is sparse and updated(sparse, columns[:, :0]) is sparse


@pytest.mark.parametrize("r", [1, 2, 5])
def test_a_kept_factor_solves_it_in_one_step(r):
    sparse, columns, rng = chain(r=r)
    matrix = LowRankUpdate(sparse, columns)
    b = rng.standard_normal(len(columns))
    none = Complement.of(np.zeros((len(b), 0)), np.ones(len(b)))
    kept = KeptPreconditioner(rng.uniform(size=(len(b) // 3, 3)), lambda: np.ones((len(b), 1)))
    x, report = kept.solve(matrix, b, rtol=1e-10, complement=none)
    # The preconditioner is the inverse: what a second step adds is rounding.
    assert report.converged and report.iterations <= 2
    np.testing.assert_allclose(matrix.toarray() @ x, b, atol=1e-8)


def test_an_indefinite_matrix_is_told():
    sparse, columns, rng = chain()
    matrix = LowRankUpdate(sparse, 1.5 * columns)
    assert np.linalg.eigvalsh(matrix.toarray()).min() < 0.0
    b = columns[:, 0]
    none = Complement.of(np.zeros((len(b), 0)), np.ones(len(b)))
    kept = KeptPreconditioner(rng.uniform(size=(len(b) // 3, 3)), lambda: np.ones((len(b), 1)))
    report = kept.solve(matrix, b, rtol=1e-10, complement=none)[1]
    assert report.indefinite


@pytest.mark.parametrize("n", [40, 150])  # dense, and by shift-invert
def test_lowest_modes_are_those_of_the_full_matrix(n):
    sparse, columns, rng = chain(n=n)
    matrix, masses = LowRankUpdate(sparse, columns), rng.uniform(1.0, 2.0, 3 * n)
    none = Complement.of(np.zeros((3 * n, 0)), masses)
    kept = KeptPreconditioner(rng.uniform(size=(n, 3)), lambda: np.ones((3 * n, 1)))
    values, _ = lowest_modes(matrix, masses, count=3, complement=none, linear=kept)
    root = np.sqrt(masses)
    exact = np.linalg.eigvalsh(matrix.toarray() / root / root[:, None])[:3]
    np.testing.assert_allclose(values, exact, rtol=1e-7)
    plain = np.linalg.eigvalsh(sparse.toarray() / root / root[:, None])[0]
    assert values[0] < 0.5 * plain  # or the columns did nothing
