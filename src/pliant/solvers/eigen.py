"""The lowest vibration modes of a body."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sla

from .constraint import Complement
from .linear import KeptPreconditioner
from .newton import LinearSolver


def lowest_modes(
    stiffness: sp.bsr_matrix,
    masses: np.ndarray,
    *,
    count: int,
    complement: Complement,
    linear: KeptPreconditioner,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the smallest eigenvalues of K phi = lambda M phi on {phi : R^T M phi = 0}.

    Rigid motions are excluded by the constraint and never by a threshold: a hinged body that
    swings under gravity has a small eigenvalue that is real. Shift-invert Lanczos, with the inverse
    applied by preconditioned CG; `masses` has one entry per unknown. K must be positive definite
    there (`is_stable`).
    """
    n = stiffness.shape[0]
    available = n - complement.rank
    if count > available:
        raise ValueError(f"got count={count} modes; the body has only {available} free motions")
    if n < 400:
        return _dense(stiffness, masses, count, complement)
    root = np.sqrt(masses)

    def inverse(b: np.ndarray) -> np.ndarray:
        y, _ = linear.solve(stiffness, root * b, rtol=1e-11, complement=complement)
        return np.asarray(root * y)

    start = complement.project(np.random.default_rng(0).standard_normal(n)) * root
    operator = sla.LinearOperator((n, n), matvec=inverse, dtype=float)
    inverses, vectors = sla.eigsh(operator, k=count, which="LA", v0=start, tol=1e-9)
    order = np.argsort(-inverses)
    return 1.0 / inverses[order], vectors[:, order] / root[:, None]


def is_stable(
    objective: Any, x: Any, linear: LinearSolver, *, rtol: float = 1e-6, push: Any = None
) -> bool:
    """Whether the Hessian at x is positive definite along the directions that are searched.

    Tested by conjugate gradients on a random load, or on `push`, which is used up. They are a
    Lanczos process: a negative eigenvalue shows as negative curvature long before the residual is
    small. Costs a dozen products, not an eigenvalue problem.
    """
    if push is None:
        push = np.random.default_rng(0).standard_normal(x.shape)
    rhs = objective.admitted_force(push)

    def passes() -> bool:
        linear.assemble(objective, x, project=False)
        _, report = linear.solve(rhs, rtol=rtol)
        return report.converged and not report.indefinite

    if passes():
        return True
    linear.forget()  # a worn preconditioner can look like instability: only a fresh one is proof
    stable = passes()
    linear.forget()
    return stable


def has_positive_pivots(matrix: sp.spmatrix) -> bool:
    """Whether a symmetric matrix is positive definite by more than rounding.

    By the signs of its pivots, of which as many are negative as eigenvalues are (Sylvester). Slower than
    `is_stable`, whose conjugate gradients do not converge where a hair bends 1e14 times more easily
    than it stretches.
    """
    least = 8.0 * np.finfo(float).eps * np.abs(matrix.diagonal()).max()
    shifted = (matrix - least * sp.identity(matrix.shape[0])).tocsc()
    try:
        factor = sla.splu(
            shifted,
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )
    except RuntimeError:  # exactly singular
        return False
    return bool((factor.U.diagonal() > 0.0).all() and np.array_equal(factor.perm_r, factor.perm_c))


def _dense(
    stiffness: sp.bsr_matrix, masses: np.ndarray, count: int, complement: Complement
) -> tuple[np.ndarray, np.ndarray]:
    root = np.sqrt(masses)
    a = stiffness.toarray() / root[:, None] / root[None, :]
    if complement.rank:
        q = (complement.basis * root).T
        basis = np.linalg.svd(q, full_matrices=True)[0][:, complement.rank :]
        values, vectors = np.linalg.eigh(basis.T @ a @ basis)
        vectors = basis @ vectors
    else:
        values, vectors = np.linalg.eigh(a)
    return values[:count], vectors[:, :count] / root[:, None]
