"""What one time step minimises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sp

from pliant.damping.inertia import Inertia
from pliant.energies.assembly import Assembly
from pliant.energies.frames import point_rotations
from pliant.energies.solid import SolidEnergy
from pliant.solvers import Complement, HostVectors, Restriction, Vectors


@dataclass
class StepObjective:
    """inertia + energies - load . x, over the free points and off the rigid motions."""

    assembly: Assembly
    solids: Sequence[SolidEnergy]
    masses: np.ndarray  # (n,)
    load: np.ndarray  # dead forces [N], (n, d)
    inertia: Inertia
    restriction: Restriction
    free: np.ndarray  # (n,)
    complement: Complement
    size: float
    vectors: Vectors = field(default_factory=HostVectors)
    _matrices: list[sp.bsr_matrix] = field(init=False)

    def __post_init__(self) -> None:
        pattern = self.assembly.pattern
        self._matrices = [q.weight * pattern.matrix(q.blocks) for q in self.inertia.quadratics]

    def value(self, x: np.ndarray) -> float:
        """The objective [J]."""
        apart = x - self.inertia.anchor
        total = self.assembly.value(x, self.inertia.energies)
        # Measured from the anchor: far from the origin the products would drown the differences.
        total -= float(np.vdot(self.load, apart))
        total += 0.5 * self.inertia.weight * float(self.masses @ (apart**2).sum(axis=1))
        for q, matrix in zip(self.inertia.quadratics, self._matrices, strict=True):
            u = (x - q.anchor).ravel()
            total += 0.5 * float(u @ (matrix @ u))
        return total

    def gradient(self, x: np.ndarray) -> np.ndarray:
        """Its gradient [N]."""
        g = self.assembly.gradient(x, self.inertia.energies) - self.load
        g += self.inertia.weight * self.masses[:, None] * (x - self.inertia.anchor)
        for q, matrix in zip(self.inertia.quadratics, self._matrices, strict=True):
            g += (matrix @ (x - q.anchor).ravel()).reshape(x.shape)
        return g

    def residual(self, x: np.ndarray) -> np.ndarray:
        """The part of the gradient that moves free points and no rigid motion [N]."""
        g = self.gradient(x)
        if not self.complement.rank:
            g[~self.free] = 0.0
            return g
        out = np.zeros_like(g)
        projected = self.complement.project_force(g[self.free].ravel())
        out[self.free] = projected.reshape(-1, x.shape[1])
        return out

    def matrix(self, x: np.ndarray, project: bool) -> sp.bsr_matrix:
        """Its Hessian over the free points [N/m]."""
        blocks = self.assembly.blocks(x, project=project, also=self.inertia.energies)
        for q in self.inertia.quadratics:
            if q.definite or not project:
                blocks += q.weight * q.blocks
        if self.inertia.weight:
            diagonal = self.inertia.weight * self.masses
            identity = np.eye(x.shape[1])
            blocks[self.assembly.pattern.diagonal] += diagonal[:, None, None] * identity
        return self.restriction.matrix(blocks)

    def frames(self, x: np.ndarray) -> np.ndarray:
        """The rotation of the neighbourhood of each free point."""
        return point_rotations(self.solids, self.assembly.array(x), len(x))[self.free]

    def step_limit(self, x: np.ndarray, dx: np.ndarray) -> float:
        """The largest admissible fraction of dx."""
        return self.assembly.step_limit(x, dx)
