"""Sums over pairs as numpy arrays, and pairs to try them on."""

from __future__ import annotations

import numpy as np
import warp as wp

from pliant.contact.closest import EDGE_EDGE, POINT_EDGE, POINT_POINT, POINT_TRIANGLE
from pliant.contact.pair_sums import PairSum
from pliant.contact.pairs import Pairs
from pliant.solvers import pair_matrix

#: Points of each kind of pair.
POINTS = {POINT_TRIANGLE: 4, EDGE_EDGE: 4, POINT_EDGE: 3, POINT_POINT: 2}


def pairs_of(kind, corners, law=(0.0, 1.0, 1.0, 0.0), planes=None):
    """Positions (n, d) and the pairs of separate points (pairs, k, d), all of one kind."""
    count, k, dim = corners.shape
    stencils = np.full((count, 4), -1)
    stencils[:, :k] = np.arange(count * k).reshape(count, k)
    laws = np.broadcast_to(np.asarray(law, dtype=float), (count, 4))
    kinds = np.full(count, kind)
    return corners.reshape(-1, dim), Pairs.of(stencils, kinds, laws, dim=dim, planes=planes)


class Sum:
    """Value, gradient and dense Hessian of a law over pairs."""

    def __init__(self, kernels, law, pairs, dim, count):
        self._sum = PairSum(kernels, dim, count, device="cpu")
        self._law, self._pairs, self._dim, self._count = law, pairs, dim, count
        self._vec = wp.types.vector(dim, wp.float64)
        self._mat = wp.types.matrix((dim, dim), wp.float64)

    def value(self, x):
        return self._sum.value(self._array(x), self._law, self._pairs)

    def gradient(self, x):
        g = wp.zeros(self._count, dtype=self._vec)
        self._sum.add_gradient(self._array(x), self._law, self._pairs, g)
        return g.numpy()

    def hessian(self, x, project=True):
        n = self._count
        slots = wp.array(np.arange(n).reshape(n, 1, 1), dtype=wp.int32)
        blocks = wp.zeros(n, dtype=self._mat)
        x = self._array(x)
        self._sum.add_diagonal(x, self._law, self._pairs, blocks, slots, project=project)
        others = [self._sum.off_diagonal(x, self._law, self._pairs, project=project)]
        out = pair_matrix(others, np.ones(n, dtype=bool), self._dim).toarray()
        out = out.reshape(n, self._dim, n, self._dim)
        out[np.arange(n), :, np.arange(n)] += blocks.numpy()
        return out.reshape(n * self._dim, -1)

    def _array(self, x):
        return wp.array(x, dtype=self._vec, device="cpu")


def slopes(f, x, h):
    """The derivative of f along every coordinate, by differences of fourth order."""
    out = []
    for k in range(x.size):
        e = np.zeros(x.size)
        e[k] = h
        e = e.reshape(x.shape)
        near, far = f(x + e) - f(x - e), f(x + 2 * e) - f(x - 2 * e)
        out.append((8.0 * near - far) / (12.0 * h))
    return np.array(out)
