"""The least change of operators that gives their sums over a body the values they should have."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from pliant.solvers import Ordered

#: Some conditions follow from others. So much of the diagonal forgives it.
SHIFT = 1e-10
#: Solutions that each mend what the shift left of the one before.
REFINEMENTS = 3

Array = np.ndarray


def least_change(
    stencils: Array,
    sizes: Array,
    left: Array,
    *,
    own: Array,
    known: Array,
    positions: Array,
    along: Array | None = None,
) -> Array:
    """Changes d (terms, k, b, r) of operators with b numbers for each of the k points of a term.

        minimise sum_t |d_t|^2   such that   sum_t size_t d_t[i] = left_i   for every point i

    stencils (terms, k): which points; of those that are -1 nothing is asked. sizes (terms,).
    left (points, b, r). What a term may change are the numbers that `own` (terms, k, b, b) projects
    on, and of these what is orthogonal to `known` (terms, k, b, q), columns of length one or zero.
    positions (points, d): where the points are, for a sparse factor. along (terms, r, r): projectors
    of the columns r that changes also obey; by default those are independent. Conditions that
    contradict each other are met in the sense of least squares.
    """
    terms, k, b, _ = known.shape
    n, _, r = left.shape
    asked = stencils >= 0
    both = asked[:, :, None] & asked[:, None, :]
    codes = (stencils[:, :, None] * n + stencils[:, None, :])[both]
    pairs, slot = np.unique(codes, return_inverse=True)
    free = _products(own, sizes[:, None, None, None] * known, sizes)
    c = b if along is None else b * r
    blocks = np.empty((len(pairs), c, c))
    for i in range(b):
        for j in range(b):
            product = free(i, j)
            if along is None:
                blocks[:, i, j] = np.bincount(slot, product[both], len(pairs))
                continue
            for p in range(r):
                for q in range(r):
                    entry = (product * along[:, p, q, None, None])[both]
                    blocks[:, i * r + p, j * r + q] = np.bincount(slot, entry, len(pairs))
    starts = np.searchsorted(pairs, np.arange(n + 1) * n)
    matrix = sp.bsr_matrix((blocks, pairs % n, starts), (c * n, c * n))
    multipliers = _solved(matrix, left.reshape(c * n, -1), positions).reshape(n, b, r)
    each = np.where(asked[..., None, None], multipliers[stencils], 0.0)
    if along is not None:
        each = each @ along[:, None]
    flat = known.reshape(terms, k * b, -1)
    seen = flat @ (flat.transpose(0, 2, 1) @ each.reshape(terms, k * b, r))
    out: Array = sizes[:, None, None, None] * (own @ each - seen.reshape(each.shape))
    return out


def _products(own: Array, known: Array, sizes: Array) -> Callable[[int, int], Array]:
    """Return a function of i, j: sizes^2 (own - known known^T)_ij between all points, (terms, k, k)."""
    diagonal = np.arange(known.shape[1])

    def free(i: int, j: int) -> Array:
        product: Array = -known[:, :, i] @ known[:, :, j].transpose(0, 2, 1)
        product[:, diagonal, diagonal] += sizes[:, None] ** 2 * own[:, :, i, j]
        return product

    return free


def _solved(matrix: sp.bsr_matrix, wanted: Array, positions: Array) -> Array:
    """x of least squares for matrix x = wanted, where the matrix may be singular."""
    ordered, unknowns = Ordered(positions)(matrix)
    shift = SHIFT * matrix.diagonal().max()
    shifted = (ordered + shift * sp.identity(matrix.shape[0])).tocsc()
    options = {"SymmetricMode": True}
    factor = splu(shifted, permc_spec="NATURAL", diag_pivot_thresh=0.0, options=options)
    x, rest = np.zeros_like(wanted), wanted[unknowns]
    for _ in range(REFINEMENTS):
        more = factor.solve(np.ascontiguousarray(rest))
        x[unknowns] += more
        rest = rest - ordered @ more
    return x
