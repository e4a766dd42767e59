"""What a damping sees at the start of a step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp

from pliant.energies.assembly import Assembly
from pliant.energies.solid import SolidEnergy
from pliant.solvers import Complement


class Mechanics(Protocol):
    """The body as a damping needs it: its energies, masses and modes."""

    assembly: Assembly
    solids: Sequence[SolidEnergy]
    masses: np.ndarray  # (n,)
    free: np.ndarray  # (n,)
    size: float  # [m]

    def inverted(self, x: np.ndarray) -> np.ndarray:
        """The cells that are inside out at x."""
        ...

    def align(self, shape: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Move `shape` rigidly, as far as its pins allow, to lie closest to x."""
        ...

    def stiffness(self, x: np.ndarray, project: bool = False) -> sp.bsr_matrix:
        """The Hessian over the free points."""
        ...

    def modes(self, x: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
        """The lowest eigenvalues [1/s^2] and modes of deformation at the equilibrium x."""
        ...


@dataclass
class Moment:
    """The start of one step of one body.

    `x_old`, `velocity`: the state. `x`: the old shape carried rigidly to the new time, with pins
    where they will be. `drift`: the velocity of deformation, turned with the body. `rest`: the
    equilibrium, placed next to x; `moving`: whether it has changed since the last step, and `shift`
    by how much in the norm of masses. `memory` is the damping's own, one for each body, emptied when
    the user changes the body. `correction`: how far the last step ended from its own x.
    """

    mechanics: Mechanics
    time: float
    dt: float
    x_old: np.ndarray
    velocity: np.ndarray
    x: np.ndarray
    drift: np.ndarray
    load: np.ndarray
    complement: Complement
    rest: np.ndarray
    moving: bool
    memory: dict[str, Any]
    shift: float = 0.0
    correction: np.ndarray | None = None
    _last: tuple[np.ndarray, float] | None = None  # the distance asked for last

    def gradient(self, x: np.ndarray) -> np.ndarray:
        """Gradient of the whole potential with the rigid motions projected out, (n, d)."""
        g = self.mechanics.assembly.gradient(x) - self.load
        return self.on_free(self.complement.project_force(g[self.mechanics.free].ravel()))

    def on_free(self, vector: np.ndarray) -> np.ndarray:
        """A vector over the free unknowns as an array over all points."""
        out = np.zeros_like(self.x)
        out[self.mechanics.free] = vector.reshape(-1, self.x.shape[1])
        return out

    def distance(self, x: np.ndarray) -> float:
        """Mass-weighted distance |x - x*|_M to the rest shape, rigid motion removed."""
        if self._last is None or self._last[0] is not x:
            self._last = (x, self._norm(x - self.mechanics.align(self.rest, x)))
        return self._last[1]

    def moved(self, x: np.ndarray) -> float:
        """Mass-weighted length of the way from the start of the step to x."""
        return self._norm(x - self.x)

    def departure(self) -> float:
        """Mass-weighted distance from `rest` at the start of the step."""
        return self._norm(self.x - self.rest)

    def restoring(self) -> tuple[float, float]:
        """The work of the forces on the straight way to rest [J], and their size sum f^2/m."""
        g = self.gradient(self.x)
        strength = float((g**2 / self.mechanics.masses[:, None]).sum())
        return float(np.vdot(self.x - self.rest, g)), strength

    def towards_rest(self, share: float) -> np.ndarray:
        """The shape that has this share of the departure left."""
        return self.rest + share * (self.x - self.rest)

    def inside_out(self) -> bool:
        """Whether any cell is."""
        return len(self.mechanics.inverted(self.x)) > 0

    def stiffness_scale(self) -> float:
        """An eigenvalue of the right order [1/s^2], for a body that is already at rest."""
        stiffness = self.mechanics.stiffness(self.rest)
        masses = self.mechanics.masses[self.mechanics.free].sum() * self.x.shape[1]
        return float(np.abs(stiffness.diagonal()).sum() / masses)

    @property
    def span(self) -> float:
        """The mass-weighted length that the size of the body is."""
        return self.mechanics.size * math.sqrt(float(self.mechanics.masses.sum()))

    def _norm(self, u: np.ndarray) -> float:
        return math.sqrt(float(self.mechanics.masses @ np.einsum("ij,ij->i", u, u)))
