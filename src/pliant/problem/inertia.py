"""What a damping adds to a step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant.energies import Energy
from pliant.solvers import BlockPattern, updated


@dataclass(frozen=True)
class Quadratic:
    """The term weight/2 (x - anchor)^T K (x - anchor), K as blocks in the body's pattern.

    low_rank, (n d, r): U, if K is the blocks less U U^T, as some energies have it (`Coupling`).
    `definite` says that K is positive semi-definite; if it is not, a projected Hessian omits it.
    at: the positions at which K has the Hessian of the body's energies, if it has.
    """

    blocks: Any  # (blocks, d, d)
    anchor: Any  # (n, d)
    weight: float
    definite: bool = True
    low_rank: np.ndarray | None = None
    at: Any = None

    def matrix(self, pattern: BlockPattern) -> Any:
        """weight K over all points."""
        sparse = self.weight * pattern.matrix(self.blocks)
        return updated(sparse, self.weighted_low_rank())

    def weighted_low_rank(self) -> np.ndarray | None:
        """U of weight K."""
        return None if self.low_rank is None else np.sqrt(self.weight) * self.low_rank


@dataclass(frozen=True, eq=False)
class MotionInertia:
    """The term weight/2 |Q^T M (x - anchor)|^2 of a few M-orthonormal motions Q.

    weighted: M Q, (r, n, d). The weight [1/s^2] may be below zero, if that of all motion is larger.
    """

    weighted: np.ndarray
    anchor: np.ndarray  # (n, d)
    weight: float

    def amounts(self, x: np.ndarray) -> np.ndarray:
        """Q^T M (x - anchor), (r,)."""
        return np.asarray(np.einsum("rnd,nd->r", self.weighted, x - self.anchor))

    def columns(self) -> np.ndarray:
        """Those whose products, times the sign of the weight, are the matrix of the term."""
        rank = len(self.weighted)
        return np.asarray(np.sqrt(abs(self.weight)) * self.weighted.reshape(rank, -1).T)


@dataclass(frozen=True)
class Inertia:
    """The part of the objective of a step that is not potential energy.

        weight/2 |x - anchor|_M^2  +  sum of `energies`  +  sum of `quadratics`  -  push . x

    and `motions`, whose inertia differs from that of all else.

    Backward Euler is weight = 1/dt^2, anchor = x + dt v; quasi-static motion is weight = 0.
    The search begins from x plus `extrapolation` times the correction of the last step; or from where
    a linear body would end the step, `predicted`, plus that of its last prediction. If it is the inertia
    of another try, that begins where the last one ended, or `afresh` from x; of an `alike` one only the
    pushes that friction knows have changed, and the gradient at x is about the same. `stiffness`
    estimates how much stiffer than the body the energies make the step. None changes the answer.
    `matters` is the share of a step that inertia alone would not have done; the step is solved so much
    more exactly.
    """

    weight: float
    anchor: Any  # (n, d)
    energies: Sequence[Energy] = ()
    quadratics: Sequence[Quadratic] = ()
    push: Any = None  # (n, d) [N]
    extrapolation: float = 0.0
    predicted: Any = None  # (n, d)
    stiffness: float = 1.0
    matters: float = 1.0
    afresh: bool = False
    alike: bool = False
    motions: Sequence[MotionInertia] = ()

    def places(self, x: Any) -> list[tuple[Any, float]]:
        """Positions and factors: the energies' Hessians there make up `stiffness` times that at x.

        Matter is about as stiff everywhere, but an obstacle pushes at some places only.
        """
        rests = [(q.at, q.weight / self.stiffness) for q in self.quadratics if q.at is not None]
        return [(x, 1.0 / self.stiffness if rests else 1.0), *rests]


@dataclass(frozen=True)
class IslandInertia(Inertia):
    """The sum of the inertias of all bodies that are tied together, and these themselves.

    outside and rubs: those of `energies` that are of no body, resistance of the air and friction.
    """

    members: Sequence[Inertia] = ()
    outside: Sequence[Energy] = ()
    rubs: Sequence[Energy] = ()


@dataclass(frozen=True)
class Dissipation:
    """A dissipation as potentials of the position reached at the end of the step.

    `drag` [1/s] is a force -drag M v; the energies and quadratics have the old state as minimum.
    """

    drag: float = 0.0
    energies: Sequence[Energy] = ()
    quadratics: Sequence[Quadratic] = ()
