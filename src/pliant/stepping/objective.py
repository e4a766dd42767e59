"""What one time step minimises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import warp as wp

from pliant.damping.inertia import Inertia
from pliant.energies.assembly import Assembly
from pliant.energies.frames import point_rotations
from pliant.energies.protocol import Coupling
from pliant.energies.solid import SolidEnergy
from pliant.solvers import Complement, HostVectors, Restriction, Vectors, updated

from .hessian import Hessian


@dataclass
class StepObjective:
    """inertia + energies - load . x, over the free points and off the rigid motions."""

    assembly: Assembly
    solids: Sequence[SolidEnergy]
    masses: np.ndarray  # (n,)
    load: np.ndarray  # dead forces [N], (n, d)
    inertia: Inertia
    restriction: Restriction
    hessian: Hessian
    free: np.ndarray  # (n,)
    complement: Complement
    size: float
    vectors: Vectors = field(default_factory=HostVectors)
    _matrices: list[Any] = field(init=False)

    def __post_init__(self) -> None:
        pattern = self.assembly.pattern
        self._matrices = [q.matrix(pattern) for q in self.inertia.quadratics]

    def value(self, x: np.ndarray) -> float:
        """The objective [J]."""
        apart = x - self.inertia.anchor
        total = self.assembly.value(x, self.inertia.energies)
        # Measured from the anchor: far from the origin the products would drown the differences.
        total -= float(np.vdot(self.load, apart))
        if self.inertia.weight:
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
        return self.admitted_force(self.gradient(x))

    def admitted_force(self, g: np.ndarray) -> np.ndarray:
        """A force without what acts on pins and on the rigid motions that are not searched."""
        return self._on_free(g, self.complement.project_force)

    def admitted(self, dx: np.ndarray) -> np.ndarray:
        """The part of a displacement that moves free points and no rigid motion."""
        return self._on_free(dx, self.complement.project)

    def _on_free(self, a: np.ndarray, project: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        if not self.complement.rank:
            a[~self.free] = 0.0
            return a
        out = np.zeros_like(a)
        out[self.free] = project(a[self.free].ravel()).reshape(-1, a.shape[1])
        return out

    def matrix(self, x: np.ndarray, project: bool) -> Any:
        """Its Hessian over the free points [N/m]."""
        sparse = self.restriction.matrix(self._summed(x, project))
        found = [self.assembly.columns(x, self.inertia.energies)] + [
            q.weighted_columns() for q in self.inertia.quadratics if q.definite or not project
        ]
        columns = [c for c in found if c is not None]
        if not columns:
            return sparse
        return updated(sparse, self.restriction.columns(np.concatenate(columns, axis=1)))

    def couples_all(self, x: np.ndarray) -> bool:
        """Whether its Hessian at x may have more than its blocks."""
        if any(q.columns is not None for q in self.inertia.quadratics):
            return True
        energies = (*self.assembly.energies, *self.inertia.energies)
        coupling = [e for e in energies if isinstance(e, Coupling)]
        return any(e.couples(self.assembly.array(x)) for e in coupling)

    def _summed(self, x: np.ndarray, project: bool) -> np.ndarray:
        blocks = self.assembly.blocks(x, project=project, also=self.inertia.energies)
        for q in self.inertia.quadratics:
            if q.definite or not project:
                blocks += q.weight * q.blocks
        if self.inertia.weight:
            diagonal = self.inertia.weight * self.masses
            identity = np.eye(x.shape[1])
            blocks[self.assembly.pattern.diagonal] += diagonal[:, None, None] * identity
        return blocks

    @property
    def weight(self) -> float:
        """About how many times the masses the Hessian has [1/s^2]."""
        return self.inertia.weight

    @property
    def stiffness(self) -> float:
        """About how many times the stiffness of the body the Hessian has."""
        return self.inertia.stiffness

    def blocks(self, x: np.ndarray, project: bool) -> Any:
        """Its Hessian over all points as blocks on the device, the identity at pins [N/m]."""
        y = self.assembly.array(x)
        return self.hessian.fill(y, self.assembly.energies, self.inertia, project)

    def places(self, x: Any) -> list[tuple[Any, float]]:
        """Where, and with which factors, the Hessians of the energies make up its own."""
        return self.inertia.places(x)

    def turns(self, x: np.ndarray) -> wp.array:
        """The rotation of the neighbourhood of every point."""
        turns = point_rotations(self.solids, self.assembly.array(x), len(x))
        matrix = wp.types.matrix((x.shape[1], x.shape[1]), wp.float64)
        return wp.array(turns, dtype=matrix, device="cpu", copy=False)

    def motions(self) -> tuple[wp.array, wp.array] | None:
        """The rigid motions that are not searched, and their momenta."""
        if not self.complement.rank:
            return None
        vec = wp.types.vector(self.load.shape[1], wp.float64)
        arrays: list[Any] = []
        for columns in (self.complement.basis, self.complement.weighted):
            full = np.zeros((columns.shape[1], *self.load.shape))
            full[:, self.free] = columns.T.reshape(columns.shape[1], -1, self.load.shape[1])
            arrays.append(wp.array(full, dtype=vec, device="cpu"))
        return arrays[0], arrays[1]

    def frames(self, x: np.ndarray) -> np.ndarray:
        """The rotation of the neighbourhood of each free point."""
        if not self.solids:  # what is no solid has no gradient of deformation to turn with
            return np.broadcast_to(np.eye(x.shape[1]), (int(self.free.sum()), *[x.shape[1]] * 2))
        return point_rotations(self.solids, self.assembly.array(x), len(x))[self.free]

    def step_limit(self, x: np.ndarray, dx: np.ndarray) -> float:
        """The largest admissible fraction of dx."""
        return self.assembly.step_limit(x, dx)
