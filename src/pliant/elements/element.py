"""The Element table and the shape functions it implies."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .quadrature import Rule


@dataclass(frozen=True)
class Element:
    """A Lagrange element: reference nodes, the monomials it spans, and its quadrature rules.

        N_a(xi) = sum_m C[m, a] xi^m,   C = V^-1,   V[b, m] = nodes_b^m

    Source: [hughes2000] section 3.3; the coefficients solve N_a(nodes_b) = delta_ab.
    Reference coordinates are dimensionless: simplices live in xi >= 0, sum xi <= 1; lines,
    quadrilaterals and hexahedra in [-1, 1]^d. Node order as in VTK and meshio.

    Not for bases that are not interpolatory (splines, Hermite).
    """

    name: str
    nodes: np.ndarray  # (k, d) reference coordinates
    monomials: np.ndarray  # (k, d) exponents
    rule: Rule  # for energies
    mass_rule: Rule  # exact for N_a N_b det J
    mirrored: tuple[int, ...]  # node order that turns an inside-out cell right side out

    @property
    def dim(self) -> int:
        """Space dimension d."""
        return int(self.nodes.shape[1])

    @property
    def n_nodes(self) -> int:
        """Nodes per cell k."""
        return int(self.nodes.shape[0])

    @property
    def degree(self) -> int:
        """1 for elements with corners only, 2 for those with nodes on their edges."""
        return int(self.monomials.max())

    @property
    def is_simplex(self) -> bool:
        """Whether F is constant in a cell, so that its volume alone says if it is inverted."""
        return self.n_nodes == self.dim + 1

    @cached_property
    def _coefficients(self) -> np.ndarray:
        return np.linalg.inv(_powers(self.nodes, self.monomials))

    def shape(self, xi: np.ndarray) -> np.ndarray:
        """Return N_a at the reference points xi (q, d), as (q, k)."""
        return np.asarray(_powers(np.asarray(xi, float), self.monomials) @ self._coefficients)

    def gradients(self, xi: np.ndarray) -> np.ndarray:
        """Return dN_a/dxi_j at the reference points xi (q, d), as (q, k, d)."""
        xi = np.asarray(xi, float)
        columns = []
        for j in range(self.dim):
            lowered = self.monomials.copy()
            lowered[:, j] = np.maximum(lowered[:, j] - 1, 0)
            columns.append((_powers(xi, lowered) * self.monomials[:, j]) @ self._coefficients)
        return np.stack(columns, axis=-1)


def _powers(xi: np.ndarray, monomials: np.ndarray) -> np.ndarray:
    return np.asarray(np.prod(xi[:, None, :] ** monomials[None, :, :], axis=-1))
