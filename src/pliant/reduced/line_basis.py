"""Columns of which each moves the points of one line: what long elements move by."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from .basis import Basis

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class LineBasis(Basis):
    """x = X + U q where each coordinate of a point follows one number of q, or none.

    of (n, d): which; -1: none. shares (n, d): how far. sections [m^2], (r,): the volume of the body
    grows by their sum with q, which is kept zero. A load on these coordinates is given as the static
    answer to it, so that `eigenvalues` are one.
    """

    of: Array
    shares: Array
    sections: Array

    @classmethod
    def of_lines(
        cls, points: Array, masses: Array, of: Array, shares: Array, sections: Array
    ) -> LineBasis:
        """The basis, its columns as a sparse matrix."""
        rows = np.flatnonzero(of.ravel() >= 0)
        entries = (shares.ravel()[rows], (rows, of.ravel()[rows]))
        columns = sp.csr_matrix(entries, shape=(points.size, len(sections)))
        ones = np.ones(len(sections))
        return cls(points, columns, ones, masses, 0, False, of, shares, sections)

    @cached_property
    def weights(self) -> Array:
        """The mass that moves with each coordinate [kg], (r,): U^T M U is diagonal."""
        moving = np.repeat(self.masses, self.points.shape[1]) * self.shares.ravel() ** 2
        of = self.of.ravel()
        return np.bincount(of[of >= 0], weights=moving[of >= 0], minlength=len(self))

    def inner(self, a: Array, b: Array) -> float:
        """a^T U^T M U b."""
        return float(a @ (self.weights * b))

    def coordinates(self, u: Array) -> Array:
        """q of displacements [m], (n, d): nearest in the norm of masses, with the volume kept."""
        q = super().coordinates(u) / self.weights
        soft = self.sections / self.weights
        return np.asarray(q - soft * (self.sections @ q) / (self.sections @ soft))
