"""A sparse matrix with a few outer products, which would fill it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

Apply = Callable[[np.ndarray], np.ndarray]


class LowRankUpdate:
    """The symmetric matrix  A = sparse - U U^T + V V^T  of few columns, which is never formed.

    Energies that share a few numbers among all cells, eliminated from the minimisation, have such
    Hessians, and so has inertia that differs along a few motions. columns: U; added: V. A product
    costs that of the sparse part and 2 r n; its inverse is Woodbury's.
    """

    def __init__(self, sparse: sp.bsr_matrix, columns: np.ndarray, added: np.ndarray | None = None):
        self.sparse, self.columns = sparse, columns
        self.added = columns[:, :0] if added is None else added
        self.shape, self.blocksize = sparse.shape, sparse.blocksize

    def __matmul__(self, u: np.ndarray) -> np.ndarray:
        less, more = (c @ (c.T @ u) for c in (self.columns, self.added))
        return np.asarray(self.sparse @ u - less + more)

    def __add__(self, more: Any) -> LowRankUpdate:
        return LowRankUpdate(self.sparse + more, self.columns, self.added)

    def diagonal(self) -> np.ndarray:
        """Its diagonal."""
        less, more = ((c**2).sum(axis=1) for c in (self.columns, self.added))
        return np.asarray(self.sparse.diagonal() - less + more)

    def toarray(self) -> np.ndarray:
        """The dense matrix, for small ones."""
        less, more = (c @ c.T for c in (self.columns, self.added))
        return np.asarray(self.sparse.toarray() - less + more)

    def inverse(self, apply: Apply) -> Apply:
        """About the inverse of A, if `apply` is about that of its sparse part.

            (S^-1 + V V^T)^-1 = S - S V (I + V^T S V)^-1 V^T S
            (S^-1 - U U^T)^-1 = S + S U (I - U^T S U)^-1 U^T S

        Positive if S is: where U^T S U reaches 1, as rounding and an S that is not exact can let it,
        it is held just below.
        """
        for sign, columns in ((1.0, self.added), (-1.0, self.columns)):
            if columns.shape[1]:
                apply = _with_columns(apply, columns, sign)
        return apply


def _with_columns(apply: Apply, columns: np.ndarray, sign: float) -> Apply:
    """The inverse of a matrix to which sign times the products of columns are added."""
    solved = np.stack([apply(u) for u in columns.T], axis=1)
    inner = columns.T @ solved
    values, turn = np.linalg.eigh(0.5 * (inner + inner.T))
    reach = solved @ (turn / np.sqrt(np.maximum(1.0 + sign * values, 1e-8)))
    return lambda r: apply(r) - sign * (reach @ (reach.T @ r))


def updated(
    sparse: sp.bsr_matrix, columns: np.ndarray | None, added: np.ndarray | None = None
) -> Any:
    """`sparse` less the outer products of columns and with those of others, if there are any."""
    some = [c for c in (columns, added) if c is not None and c.shape[1]]
    if not some:
        return sparse
    return LowRankUpdate(sparse, some[0][:, :0] if columns is None else columns, added)
