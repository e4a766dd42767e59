"""Second derivatives that a constant moment does no work on."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

#: A surface is flat where tangents of neighbours differ by less than this. On a curved one no moment
#: is constant, and to balance what should not be in balance spoils its curvature at rest.
FLAT = 1e-6


def balanced(
    uv: np.ndarray,
    stencils: np.ndarray,
    operators: np.ndarray,
    sizes: np.ndarray,
    free: np.ndarray,
) -> np.ndarray:
    """The operators (terms, 5, k), the last three changed as little as makes them balance.

        sum_t size_t L_ti = 0   for every point i that is free, as integral phi,11 dA = 0

    Where it does not hold, as on uneven meshes, a sheet wrinkles under a constant moment, and bends
    too easily at any fineness. Each term goes on to know all quadratics exactly. uv: where the points
    of each term are in its tangents (terms, k, 2); free: mask of points (n,).
    """
    terms, k = stencils.shape
    used = np.ones((terms, k), dtype=bool)
    used[:, 1:] = stencils[:, 1:] != stencils[:, :1]  # the rest is padding
    node, term = stencils[used], np.repeat(np.arange(terms), k)[used.ravel()]
    held = free[node]
    area = sizes[term] / sizes.mean()
    row = np.cumsum(free) - 1
    count, unknown = int(free.sum()), np.arange(len(node))
    sums = sp.csr_matrix((area[held], (row[node[held]], unknown[held])), (count, len(node)))
    second = np.moveaxis(operators[:, 2:], 1, 2)[used]  # (unknowns, 3)
    left = sums @ second
    if np.abs(left).max(initial=0.0) <= 1e-9 * np.abs(second).max():
        return operators
    place = uv / np.sqrt((uv**2).sum(axis=2).max(axis=1))[:, None, None]
    u, v = place[used].T
    quadratics = np.stack([np.ones_like(u), u, v, u * u, v * v, u * v], axis=1)
    rows = (6 * term[:, None] + np.arange(6)).ravel()
    exact = sp.csr_matrix(
        (quadratics.ravel(), (rows, np.repeat(unknown, 6))), (6 * terms, len(node))
    )
    both = sp.vstack([exact, sums]).tocsc()
    # Some conditions follow from others, which the shift forgives.
    normal = (both @ both.T + 1e-10 * sp.identity(both.shape[0])).tocsc()
    wanted = np.concatenate([np.zeros((6 * terms, 3)), -left])
    out = np.moveaxis(operators, 1, 2).copy()
    out[used, 2:] += both.T @ splu(normal).solve(wanted)
    return np.moveaxis(out, 2, 1)


def flat(axes: np.ndarray, stencils: np.ndarray, points: int) -> np.ndarray:
    """Mask of points all of whose terms lie as the one at the point does, (points,)."""
    frame = np.full((points, 3, 2), np.nan)
    frame[stencils[:, 0]] = axes
    turned = np.swapaxes(axes, 1, 2)[:, None] @ frame[stencils] - np.eye(2)
    most = np.zeros(points)
    np.maximum.at(most, stencils, np.nan_to_num(np.abs(turned).max(axis=(2, 3)), nan=np.inf))
    return most < FLAT
