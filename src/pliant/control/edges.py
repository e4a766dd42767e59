"""Relative velocities of points that act on each other."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from pliant.problem import Points


@dataclass(frozen=True)
class Edges:
    """The connectivity matrix E, which has +1 and -1 in the row of every pair, and its transpose.

    direction, (e, d): of every pair, if only velocities along it count. Source: [schmedding2009] 3.
    """

    matrix: sp.csr_matrix  # (e, n)
    transposed: sp.csr_matrix
    direction: np.ndarray | None = None

    @classmethod
    def of(cls, points: Points) -> Edges:
        """The edges between points with pairs."""
        assert points.pairs is not None
        e = len(points.pairs)
        places = np.repeat(np.arange(e), 2), np.ravel(points.pairs)
        signs = np.tile([1.0, -1.0], e)
        matrix = sp.csr_matrix((signs, places), shape=(e, len(points)))
        return cls(matrix, matrix.T.tocsr())

    def along(self, x: np.ndarray) -> Edges:
        """The same with directions at x [m]. Pairs at one place have none."""
        apart = self.matrix @ x
        length = np.linalg.norm(apart, axis=1, keepdims=True)
        return replace(self, direction=apart / np.maximum(length, 1e-300))

    def times(self, v: np.ndarray) -> np.ndarray:
        """E^T P E v, (n, d)."""
        u = self.matrix @ v
        if self.direction is not None:
            u = np.einsum("ed,ed->e", u, self.direction)[:, None] * self.direction
        out: np.ndarray = self.transposed @ u
        return out
