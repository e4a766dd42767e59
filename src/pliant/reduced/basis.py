"""The columns of a reduced body: what q multiplies."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from pliant.mesh import in_space

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Basis:
    """Columns U that are M-orthonormal and K-orthogonal: in q masses are 1 and stiffness is diagonal.

        x = X + U q,     U^T M U = 1,     U^T K U = diag(eigenvalues)

    points [m], (n, d): X. columns [1/sqrt(kg)], (n d, r): U, zero at pins. eigenvalues [1/s^2], (r,).
    masses [kg], (n,). modes: so many of the columns are modes, in order of their frequency; the others
    are what static answers to loads have beyond them. free: no pin holds the body, and the columns are
    M-orthogonal to its rigid motions.

    driven: so many of the columns, the last, are static answers to rigid motions of groups of pins,
    whose points are `pins`, against the first group. Their coordinates are prescribed. They are
    K-orthogonal to the others, and M-orthonormal among themselves only. Source: [craig1968].
    """

    points: Array
    columns: Array
    eigenvalues: Array
    masses: Array
    modes: int
    free: bool
    driven: int = field(default=0, kw_only=True)
    pins: Array = field(default_factory=lambda: np.zeros(0, dtype=int), kw_only=True)

    def __len__(self) -> int:
        return len(self.eigenvalues)

    def expand(self, q: Array) -> Array:
        """U q [m], (n, d)."""
        out: Array = (self.columns @ q).reshape(self.points.shape)
        return out

    def inner(self, a: Array, b: Array) -> float:
        """The product of two q in the norm of masses: a^T U^T M U b."""
        return float(a @ b)

    def way(self, q: Array) -> float:
        """How far coordinates move a point at most [m]."""
        return float(np.linalg.norm(self.expand(q), axis=1).max())

    def project(self, force: Array) -> Array:
        """U^T f of forces [N], (n, d)."""
        out: Array = self.columns.T @ force.ravel()
        return out

    def coordinates(self, u: Array) -> Array:
        """q of displacements [m], (n, d): U^T M u, of what pins have not driven."""
        if not self.driven:
            return self.project(self.masses[:, None] * u)
        d = self._of_pins @ u[self.pins].ravel()
        left = u - (self.columns[:, self.own :] @ d).reshape(u.shape)
        return np.append(self.project(self.masses[:, None] * left)[: self.own], d)

    @property
    def own(self) -> int:
        """How many coordinates are not prescribed: the first."""
        return len(self) - self.driven

    @cached_property
    def _of_pins(self) -> Array:
        """Driven coordinates of displacements of the driven pins, (driven, p d)."""
        rows = self._by_point[self.pins][:, :, self.own :]
        return np.asarray(np.linalg.pinv(rows.reshape(-1, self.driven)))

    @cached_property
    def coupling(self) -> Array:
        """U^T M B of the driven columns B, (own, driven)."""
        heavy = np.repeat(self.masses, self.points.shape[1])[:, None] * self.columns[:, self.own :]
        return np.asarray(self.columns[:, : self.own].T @ heavy)

    @cached_property
    def mass(self) -> float:
        """Of the whole body [kg]."""
        return float(self.masses.sum())

    @cached_property
    def centre(self) -> Array:
        """The centre of mass of X [m], (3,)."""
        out: Array = self.masses @ in_space(self.points) / self.mass
        return out

    @cached_property
    def arms(self) -> Array:
        """X from its centre [m], (n, 3)."""
        return np.asarray(in_space(self.points) - self.centre)

    @cached_property
    def second(self) -> Array:
        """Sum of m r r^T of X [kg m^2], (3, 3)."""
        out: Array = self.arms.T @ (self.masses[:, None] * self.arms)
        return out

    @cached_property
    def first(self) -> Array:
        """Sum of m U_k of every column k [sqrt(kg)], (r, 3); zero of a free body."""
        d = self.points.shape[1]
        out = np.zeros((len(self), 3))
        for i in range(d):
            out[:, i] = self.masses @ self._by_point[:, i, :]
        return out

    @cached_property
    def mixed(self) -> Array:
        """Sum of m U_k r^T of every column k [sqrt(kg) m], (r, 3, 3)."""
        return self.moments(self.masses[:, None] * self.arms)

    @cached_property
    def products(self) -> Array:
        """Sum of m U_k U_l^T of every two columns [1], (r, r, 3, 3)."""
        u, d = self._by_point, self.points.shape[1]
        out = np.zeros((len(self), len(self), 3, 3))
        for i in range(d):
            left = u[:, i, :] * self.masses[:, None]
            for j in range(d):
                out[:, :, i, j] = left.T @ u[:, j, :]
        return out

    def moments(self, vectors: Array) -> Array:
        """Sum of U_k v^T of every column k with vectors v of the points, (n, d or 3): (r, 3, 3)."""
        u, d = self._by_point, self.points.shape[1]
        out = np.zeros((len(self), 3, 3))
        for i in range(d):
            out[:, i, : vectors.shape[1]] = u[:, i, :].T @ vectors
        return out

    @property
    def _by_point(self) -> Array:
        n, d = self.points.shape
        return self.columns.reshape(n, d, len(self))
