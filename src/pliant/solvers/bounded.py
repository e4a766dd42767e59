"""Small quadratic programs in which some unknowns have one sign."""

from __future__ import annotations

import numpy as np
import scipy.linalg as la

Array = np.ndarray
#: Rounds in which the active set usually is found; else it is found one unknown at a time.
ROUNDS = 20


def one_sided(A: Array, b: Array, bounded: Array) -> Array:
    """The f that minimises f.A f/2 - f.b with f <= 0 where `bounded`, (s,).

    A, (s, s), is symmetric and positive. Primal-dual active sets; where they turn in circles,
    non-negative least squares in the norm of A. If nothing is bounded A need not be symmetric.
    """
    out = np.zeros(len(b))
    inside = np.ones(len(b), dtype=bool)
    for _ in range(ROUNDS):
        out[:] = 0.0
        if inside.any():
            out[inside] = np.linalg.solve(A[np.ix_(inside, inside)], b[inside])
        if not bounded.any():
            return out
        pulls = bounded & inside & (out > 0.0)
        slack = A @ out - b
        crossed = bounded & ~inside & (slack > 1e-12 * np.abs(b).max(initial=0.0))
        if not (pulls.any() or crossed.any()):
            return out
        inside = (inside & ~pulls) | crossed
    return _by_least_squares(A, b, bounded)


def _by_least_squares(A: Array, b: Array, bounded: Array) -> Array:
    """The same by non-negative least squares: the unknowns without bound are eliminated."""

    from scipy.optimize import nnls

    free = ~bounded
    S, r = A[np.ix_(bounded, bounded)], b[bounded]
    if free.any():
        across = np.linalg.solve(A[np.ix_(free, free)], A[np.ix_(free, bounded)])
        S = S - A[np.ix_(bounded, free)] @ across
        r = r - across.T @ b[free]
    L = np.linalg.cholesky(0.5 * (S + S.T))
    out = np.zeros(len(b))
    out[bounded] = -nnls(L.T, -la.solve_triangular(L, r, lower=True))[0]
    if free.any():
        rest = b[free] - A[np.ix_(free, bounded)] @ out[bounded]
        out[free] = np.linalg.solve(A[np.ix_(free, free)], rest)
    return out
