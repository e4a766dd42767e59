"""A sparse matrix less a few outer products, which would fill it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

Apply = Callable[[np.ndarray], np.ndarray]


class LowRankUpdate:
    """The symmetric matrix  A = sparse - U U^T  of few columns U, which is never formed.

    Energies that share a few numbers among all cells, eliminated from the minimisation, have such
    Hessians. A product costs that of the sparse part and 2 r n; its inverse is Woodbury's.
    """

    def __init__(self, sparse: sp.bsr_matrix, columns: np.ndarray):
        self.sparse, self.columns = sparse, columns
        self.shape, self.blocksize = sparse.shape, sparse.blocksize

    def __matmul__(self, u: np.ndarray) -> np.ndarray:
        return np.asarray(self.sparse @ u - self.columns @ (self.columns.T @ u))

    def __add__(self, more: Any) -> LowRankUpdate:
        return LowRankUpdate(self.sparse + more, self.columns)

    def diagonal(self) -> np.ndarray:
        """Its diagonal."""
        return np.asarray(self.sparse.diagonal() - (self.columns**2).sum(axis=1))

    def toarray(self) -> np.ndarray:
        """The dense matrix, for small ones."""
        return np.asarray(self.sparse.toarray() - self.columns @ self.columns.T)

    def inverse(self, apply: Apply) -> Apply:
        """About the inverse of A, if `apply` is about that of its sparse part.

            A^-1 = S + S U (I - U^T S U)^-1 U^T S,    S = sparse^-1

        Positive if S is: where U^T S U reaches 1, as rounding and an S that is not exact can let it,
        it is held just below.
        """
        solved = np.stack([apply(u) for u in self.columns.T], axis=1)
        inner = self.columns.T @ solved
        values, turn = np.linalg.eigh(0.5 * (inner + inner.T))
        reach = solved @ (turn / np.sqrt(np.maximum(1.0 - values, 1e-8)))
        return lambda r: apply(r) + reach @ (reach.T @ r)


def updated(sparse: sp.bsr_matrix, columns: np.ndarray | None) -> Any:
    """`sparse` less the outer products of columns, if there are any."""
    return sparse if columns is None or not columns.shape[1] else LowRankUpdate(sparse, columns)
