"""A body that is known by the compliance of its surface, prepared for steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.problem import System

from .basis import Basis
from .system import ReducedSystem
from .weighed_load import weighed_load

Array = np.ndarray
#: Columns that are so much stiffer than the softest are left out: the compliance has no such digits.
STIFFEST = 1e9


class SurfaceSystem(ReducedSystem):
    """A static model of a surface: u = C f on its points.

        M^1/2 C M^1/2 = V diag(1/lambda) V^T,     U = M^-1/2 V

    compliance C [m/N], (k, 3, k, 3), symmetric, of the free points. weighed [m s^2/m], (3, n, 3): what
    points move by under unit gravity along each axis. Coordinates are all columns of C, so nothing
    is left out; masses only choose which. `Settle` gives it time, and without it it is at rest at once.
    """

    inert = False

    def __init__(self, *, compliance: Array, weighed: Array, **given: Any):
        System.__init__(self, [], **given)
        x, free = self.undeformed, self.free
        size = 3 * int(free.sum())
        root = np.sqrt(np.repeat(self.masses[free], 3))
        values, vectors = np.linalg.eigh(root[:, None] * compliance.reshape(size, size) * root)
        kept = values > values[-1] / STIFFEST
        columns = np.zeros((x.size, int(kept.sum())))
        columns[np.repeat(free, 3)] = (vectors[:, kept] / root[:, None])[:, ::-1]
        values = 1.0 / values[kept][::-1]
        self._begin(Basis(x, columns, values, self.masses, len(values), False))
        self._pull = np.stack([self._force_of(u) for u in weighed])

    load = weighed_load

    def weight(self, gravity: Array) -> Array:
        """The forces on points that deform the body as its weight does [N], (n, 3)."""
        out: Array = np.tensordot(gravity, self._pull, axes=1)
        return out

    def answer_to(self, force: Array) -> Array:
        """U^T f, (r,)."""
        return self.basis.project(force)

    def value(self, x: Any) -> float:
        """The energy [J], of coordinates or of the nearest ones to positions."""
        return self.shape_at(x).energy

    def stiffness_diagonal(self, x: Array) -> Array:
        """The diagonal of C^-1 on the free points, (k, 3) [N/m]."""
        moved = self.masses[:, None, None] * self.basis.columns.reshape(*x.shape, -1)
        out: Array = (moved**2 @ self.basis.eigenvalues)[self.free]
        return out

    def _force_of(self, u: Array) -> Array:
        """C^-1 u [N], (n, 3)."""
        basis = self.basis
        force = basis.columns @ (basis.eigenvalues * basis.coordinates(u))
        out: Array = self.masses[:, None] * force.reshape(u.shape)
        return out
