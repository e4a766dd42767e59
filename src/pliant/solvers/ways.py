"""The ways in which the points of a body can go that moves in few coordinates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Ways:
    """Displacements P z of the points of one body, z being k amounts.

    columns, (n d, k): P, zero at pins. masses, (n d,), one for each unknown. inverse, (k, k): that of
    P^T M P; None if it is the identity.
    """

    columns: Array
    masses: Array
    inverse: Array | None = None

    def __len__(self) -> int:
        return int(self.columns.shape[1])

    def amounts_of_force(self, force: Array) -> Array:
        """P^T f of forces (n, d): how they act on the amounts, (k,)."""
        return np.asarray(self.columns.T @ force.ravel())

    def displacement(self, amounts: Array) -> Array:
        """P z, flat."""
        return np.asarray(self.columns @ amounts)

    def force(self, acting: Array) -> Array:
        """The force M P (P^T M P)^-1 a, flat, which acts so on the amounts."""
        if self.inverse is not None:
            acting = self.inverse @ acting
        return np.asarray(self.masses * (self.columns @ acting))

    def gram(self) -> Array:
        """P^T M P, (k, k)."""
        return np.eye(len(self)) if self.inverse is None else np.linalg.inv(self.inverse)
