"""Cuts closed again: where the points that a cut will make are before it."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from pliant.mesh import MeshChange

#: A blade takes away less than this, as a share of an edge.
BLADE = 0.1


def closed(change: MeshChange) -> MeshChange:
    """A change whose cut has no width, so that both of its sides are at one place.

    A point that is nearly an old one is that. Points between the same old ones, with nearly the same
    weights, are at the mean of them: the two sides of a blade.
    """
    matrix = csr_array(change.points, copy=True)
    matrix.sort_indices()
    starts, weights = matrix.indptr[:-1].astype(np.int64), matrix.data.copy()
    counts = np.diff(matrix.indptr)
    row = np.repeat(np.arange(len(counts)), counts)
    nearly = np.maximum.reduceat(weights, starts) > 1.0 - BLADE
    weights[nearly[row]] = weights[nearly[row]] > 1.0 - BLADE
    for count in np.unique(counts[~nearly]):
        rows = np.flatnonzero(~nearly & (counts == count))
        places = starts[rows][:, None] + np.arange(count)
        weights[places] = _together(matrix.indices[places], weights[places])
    found = csr_array((weights, matrix.indices, matrix.indptr), shape=matrix.shape)
    found.eliminate_zeros()
    return MeshChange(change.mesh, found, change.cells)


def _together(parents: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The weights of rows, each the mean of those of the same parents (r, k) with nearly the same."""
    order = np.lexsort((*weights.T, *parents.T))
    parents, ordered = parents[order], weights[order]
    near = (np.diff(parents, axis=0) == 0).all(axis=1)
    near &= (np.abs(np.diff(ordered, axis=0)) < BLADE).all(axis=1)
    group = np.concatenate([[0], np.cumsum(~near)])
    sums = np.zeros((group[-1] + 1, weights.shape[1]))
    np.add.at(sums, group, ordered)
    found = np.empty_like(weights)
    found[order] = (sums / np.bincount(group)[:, None])[group]
    return found
