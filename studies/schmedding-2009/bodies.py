"""Teschner's model, with constraints between points and a spring that drags."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import pliant as pl
from pliant.energies import Energy
from pliant.energies.spring import SpringEnergy


@dataclass(frozen=True)
class Dragger:
    """Springs from some points to a hand that carries them along, until it lets go.

    stiffness [N/m] of each; path: where the hand is, as a displacement [m] at a time [s], (3,).
    """

    points: np.ndarray
    stiffness: float
    path: Callable[[float], np.ndarray]
    until: float  # [s]

    def forces(self, x: np.ndarray, rest: np.ndarray, time: float) -> np.ndarray:
        """On all points [N], (n, d)."""
        f = np.zeros_like(x)
        if time < self.until:
            f[self.points] = self.stiffness * (rest + self.path(time) - x)[self.points]
        return f


class Tied(pl.ConstraintBody):
    """Tetrahedra that keep lengths and volumes, springs (ties) between points of parts, a dragger.

    ties (t, 2); tie: their stiffness [N/m].
    """

    def __init__(
        self,
        mesh: pl.Mesh,
        *,
        ties: np.ndarray,
        tie: float,
        dragger: Dragger | None = None,
        **preserving: Any,
    ):
        self._ties, self._tie, self._dragger = ties, tie, dragger
        super().__init__(mesh, **preserving)

    def energies(self, *, device: str) -> Sequence[Energy]:
        """Potentials of the tetrahedra, then the ties."""
        found: list[Energy] = list(super().energies(device=device))
        if len(self._ties):
            x, (i, j) = self.mesh.points, self._ties.T
            found.append(
                SpringEnergy(
                    x,
                    self._ties,
                    stiffness=np.full(len(i), self._tie),
                    rest=np.linalg.norm(x[i] - x[j], axis=1),
                    device=device,
                )
            )
        return found

    def loads_at(self, x: np.ndarray, time: float, gravity: np.ndarray) -> np.ndarray:
        """With the pull of the dragger."""
        f = super().loads_at(x, time, gravity)
        return f if self._dragger is None else f + self._dragger.forces(x, self.mesh.points, time)

    @property
    def loads_constant(self) -> bool:
        """The dragger pulls by where the points are."""
        return self._dragger is None and super().loads_constant
