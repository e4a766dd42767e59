"""Inverses of small dense matrices."""

import numpy as np
from scipy.linalg import solve_triangular


def inverse_of(A: np.ndarray, cut: float) -> np.ndarray:
    """The inverse of A, or its pseudo-inverse without what is below `cut` when A has unit diagonal.

    What is negative in A is left out too: the result is positive semi-definite whatever A is.
    """
    root = np.sqrt(np.abs(np.diagonal(A)))
    root = np.where(root > 0.0, root, 1.0)
    scaled = A / root[:, None] / root[None, :]
    try:
        lower = np.linalg.cholesky(scaled)
        if np.diagonal(lower).min() ** 2 < cut:
            raise np.linalg.LinAlgError
        half = solve_triangular(lower, np.diag(1.0 / root), lower=True)
        out: np.ndarray = half.T @ half
        return out
    except np.linalg.LinAlgError:
        values, vectors = np.linalg.eigh(scaled)
        kept = values > cut * values[-1]
        vectors = vectors[:, kept] / root[:, None]
        out = (vectors / values[kept]) @ vectors.T
        return out
