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

    def forces(self, d: Array, *, pulls: bool = False) -> Array:
        """Forces on the body [N], (k, 3), when nodes go so far along their directions [m], (k, a).

        pulls: the probe holds on to them, and can pull.
        """
        bounded = np.zeros(d.shape, dtype=bool)
        if not pulls:
            bounded[:, 0] = True
        f = one_sided(self._capacitance, d.ravel(), bounded.ravel()).reshape(d.shape)
        return np.asarray(np.einsum("ka,kai->ki", f, self.directions))

    @cached_property
    def _capacitance(self) -> Array:
        block = self.of.columns(self.nodes)[self.nodes]  # (k, 3, k, 3)
        D = self.directions
        both = np.einsum("kai,kilj,lbj->kalb", D, block, D, optimize=True)
        size = D.shape[0] * D.shape[1]
        return np.asarray(both.reshape(size, size))

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
