"""Interpolation from nested lattices to points, for bodies that are not made of solid cells."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import scipy.sparse as sp

#: Weights below this are rounding; a node that no point needs more is left out.
ON_LINE = 1e-6
#: A lattice that keeps more than this share of the nodes of the last is of no help.
WORTHWHILE = 0.7
#: How often a first lattice that is of no help is made wider, and an end to all lattices.
WIDER_STEPS, LEVELS = 3, 40
#: The lattice is at most this much finer along one axis than along another.
UNEVEN = 0.5


def interpolations(
    points: np.ndarray,
    stencils: Sequence[np.ndarray],
    free: np.ndarray,
    *,
    coarsest: int = 20,
    spacing: float = 2.0,
) -> list[sp.csr_matrix]:
    """The matrices P of u = P u_coarse, from each lattice to the next finer one, then to the points.

        u(X) = sum_I W_I(X) u_I,   W_I multilinear in each cell of a lattice of spacing 2h, 4h, ...

    h: the mean extent of the smallest terms along each axis, without those that have none, so that
    a regular mesh has every second line of points on the lattice and few weights. Sheets and lines
    have lattices of their own dimension. Rows of pinned points are empty. coarsest: how many nodes
    the last may have.
    """
    x = _within(points)
    # Obstacles push single points, and the two sides of what is open lie on each other.
    extended = [s for s in stencils if s.shape[1] > 1 and np.ptp(x[s], axis=1).any()]
    if not extended:
        return []
    fewest = min(s.shape[1] for s in extended)
    sizes = np.concatenate([np.ptp(x[s], axis=1) for s in extended if s.shape[1] == fewest])
    reach = sizes > 1e-6 * sizes.max()  # lines along one axis say nothing of the others
    mean = (sizes * reach).sum(axis=0) / np.maximum(reach.sum(axis=0), 1)
    step = spacing * np.maximum(mean, UNEVEN * mean.max())
    found: list[sp.csr_matrix] = []
    at = (x - x.min(axis=0)) / step
    use = np.asarray(free, dtype=float)
    for turn in range(LEVELS):
        matrix, nodes = _multilinear(at, use)
        if matrix.shape[1] > WORTHWHILE * matrix.shape[0]:
            if found or turn == WIDER_STEPS:
                return found
            at /= 1.5
            continue
        found.append(matrix)
        if matrix.shape[1] <= coarsest:
            return found
        at, use = 0.5 * nodes, np.ones(len(nodes))
    return found


def _multilinear(at: np.ndarray, use: np.ndarray) -> tuple[sp.csr_matrix, np.ndarray]:
    """The weights of the corners of the cell that each point lies in, and the corners."""
    near = np.rint(at)
    at = np.where(np.abs(at - near) < ON_LINE, near, at)  # on a line of the lattice, up to rounding
    low = np.floor(at).astype(np.int64)
    share = at - low
    size = low.max(axis=0) + 2
    rows, keys, weights = [], [], []
    for corner in product((0, 1), repeat=at.shape[1]):
        w = use * np.prod(np.where(np.array(corner) == 1, share, 1.0 - share), axis=1)
        kept = np.flatnonzero(w > ON_LINE)
        rows.append(kept)
        keys.append(np.ravel_multi_index(tuple((low[kept] + corner).T), tuple(size)))
        weights.append(w[kept])
    occupied, columns = np.unique(np.concatenate(keys), return_inverse=True)
    shape = (len(at), len(occupied))
    matrix = sp.csr_matrix((np.concatenate(weights), (np.concatenate(rows), columns)), shape=shape)
    matrix.sort_indices()
    return matrix, np.stack(np.unravel_index(occupied, tuple(size)), axis=1).astype(float)


def _within(points: np.ndarray) -> np.ndarray:
    """Coordinates along as many axes as the points have extent, near the axes of space."""
    centred = points - points.mean(axis=0)
    values, vectors = np.linalg.eigh(centred.T @ centred)
    spanned = vectors[:, values > 1e-12 * values[-1]]
    if spanned.shape[1] == points.shape[1]:
        return points
    onto = spanned @ spanned.T  # columns: the axes of space, as far as they are spanned
    nearest = np.argsort(-np.diagonal(onto), kind="stable")[: spanned.shape[1]]
    basis = np.linalg.qr(onto[:, np.sort(nearest)])[0]
    return np.asarray(points @ basis)
