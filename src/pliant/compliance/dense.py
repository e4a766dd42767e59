"""A compliance whose matrix is known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.mesh import Surface

from .base import Compliance

Array = np.ndarray


class DenseCompliance(Compliance):
    """A compliance of all nodes by all nodes.

    matrix [m/N], (n, 3, n, 3). weights, (m, n): points of the surface follow nodes by these, as sums;
    None: points are the nodes.
    """

    def __init__(
        self,
        nodes: Array,
        normals: Array,
        held: Array,
        surface: Surface,
        matrix: Array,
        weights: Array | None = None,
    ):
        super().__init__(nodes, normals, held, surface)
        self.matrix, self._weights = matrix, weights

    def solve(self, nodes: Sequence[int]) -> Array:
        """Columns of the matrix."""
        return self.matrix[:, :, list(nodes)]

    def columns(self, nodes: Array) -> Array:
        """The same: they are known."""
        return self.matrix[:, :, nodes]

    def block(self, nodes: Array, rows: Array | None = None) -> Array:
        """Rows and columns of the matrix."""
        rows = nodes if rows is None else rows
        return np.asarray(self.matrix[rows[:, None], :, nodes].transpose(0, 2, 1, 3))

    def shown(self, u: Array) -> Array:
        """Displacements of the points of the surface [m], (m, 3)."""
        return u if self._weights is None else np.asarray(self._weights @ u)
