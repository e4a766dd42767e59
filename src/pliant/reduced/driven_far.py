"""How a body follows groups of pins that are driven far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pliant.mesh import in_space
from pliant.problem import rotation_matrix

from .derivatives import ModalDerivatives
from .modes import RestStiffness

Array = np.ndarray
#: In training groups are shifted by about this share of the body's size, and turned by so many radians.
SHIFT, TURN = 0.05, 0.35


@dataclass(frozen=True, eq=False)
class DrivenFar:
    """Static answers to motions of groups of pins, and how they change along each other and the modes.

        u = phi a + B d + 1/2 psi (a, w)^2

    derived: of modes phi. along: derivatives (m + k, m + k, n_f d) of modes and of answers to rigid
    motions w of the groups. stiffness [1/s^2], (c,), and answers, (n d, c): B of affine motions, which
    hold every turn. rigid, (n d, k): of rigid motions. points [m], (n, d). groups: points by number, but
    those of the first group.
    Source: [barbic2005] (8), with pins that move.
    """

    derived: ModalDerivatives
    along: Array
    stiffness: Array
    answers: Array
    rigid: Array
    points: Array
    groups: Sequence[Array]

    def columns(self, of: RestStiffness, own: Array, count: int) -> Array:
        """M-orthonormal columns (n_f d, count or fewer) of what derivatives have beyond `own`."""
        modes, size, m = self.derived.modes, self.derived.size, self.derived.modes.shape[1]
        slow = self.derived.values[0] / self.derived.values
        amounts = slow * size / np.abs(modes).max(axis=0)
        amounts = np.append(amounts, size / np.abs(self.rigid).max(axis=0))
        rows, columns = np.triu_indices(len(amounts))
        kept = columns >= m
        rows, columns = rows[kept], columns[kept]
        found = (self.along[rows, columns] * (amounts[rows] * amounts[columns])[:, None]).T
        for _ in range(2):
            found = found - own @ (own.T @ (of.masses[:, None] * found))
        root = np.sqrt(of.masses)[:, None]
        u, sizes, _ = np.linalg.svd(root * found, full_matrices=False)
        return np.asarray(u[:, : min(count, int((sizes > 1e-6 * sizes[0]).sum()))] / root)

    def pose(self, a: Array, generator: np.random.Generator) -> tuple[Array, Array]:
        """A displacement of free points [m], (n_f d,), along modes by a, and d, (c,), of the pins."""
        d = self.points.shape[1]
        far, near = np.zeros_like(self.points), np.zeros_like(self.points)
        for group in self.groups:
            x = self.points[group]
            r = in_space(x - x.mean(axis=0))
            turn = TURN * generator.standard_normal(3) * ([0, 0, 1] if d == 2 else 1)
            shift = SHIFT * self.derived.size * generator.standard_normal(d)
            far[group] = (r @ rotation_matrix(turn).T - r)[:, :d] + shift
            near[group] = np.cross(turn, r)[:, :d] + shift
        amounts, w = self._of_pins(self.answers, far), self._of_pins(self.rigid, near)
        both = np.append(a, w)
        u = self.derived.modes @ a + 0.5 * np.einsum("i,j,ijn->n", both, both, self.along)
        return u, amounts

    def _of_pins(self, columns: Array, u: Array) -> Array:
        pins = np.concatenate(self.groups)
        rows = columns.reshape(*u.shape, -1)[pins].reshape(-1, columns.shape[1])
        return np.asarray(np.linalg.pinv(rows) @ u[pins].ravel())
