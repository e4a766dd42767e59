"""Spring damping, once and iterated."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import numpy as np
from scipy.sparse.linalg import LinearOperator, eigsh

from pliant.declared import Flag, Quantity, accept
from pliant.problem import NotApplicable, Points, Trial, VelocityFilter, Vibration

from .edges import Edges
from .point import FEEDS

#: Up to so many coordinates the largest eigenvalue is found with all others.
DENSE = 300

Gamma = Annotated[
    float,
    Quantity(
        "of each pair of neighbours",
        "kg/s",
        at_least=0.0,
        says="gamma >= 0 [kg/s]",
        why=FEEDS,
        example=1.0,
    ),
]
Projected = Annotated[
    bool, Flag("whether velocities along the edges alone count, so that spin is kept")
]


class SpringDamping(VelocityFilter):
    """Damps the relative velocities of points that act on each other.

        f_i = -gamma sum_j P_ij (v_i' - v_j'),      P_ij = e e^T,   e = (x_i - x_j)/|x_i - x_j|

    gamma [kg/s]. Keeps linear momentum, and with `projected` (P_ij as above; without it P_ij = I)
    angular momentum too. `predicted`: v' are the velocities after the step's other forces; without
    it those at its start. Points are neighbours where an energy couples them, as the edges of a mesh.
    The damping alone is stable while dt gamma times the largest eigenvalue of M^-1 E^T P E is below
    2 (`bound`); with elastic forces beside it, below 1, half of that.
    Source: [schmedding2009] section 2, whose projection lacks one normalisation (3.3.1 has it).
    """

    def __init__(
        self,
        gamma: Gamma,
        *,
        projected: Projected = True,
        predicted: Annotated[
            bool, Flag("whether by the velocities after the other forces of a step")
        ] = True,
    ):
        self.gamma: float
        self.gamma, self.projected, self.predicted = accept(
            self, gamma=gamma, projected=projected, predicted=predicted
        )

    @classmethod
    def trials(cls) -> list[Trial]:
        """One trial, by what it takes from the slowest mode."""

        def make(body: Any, mode: Vibration) -> SpringDamping:
            return cls(gamma_for(mode, body, projected=True))

        return [Trial("SpringDamping", make, "2 sigma of the slowest mode")]

    def forces(self, points: Points, v: np.ndarray, dt: float) -> np.ndarray:
        """-gamma E^T P E v'."""
        force: np.ndarray = -self.gamma * self._edges(points).times(v)
        return force

    def slowed(
        self, points: Points, before: np.ndarray, v: np.ndarray, dt: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """The changes by the predicted velocities, or by those at the start."""
        if self.predicted:
            return super().slowed(points, before, v, dt)
        change = dt * self.forces(points, before, dt) / points.masses[:, None]
        return change, dt * change

    def bound(self, points: Points, dt: float) -> float:
        """The gamma [kg/s] below which no relative velocity grows: 2/(dt lambda_max).

        lambda_max: the largest eigenvalue of M^-1 E^T P E. Source: [schmedding2009] Lemma 1, whose
        proof needs equal masses; with M^-1/2 E^T P E M^-1/2 it holds for any.
        """
        n, d = points.x.shape
        if n * d <= DENSE:
            return float(2.0 / (dt * self.eigenvalues(points)[-1]))
        whole = LinearOperator((n * d, n * d), self._scaled(points), dtype=float)
        start = np.random.default_rng(0).standard_normal(n * d)  # the same each time it is asked
        largest = eigsh(whole, k=1, which="LA", v0=start, return_eigenvectors=False)[0]
        return 2.0 / (dt * float(largest))

    def eigenvalues(self, points: Points) -> np.ndarray:
        """All eigenvalues of M^-1 E^T P E [1/kg], ascending; by a dense matrix."""
        times = self._scaled(points)
        return np.linalg.eigvalsh(np.stack([times(unit) for unit in np.eye(points.x.size)]))

    def _scaled(self, points: Points) -> Callable[[np.ndarray], np.ndarray]:
        """M^-1/2 E^T P E M^-1/2, which is symmetric, times a vector."""
        edges, root = self._edges(points), 1.0 / np.sqrt(points.masses)[:, None]
        return lambda y: (root * edges.times(root * y.reshape(points.x.shape))).ravel()

    def _edges(self, points: Points) -> Edges:
        if points.pairs is None:
            raise ValueError(
                f"{type(self).__name__}: the points have no neighbours; expected pairs, or "
                "pl.RelativeDamping, which needs none"
            )
        edges: Edges = points.once(Edges, lambda: Edges.of(points))
        return edges.along(points.x) if self.projected else edges


class IterativeSpringDamping(SpringDamping):
    """Spring damping repeated within each step, each time on the velocities it has left.

        v <- (I - dt gamma M^-1 E^T P E) v',    `iterations` times

    Below `bound` it converges: without `projected` to the motion of the centre of mass, which is
    `pl.RelativeDamping(gamma=1, torque=None)` at once; with it, on a rigid graph, to the rigid
    motion of the same momentum, `pl.RelativeDamping(gamma=1, torque="rotation")`. Per iteration what
    is left shrinks by the key eigenvalue, the largest |1 - dt gamma lambda| other than 1. Beyond
    the bound it diverges. As in the paper relative velocities are whole by default, those of a
    rotation too, so that spin is lost; `projected` keeps it. Source: [schmedding2009] (5), (6),
    Theorem 1.
    """

    def __init__(
        self,
        gamma: Gamma,
        *,
        iterations: Annotated[
            int,
            Quantity("how often it is repeated in a step", at_least=1, most=1_000_000, whole=True),
        ] = 10,
        projected: Projected = False,
    ):
        super().__init__(gamma, projected=projected)
        (self.iterations,) = accept(self, iterations=iterations)

    @classmethod
    def trials(cls) -> list[Trial]:
        """One trial as in the paper, and one projected."""

        def make(body: Any, mode: Vibration, *, projected: bool) -> IterativeSpringDamping:
            gamma = gamma_for(mode, body, projected=projected) / 10
            return cls(gamma, iterations=10, projected=projected)

        return [
            Trial(
                "IterativeSpringDamping",
                partial(make, projected=False),
                "the same in ten iterations, of whole relative velocities: rotation is among them",
            ),
            Trial(
                "IterativeSpringDamping, projected",
                partial(make, projected=True),
                "SpringDamping in ten iterations",
            ),
        ]

    def forces(self, points: Points, v: np.ndarray, dt: float) -> np.ndarray:
        """The sum of the forces of all iterations."""
        edges, masses, left = self._edges(points), points.masses[:, None], v
        for _ in range(self.iterations):
            left = left - dt * self.gamma * edges.times(left) / masses
        out: np.ndarray = (left - v) * masses / dt
        return out

    def key_eigenvalue(self, points: Points, dt: float) -> float:
        """The factor by which the velocities that are to vanish shrink in each iteration."""
        values = self.eigenvalues(points)
        moving = values[values > 1e-9 * values[-1]]
        return float(np.abs(1.0 - dt * self.gamma * moving).max())


def gamma_for(mode: Vibration, body: Any, *, projected: bool) -> float:
    """The gamma [kg/s] that takes 2 sigma from a vibration."""
    one = SpringDamping(1.0, projected=projected)
    loss = -float((mode.shape * one.forces(mode.points(body), mode.shape, mode.dt)).sum())
    if loss <= 0.0:
        raise NotApplicable("the slowest mode stretches no edge")
    return 2.0 * mode.viscous / loss
