"""Penalties between cells that come too close."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .closest_pairs import ClosestPairs, Touching
from .neighbours import Neighbours
from .penalty import Penalty, Searched

#: A number for each pair (i, j) of cells.
OfPairs = Callable[[np.ndarray, np.ndarray], np.ndarray]


class PairPenalty(Penalty):
    """Cells push each other apart when they are nearer than their thickness: the gap is

        g = |d|,       d = the shortest way between two cells

    touching: how two cells are closest; neighbours: the pairs, four points each; thickness h [m] and
    stiffness k [N/m] as functions of the numbers (i, j) of pairs.

    Angular momentum is kept to rounding too, and energy as the step keeps it: W and its gradient are
    exact. The Hessian is Gauss and Newton's.

    Not for fast things through thin ones: what passes half the thickness in one step comes out on
    the other side. At an edge that two cells share, pairs push twice.
    """

    def __init__(
        self,
        points: np.ndarray,
        touching: Touching,
        neighbours: Neighbours,
        *,
        thickness: OfPairs,
        stiffness: OfPairs,
        device: Any = "cpu",
    ):
        super().__init__(points, device=device)
        self._touching, self._near = touching, neighbours
        self._thickness, self._stiffness = thickness, stiffness
        self._listed = neighbours.pairs  # that the contacts are made from; now there are none
        self._at: Any = None

    def contacts(self, x: Any) -> Any:
        """All pairs that may touch, where they are closest."""
        self._near.update(x.numpy())
        if self._listed is not self._near.pairs:
            self._list(*self._near.pairs)
            self._listed = self._near.pairs
        if self._at is not None:
            self._closest.find(x)
        return self._at

    def memory(self) -> Searched:
        """The positions at which pairs were searched last."""
        return Searched(self._near.where)

    def remember(self, memory: Searched) -> None:
        """Set the pairs that were found at these positions."""
        self._near.remember(memory.pairs)

    def _list(self, i: np.ndarray, j: np.ndarray) -> None:
        s, on = self._near.stencils(), self._device
        self._closest = found = ClosestPairs(self._touching, s, self._dim, device=on)
        laws = np.zeros(len(i)), self._thickness(i, j), self._stiffness(i, j)
        given = found.stencils, found.weights, found.normals
        self._at = self._made(*given, *laws) if len(i) else None
