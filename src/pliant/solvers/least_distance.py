"""The shortest way that satisfies inequalities."""

from __future__ import annotations

import numpy as np


def shortest(rows: np.ndarray, needed: np.ndarray) -> np.ndarray:
    """The shortest s with rows . s >= needed, or zero if there is none; (k, d), (k,) to (d,).

    Source: [lawson1974] chapter 23, least distance programming.
    """

    from scipy.optimize import nnls

    scale = float(needed.max())
    if scale <= 0.0:
        return np.zeros(rows.shape[1])
    lhs = np.vstack([rows.T, needed / scale])
    rhs = np.r_[np.zeros(rows.shape[1]), 1.0]
    found, left = nnls(lhs, rhs)
    residual = lhs @ found - rhs
    if left <= 1e-9:
        return np.zeros(rows.shape[1])
    out: np.ndarray = -scale * residual[:-1] / residual[-1]
    return out
