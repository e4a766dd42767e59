"""What a probe asks of a body."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from pliant.mesh import Surface

Array = np.ndarray
#: Bytes of columns that are kept at most.
KEPT = 2**28


class Compliance(ABC):
    """How the surface of a body answers to forces on its nodes, in small deformation.

        u = C f,     C_ij: what node i moves by for a unit force on node j [m/N], (3, 3)

    Nodes are what can be touched. nodes [m], (n, 3): where they are while nothing touches the body;
    normals, (n, 3): outward, of length one; held, (n,): which do not move. surface: what is shown of
    the body, while nothing touches it.

    An heir passes these on and defines `solve`. It overrides `shown` if points of the surface are not
    the nodes, and `whole` if the body has more points than its surface.
    """

    def __init__(self, nodes: Array, normals: Array, held: Array, surface: Surface):
        self.nodes, self.normals, self.held, self.surface = nodes, normals, held, surface
        self._known: dict[int, Array] = {}

    @abstractmethod
    def solve(self, nodes: Sequence[int]) -> Array:
        """What all nodes move by for unit forces on some, none of them held [m/N], (n, 3, k, 3)."""

    def shown(self, u: Array) -> Array:
        """Displacements of the points of `surface` [m], (m, 3), for those of nodes, (n, 3)."""
        return u

    def whole(self, nodes: Array, forces: Array) -> Array:
        """Where all points of the body are [m] under forces [N], (k, 3), on some nodes, (k,)."""
        u = np.tensordot(self.columns(nodes), forces, axes=2)
        out: Array = self.surface.points + self.shown(u)
        return out

    def columns(self, nodes: Array) -> Array:
        """The same as `solve`; what was asked before is known."""
        asked = [int(i) for i in nodes]
        if not asked:
            return np.zeros((*self.nodes.shape, 0, 3))
        missing = [i for i in asked if i not in self._known]
        if missing:
            if (len(self._known) + len(missing)) * self.nodes.size * 3 * 8 > KEPT:
                self._known.clear()
                missing = asked
            found = self.solve(missing)
            self._known |= {i: found[:, :, k] for k, i in enumerate(missing)}
        return np.stack([self._known[i] for i in asked], axis=2)

    def block(self, nodes: Array, rows: Array | None = None) -> Array:
        """What nodes in `rows`, by default the same, move by for unit forces [m/N], (r, 3, k, 3)."""
        out: Array = self.columns(nodes)[nodes if rows is None else rows]
        return out
