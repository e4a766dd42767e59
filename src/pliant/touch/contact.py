"""Nodes that a probe holds: their forces, by the capacitance matrix."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pliant.compliance import Compliance
from pliant.solvers import one_sided

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class TouchedNodes:
    """Some nodes of a body, along directions in which a probe prescribes how far they go.

        D^T C D f = d,     u = C D f,     f <= 0 along outward normals

    C: the compliance; D: the directions; the small matrix is the capacitance. Only it is solved with.
    nodes, (k,); directions, (k, a, 3): a of them at each node, the first of which is the outward normal.
    A probe cannot pull: nodes that would be pulled outward are let go. Source: [james1999], and
    [james2003] for the capacitance matrix.
    """

    of: Compliance
    nodes: Array
    directions: Array

    def forces(self, d: Array) -> Array:
        """Forces on the body [N], (k, 3), when nodes go so far along their directions [m], (k, a)."""
        f = (self._stiffness @ d.ravel()).reshape(d.shape)
        if (f[:, 0] > 0.0).any():  # some would be pulled
            bounded = np.zeros(d.shape, dtype=bool)
            bounded[:, 0] = True
            f = one_sided(self._capacitance, d.ravel(), bounded.ravel()).reshape(d.shape)
        return np.asarray((f[:, None, :] @ self.directions)[:, 0])

    @cached_property
    def _capacitance(self) -> Array:
        """D^T C D [m/N]."""
        D, (k, axes, _) = self.directions, self.directions.shape
        left = (D @ self.of.block(self.nodes).reshape(k, 3, 3 * k)).reshape(k * axes, k, 3)
        both = left.transpose(1, 0, 2) @ D.transpose(0, 2, 1)
        return np.asarray(both.transpose(1, 0, 2).reshape(k * axes, k * axes))

    @cached_property
    def _stiffness(self) -> Array:
        """Its inverse: the forces while no node is let go."""
        return np.linalg.inv(self._capacitance)

    def outward(self, rows: Array, forces: Array) -> Array:
        """How far nodes in `rows` move outward [m], (r,)."""
        u = np.tensordot(self.of.block(self.nodes, rows), forces, axes=2)
        return np.asarray(np.einsum("ri,ri->r", u, self.of.normals[rows]))

    def answer(self, forces: Array) -> Array:
        """Displacements of all nodes [m], (n, 3)."""
        return np.tensordot(self.of.columns(self.nodes), forces, axes=2)


def frames(normals: Array) -> Array:
    """Each normal with two directions across it, (k, 3, 3)."""
    out = np.empty((len(normals), 3, 3))
    out[:, 0] = normals
    least = np.eye(3)[np.abs(normals).argmin(axis=1)]
    out[:, 1] = np.cross(normals, least)
    out[:, 1] /= np.linalg.norm(out[:, 1], axis=1, keepdims=True)
    out[:, 2] = np.cross(normals, out[:, 1])
    return out
