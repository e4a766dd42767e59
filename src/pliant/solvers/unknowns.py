"""The unknowns of a search in which some bodies move in few coordinates, and all other points freely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp

from .constraint import FLAT, Complement
from .low_rank import LowRankUpdate, updated
from .ways import Ways

Array = np.ndarray


@dataclass(frozen=True)
class Touched:
    """Unknowns of one body that something besides its inertia acts on.

    at: their numbers among the free unknowns; rows: those of the matrix, without inertia; columns: those
    of the ways there.
    """

    at: Array
    rows: sp.csr_matrix
    columns: Array


class Unknowns:
    """Those of loose points, then the amounts of each body that goes in `Ways` only.

    They stand in rows of `dim` numbers, the last of which is filled up. free, (n,): the points that no
    pin holds. parts: the points of each such body, and its ways.
    """

    def __init__(self, free: Array, dim: int, parts: Sequence[tuple[slice, Ways]]):
        self._free, self._dim, self._parts = free, dim, parts
        loose = free.copy()
        for own, _ in parts:
            loose[own] = False
        self._loose = np.flatnonzero(loose)
        self._first = dim * len(self._loose)
        ends = np.cumsum([self._first, *(len(ways) for _, ways in parts)])
        self._spans = [slice(int(a), int(b)) for a, b in pairwise(ends)]
        self.rows = -(-int(ends[-1]) // dim)

    def amounts_of_force(self, g: Array) -> Array:
        """P^T g of forces on all points, (rows, dim)."""
        z = np.zeros(self.rows * self._dim)
        z[: self._first] = g[self._loose].ravel()
        for (own, ways), span in zip(self._parts, self._spans, strict=True):
            z[span] = ways.amounts_of_force(g[own])
        return z.reshape(-1, self._dim)

    def displacement(self, z: Array) -> Array:
        """P z, (n, d)."""
        return self._spread(z, [ways.displacement for _, ways in self._parts])

    def force(self, z: Array) -> Array:
        """A force on all points, (n, d), that acts so on the unknowns."""
        return self._spread(z, [ways.force for _, ways in self._parts])

    def complement(self, whole: Complement) -> Complement:
        """The directions of a search that goes along no motion of some, as rows of unknowns."""
        if not whole.rank:
            return Complement(FLAT)
        momenta = np.stack([self.amounts_of_force(m).ravel() for m in whole.weighted])
        basis = momenta.copy()
        basis[:, : self._first] = np.stack([b[self._loose].ravel() for b in whole.basis])
        for (_, ways), span in zip(self._parts, self._spans, strict=True):
            basis[:, span] = ways.solved(momenta[:, span])
        root = np.linalg.inv(np.linalg.cholesky(momenta @ basis.T))
        return Complement(FLAT, root @ basis, root @ momenta)

    def matrix(self, over_points: Any, weights: Sequence[float], more: Sequence[Array]) -> Any:
        """P^T A P + B as blocks.

        over_points: A over the free points, in which each such body has its masses times one of
        `weights`, and what touches it. more, (k, k) each: B of each body.
        """
        if isinstance(over_points, LowRankUpdate):
            sparse = self.matrix(over_points.sparse, weights, more)
            columns = (self._lowered(c) for c in (over_points.columns, over_points.added))
            return updated(sparse, *columns)
        A, d = sp.csr_matrix(over_points), self._dim
        number = np.cumsum(self._free) - 1
        touched = [
            self._touched(A, number, own, ways, weight)
            for (own, ways), weight in zip(self._parts, weights, strict=True)
        ]
        dense = self._between(touched, weights, more)
        if not self._first:
            return sp.bsr_matrix(dense, blocksize=(d, d))
        loose = _unknowns(number[self._loose], d)
        beside = np.zeros((self._first, len(dense)))
        for span, t in zip(self._spans, touched, strict=True):
            at = slice(span.start - self._first, span.stop - self._first)
            beside[:, at] = t.rows[:, loose].T @ t.columns
        beside = sp.csr_matrix(beside)
        whole = [[A[loose][:, loose], beside], [beside.T, sp.csr_matrix(dense)]]
        return sp.bmat(whole).tobsr((d, d))

    def _touched(
        self, A: sp.csr_matrix, number: Array, own: slice, ways: Ways, weight: float
    ) -> Touched:
        """The unknowns of one body that something besides its inertia acts on."""
        mine = np.flatnonzero(self._free[own])
        at, within = (_unknowns(p, self._dim) for p in (number[own][mine], mine))
        masses = np.repeat(ways.masses[mine], self._dim)
        inertia = (weight * masses, (np.arange(len(at)), at))
        rows = A[at] - sp.csr_matrix(inertia, shape=(len(at), A.shape[1]))
        rows.eliminate_zeros()
        on = np.flatnonzero(np.diff(rows.indptr))
        return Touched(at[on], rows[on], ways.rows(within[on]))

    def _between(
        self, touched: Sequence[Touched], weights: Sequence[float], more: Sequence[Array]
    ) -> Array:
        """The block of the amounts of all bodies; the identity where rows are filled up."""
        out = np.eye(self.rows * self._dim - self._first)
        spans = [slice(s.start - self._first, s.stop - self._first) for s in self._spans]
        for i, (a, t) in enumerate(zip(spans, touched, strict=True)):
            for b, other in zip(spans, touched, strict=True):
                out[a, b] = t.columns.T @ (t.rows[:, other.at] @ other.columns)
            out[a, a] += more[i] + weights[i] * self._parts[i][1].gram
        return out

    def _lowered(self, columns: Array) -> Array:
        """P^T U of columns over the free unknowns."""
        whole = np.zeros((len(self._free) * self._dim, columns.shape[1]))
        whole[_unknowns(np.flatnonzero(self._free), self._dim)] = columns
        out = np.zeros((self.rows * self._dim, columns.shape[1]))
        for k, column in enumerate(whole.T):
            out[:, k] = self.amounts_of_force(column.reshape(-1, self._dim)).ravel()
        return out

    def _spread(self, z: Array, each: Sequence[Any]) -> Array:
        """Vectors of all points; each: makes those of a body from its amounts."""
        flat, out = z.ravel(), np.zeros((len(self._free), self._dim))
        out[self._loose] = flat[: self._first].reshape(-1, self._dim)
        for (own, _), span, make in zip(self._parts, self._spans, each, strict=True):
            out[own] = make(flat[span])
        return out


def _unknowns(points: Array, dim: int) -> Array:
    """The numbers of the unknowns of some points."""
    return np.asarray((dim * points[:, None] + np.arange(dim)).ravel())
