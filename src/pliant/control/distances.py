"""Between which members of a cluster forces along distances act."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.spatial import cKDTree

from pliant.problem import Points

from .clusters import Clusters

#: Up to this many points without connectivity all pairs are distances; else the nearest ones.
ALL_PAIRS, NEAREST = 200, 8


def nearest(points: Points, clusters: Clusters) -> np.ndarray:
    """Pairs of members of one cluster, (e, 2), that are near each other now."""
    found = []
    ends = np.r_[clusters.starts[1:], len(clusters.points)]
    for a, b in zip(clusters.starts, ends, strict=True):
        if b - a <= ALL_PAIRS:
            pairs = np.stack(np.triu_indices(b - a, 1), axis=1)
        else:
            x = points.x[clusters.points[a:b]]
            near = cKDTree(x).query(x, NEAREST + 1)[1][:, 1:]
            pairs = np.stack([np.repeat(np.arange(b - a), NEAREST), near.ravel()], axis=1)
            pairs = np.unique(np.sort(pairs, axis=1), axis=0)
        found.append(pairs + a)
    return np.concatenate(found)


def neighbours(pairs: np.ndarray, clusters: Clusters, n: int) -> np.ndarray:
    """The pairs of neighbours in each cluster, as numbers of members."""
    c, k = len(clusters.starts), len(clusters.points)
    if not (k and len(pairs)):
        return np.zeros((0, 2), dtype=int)
    where = sp.csr_matrix((np.arange(1, k + 1), (clusters.labels, clusters.points)), shape=(c, n))
    inside = sp.csr_matrix((np.ones(k), (clusters.points, clusters.labels)), shape=(n, c))
    both = inside[pairs[:, 0]].multiply(inside[pairs[:, 1]]).tocoo()  # (pair, cluster)
    i = np.asarray(where[both.col, pairs[both.row, 0]]).ravel()
    j = np.asarray(where[both.col, pairs[both.row, 1]]).ravel()
    return np.stack([i, j], axis=1).astype(int) - 1
