"""The ways in which the points of a body can go that moves in few coordinates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

Array = np.ndarray
#: The axes of a cross product, in space and in the plane: row k has those that turning about it mixes.
PAIRS = {3: ((1, 2), (2, 0), (0, 1)), 2: ((0, 1),)}


@dataclass(frozen=True, eq=False)
class Ways:
    """Displacements P z of the points of one body: R U q and, if it is free, rigid motions before q.

    columns, (n d, r): U, zero at pins, with U^T M U = 1. masses, (n,). rotation, (d, d): R; None if it
    is not turned. arms, (n, d): from the centre of mass, of a body that is free; None of one that is
    held. R U moves its centre nowhere.
    """

    columns: Array
    masses: Array
    rotation: Array | None = None
    arms: Array | None = None

    def __len__(self) -> int:
        return self._rigid + int(self.columns.shape[1])

    def amounts_of_force(self, force: Array) -> Array:
        """P^T f of forces (n, d): how they act on the amounts, (k,)."""
        own = force if self.rotation is None else force @ self.rotation
        z = self.columns.T @ own.ravel()
        if self.arms is None:
            return np.asarray(z)
        r = self.arms
        torques = [r[:, i] @ force[:, j] - r[:, j] @ force[:, i] for i, j in PAIRS[r.shape[1]]]
        return np.concatenate([force.sum(axis=0), torques, z])

    def displacement(self, amounts: Array) -> Array:
        """P z, (n, d)."""
        d = self._dim
        u = (self.columns @ amounts[self._rigid :]).reshape(-1, d)
        u = u if self.rotation is None else u @ self.rotation.T
        if self.arms is not None:
            u = u + amounts[:d]
            for (i, j), turn in zip(PAIRS[d], amounts[d : self._rigid], strict=True):
                u[:, j] += turn * self.arms[:, i]
                u[:, i] -= turn * self.arms[:, j]
        return np.asarray(u)

    def force(self, acting: Array) -> Array:
        """The force M P (P^T M P)^-1 a, (n, d), which acts so on the amounts."""
        return np.asarray(self.masses[:, None] * self.displacement(self.solved(acting)))

    def solved(self, acting: Array) -> Array:
        """(P^T M P)^-1 a, of vectors or, row by row, of several."""
        return acting if self.arms is None else acting @ self._inverse

    @cached_property
    def gram(self) -> Array:
        """P^T M P, (k, k)."""
        out, d, r = np.eye(len(self)), self._dim, self.arms
        if r is None:
            return out
        out[:d, :d] *= self.masses.sum()
        for k, (i, j) in enumerate(PAIRS[d], start=d):  # momenta of turning about each axis
            momentum = np.zeros_like(r)
            momentum[:, j], momentum[:, i] = self.masses * r[:, i], -self.masses * r[:, j]
            out[k, d:] = out[d:, k] = self.amounts_of_force(momentum)[d:]
        return out

    def rows(self, unknowns: Array) -> Array:
        """Rows of P, by the numbers of unknowns, (m, k)."""
        d = self._dim
        points, axes = unknowns // d, unknowns % d
        own = self.columns[unknowns]
        if self.rotation is not None:
            near = self.columns.reshape(len(self.masses), d, -1)[points]
            own = np.einsum("mj,mjr->mr", self.rotation[axes], near)
        if self.arms is None:
            return np.asarray(own)
        rigid = np.zeros((len(unknowns), self._rigid))
        rigid[np.arange(len(unknowns)), axes] = 1.0
        for k, (i, j) in enumerate(PAIRS[d]):
            arms = self.arms[points]
            rigid[:, d + k] = np.where(axes == j, arms[:, i], 0.0) - np.where(
                axes == i, arms[:, j], 0.0
            )
        return np.concatenate([rigid, own], axis=1)

    @property
    def _dim(self) -> int:
        return len(self.columns) // len(self.masses)

    @property
    def _rigid(self) -> int:
        """How many of the ways are rigid motions."""
        d = self._dim
        return 0 if self.arms is None else d + d * (d - 1) // 2

    @cached_property
    def _inverse(self) -> Array:
        return np.asarray(np.linalg.inv(self.gram))
