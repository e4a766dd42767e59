"""Linear solvers and eigenvalues, against dense linear algebra."""

from dataclasses import dataclass

import numpy as np
import pytest
import scipy.sparse as sp

from pliant.backend import HostSpace
from pliant.solvers import (
    BlockPattern,
    Complement,
    Factored,
    KeptPreconditioner,
    Restriction,
    is_stable,
    lowest_modes,
)
from pliant.solvers.dissection import nested_dissection
from tests.unit.solved import bsr, nothing

RNG = np.random.default_rng


def grid_matrix(side=12, dim=2, seed=0):
    """A block-sparse SPD matrix on a square grid, with the positions of its points."""
    p = np.stack(np.meshgrid(np.arange(side), np.arange(side), indexing="ij"), -1).reshape(-1, 2)
    n, rng = len(p), RNG(seed)
    near = np.abs(p[:, None] - p[None]).sum(axis=2) == 1
    i, j = np.nonzero(np.triu(near))
    A = np.zeros((n * dim, n * dim))
    for a, b in zip(i, j, strict=True):  # springs with random SPD stiffness between neighbours
        s = rng.standard_normal((dim, dim))
        s = s @ s.T + 0.1 * np.eye(dim)
        for u, v, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
            A[u * dim : u * dim + dim, v * dim : v * dim + dim] += sign * s
    return p.astype(float), A


def solver(p, n):
    return KeptPreconditioner(p, lambda: np.ones((n, 1)))


# --- block patterns -------------------------------------------------------------------------


def test_pattern_assembles_what_dense_scatter_assembles():
    rng, points, dim = RNG(0), 9, 2
    stencils = [
        np.array([[0, 1, 2], [2, 1, 3], [4, 5, 6]], np.int32),
        np.array([[6, 7], [0, 7]], np.int32),
    ]
    pattern = BlockPattern(points, stencils)
    blocks, dense = np.zeros((len(pattern), dim, dim)), np.zeros((points, dim, points, dim))
    for s in stencils:
        local = rng.standard_normal((*s.shape, s.shape[1], dim, dim))
        np.add.at(blocks, pattern.slots(s), local)
        for t, nodes in enumerate(s):
            for a, i in enumerate(nodes):
                for b, j in enumerate(nodes):
                    dense[i, :, j] += local[t, a, b]
    dense = dense.reshape(points * dim, points * dim)
    assert np.abs(pattern.matrix(blocks).toarray() - dense).max() <= 1e-14
    assert np.abs(dense).max() > 1
    assert pattern.slots(np.array([[0, 8]], np.int32))[0, 0, 1] == -1  # they share no term
    # Point 8 is in no stencil; its diagonal block exists all the same, for its mass.
    assert (pattern.rows[pattern.diagonal] == np.arange(points)).all()
    assert (pattern.columns[pattern.diagonal] == np.arange(points)).all()
    free = np.array([True, False, True, True, True, False, True, True, True])
    cut = np.repeat(free, dim)
    restricted = Restriction(pattern, dim, free)
    assert restricted.size == cut.sum()
    assert np.array_equal(restricted.matrix(blocks).toarray(), dense[cut][:, cut])
    whole = Restriction(pattern, dim, np.ones(points, bool))
    assert np.array_equal(whole.matrix(blocks).toarray(), dense)


def test_complement_projects_as_its_definition_says():
    rng, n = RNG(1), 14
    R, m = rng.standard_normal((n, 3)), rng.uniform(0.5, 2, n)
    c, v = Complement.of(R, m), rng.standard_normal(n)
    assert np.abs(R.T @ (m * c.project(v))).max() <= 1e-13
    assert np.abs(R.T @ c.project_force(v)).max() <= 1e-13  # no net effect on the motions
    assert np.abs(c.project(c.project(v)) - c.project(v)).max() <= 1e-13
    w = rng.standard_normal(n)
    assert c.project(v) @ w == pytest.approx(v @ c.project_force(w), rel=1e-12)  # transposes
    assert np.array_equal(nothing(n).project(v), v)


# --- ordering -------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [1, 2, 7, 20])
def test_nested_dissection_is_a_permutation_that_reduces_fill(side):
    p, A = grid_matrix(side)
    matrix = bsr(A + np.eye(len(A)))
    order = nested_dissection(p, matrix.indptr, matrix.indices, leaf=8)
    assert np.array_equal(np.sort(order), np.arange(side * side))
    if side == 20:

        def fill(o):
            q = (o[:, None] * 2 + np.arange(2)).ravel()
            dense = (A + np.eye(len(A)))[np.ix_(q, q)]
            return int((np.abs(np.linalg.cholesky(dense)) > 1e-12).sum())

        # By rows a band of 20 points fills; dissection of a 20 x 20 grid takes about two thirds.
        assert fill(order) < 0.8 * fill(np.arange(side * side))


def test_nested_dissection_survives_coincident_points():
    p = np.zeros((100, 2))
    matrix = bsr(np.eye(200))
    assert np.array_equal(
        np.sort(nested_dissection(p, matrix.indptr, matrix.indices)), np.arange(100)
    )


# --- linear solves --------------------------------------------------------------------------


def test_kept_preconditioner_solves_to_the_asked_accuracy_and_renews_when_worn():
    p, A = grid_matrix()
    n, rng = len(A), RNG(2)
    linear = solver(p, n)
    b = rng.standard_normal(n)
    iterations = []
    for k in range(20):
        # Drifting stiffness, as over a simulation: the factor wears out.
        drift = np.exp(0.05 * k * np.sin(np.arange(n)))
        B = A * np.sqrt(np.outer(drift, drift)) + np.diag(0.1 * drift)
        x, report = linear.solve(bsr(B), b, rtol=1e-10, complement=nothing(n))
        assert report.converged and not report.indefinite
        assert np.linalg.norm(B @ x - b) <= 2e-10 * np.linalg.norm(b)  # twice: recursive residual
        iterations.append(report.iterations)
    assert iterations[0] <= 2  # a fresh factor is exact
    assert max(iterations) > 5  # it did wear
    assert 2 <= linear.renewals <= 12  # and was renewed, but not every time


def test_solve_on_a_complement_of_a_singular_matrix():
    """A free body: constants are the null space, excluded in the mass metric."""
    p, A = grid_matrix(8)
    n, rng = len(A), RNG(3)
    R = np.tile(np.eye(2), (n // 2, 1))
    assert np.abs(A @ R).max() <= 1e-12
    m = np.repeat(rng.uniform(0.5, 2, n // 2), 2)
    complement, b = Complement.of(R, m), rng.standard_normal(n)
    x, report = solver(p, n).solve(bsr(A), b, rtol=1e-10, complement=complement)
    assert report.converged
    # The dense answer from the bordered system [A, M R; R^T M, 0].
    MR = m[:, None] * R
    border = np.block([[A, MR], [MR.T, np.zeros((2, 2))]])
    exact = np.linalg.solve(border, np.r_[b, 0, 0])[:n]
    assert np.abs(x - exact).max() <= 1e-7 * np.abs(exact).max()  # rtol times the condition, 1e3
    assert np.abs(R.T @ (m * x)).max() <= 1e-12 * np.abs(x).max() * m.sum()


@pytest.mark.parametrize("negative", [-1e-3, -1.0, -30.0])
def test_negative_curvature_is_noticed(negative):
    """Made from a definite neighbour, the preconditioner cannot hide a negative eigenvalue."""
    p, A = grid_matrix(6)
    n = len(A)
    A = A + np.eye(n)
    values, vectors = np.linalg.eigh(A)
    v = vectors[:, n // 2]
    B = A + (negative - values[n // 2]) * np.outer(v, v)
    definite = bsr(A)
    b = RNG(4).standard_normal(n)
    linear = solver(p, n)
    _, report = linear.solve(bsr(B), b, rtol=1e-8, complement=nothing(n), definite=lambda: definite)
    assert report.indefinite and not report.converged
    start = np.zeros((n // 2, 2))
    assert not is_stable(Bowl(B, definite), start, Factored(solver(p, n)))
    assert is_stable(Bowl(A, definite), start, Factored(solver(p, n)))


@dataclass
class Bowl:
    """A quadratic function of which only the Hessian matters."""

    hessian: np.ndarray
    definite: sp.bsr_matrix

    def __post_init__(self):
        self.free = np.ones(len(self.hessian) // 2, dtype=bool)
        self.complement = nothing(len(self.hessian))
        self.vectors, self.stiffness = HostSpace(), 1.0

    def matrix(self, x, project):
        return self.definite if project else bsr(self.hessian)

    def frames(self, x):
        return None

    def admitted_force(self, g):
        return g


# --- eigenvalues ----------------------------------------------------------------------------


@pytest.mark.parametrize("side", [6, 16], ids=["dense", "lanczos"])
@pytest.mark.parametrize("free", [False, True], ids=["clamped", "free"])
def test_lowest_modes_match_dense_ones(side, free):
    p, A = grid_matrix(side)
    n = len(A)
    m = np.repeat(RNG(5).uniform(0.5, 2, n // 2), 2)
    if not free:
        A = A + np.diag(np.repeat(1.0 * (p[:, 0] == 0), 2))
    R = np.tile(np.eye(2), (n // 2, 1)) if free else np.zeros((n, 0))
    values, vectors = lowest_modes(
        bsr(A), m, count=3, complement=Complement.of(R, m), linear=solver(p, n)
    )
    exact = np.linalg.eigvalsh(A / np.sqrt(np.outer(m, m)))
    if free:
        assert np.abs(exact[:2]).max() <= 1e-10 * exact[2]  # the zero modes, left out below
        exact = exact[2:]
    assert values == pytest.approx(exact[:3], rel=1e-7)
    residual = A @ vectors - m[:, None] * vectors * values
    assert np.abs(residual).max() <= 1e-6 * np.abs(A @ vectors).max()
    assert np.abs(R.T @ (m[:, None] * vectors)).max(initial=0) <= 1e-9 * m.sum()


def test_more_modes_than_motions_are_refused():
    p, A = grid_matrix(2)
    R = np.tile(np.eye(2), (4, 1))
    with pytest.raises(ValueError, match=r"count=7.*only 6"):
        lowest_modes(
            bsr(A),
            np.ones(8),
            count=7,
            complement=Complement.of(R, np.ones(8)),
            linear=solver(p, 8),
        )
