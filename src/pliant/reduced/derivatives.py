"""Columns for large deformation: modes, and how modes change along each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .modes import Inverse, RestStiffness

Array = np.ndarray

#: Modal derivatives are differences over displacements of this share of the body's size.
SMALL = 0.01


@dataclass(frozen=True, eq=False)
class ModalDerivatives:
    """Modes (n d, m), their eigenvalues [1/s^2], and the derivatives (m, m, n d) along each other.

        psi_ij = - K^-1 (dK/dq_j) phi_i

    They are what a mode must be followed by when it goes far: along q_i a body moves by
    phi_i q_i + psi_ii q_i^2/2. Source: [barbic2005] (8).
    """

    values: Array
    modes: Array
    along: Array
    size: float

    @classmethod
    def of(
        cls,
        values: Array,
        modes: Array,
        gradient: Callable[[Array], Array],
        inverse: Inverse,
        size: float,
    ) -> ModalDerivatives:
        """By differences of the gradient [N] on free points; size [m]: of the body."""
        count = modes.shape[1]
        along = np.zeros((count, count, len(gradient(0.0 * modes[:, 0]))))
        steps = SMALL * size / np.abs(modes).max(axis=0)
        for i in range(count):
            for j in range(i, count):
                a, b = steps[i] * modes[:, i], steps[j] * modes[:, j]
                bent = gradient(a + b) - gradient(a - b) - gradient(b - a) + gradient(-a - b)
                along[i, j] = along[j, i] = -inverse(bent / (4.0 * steps[i] * steps[j]))
        return cls(values, modes, along, size)

    def columns(self, of: RestStiffness, count: int) -> Array:
        """The M-orthonormal columns (n d, count or fewer) that hold most of both.

        Slow modes count more, and derivatives by the slowness of both of theirs.
        """
        slow = self.values[0] / self.values
        rows, columns = np.triu_indices(len(slow))
        derived = (self.along[rows, columns] * (slow[rows] * slow[columns])[:, None]).T
        modes = self.modes * slow
        root = np.sqrt(of.masses)[:, None]
        derived = derived * (np.abs(modes).max() / max(np.abs(derived).max(), 1e-300))
        found, sizes, _ = np.linalg.svd(
            root * np.column_stack([modes, derived]), full_matrices=False
        )
        return np.asarray(found[:, : min(count, int((sizes > 1e-10 * sizes[0]).sum()))] / root)

    def pose(self, a: Array) -> Array:
        """The displacement [m], (n d,), of a body that goes far along its modes, by amounts a."""
        return np.asarray(self.modes @ a + 0.5 * np.einsum("i,j,ijn->n", a, a, self.along))

    def amounts(self, generator: np.random.Generator, reach: float) -> Array:
        """Amounts of all modes that move points by at most about a share of the body's size."""
        farthest = reach * self.size / np.abs(self.modes).max(axis=0)
        slow = self.values[0] / self.values
        count = len(slow)
        return np.asarray(
            generator.uniform(0.2, 1.0) * generator.standard_normal(count) * farthest * slow
        )
