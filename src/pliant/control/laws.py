"""The laws of the cells of a body: one for all, one for each connected part, or one for each place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pliant.backend import Labels
from pliant.energies import PerPart
from pliant.problem import StepContext

from .law import Law
from .part_distances import parts_of_cells, parts_of_points
from .past import anchor_gains, anchor_of


@dataclass(frozen=True, eq=False)
class Laws:
    """The laws of groups; the group of each cell of every energy of strain, and of each point."""

    each: Sequence[Law]
    cells: Sequence[Labels]
    points: Labels

    @classmethod
    def of_parts(cls, context: StepContext, each: Sequence[Law]) -> Laws:
        """Every connected part has one."""
        body = context.mechanics
        return cls(each, parts_of_cells(body), parts_of_points(body))

    @cached_property
    def alike(self) -> bool:
        """Whether all cells have the same law."""
        return len(set(self.each)) == 1

    @property
    def slowest(self) -> Law:
        """The one that stands for all where only one can be: in the stiffness of loads."""
        return min(self.each, key=lambda law: law.decay)

    def of_cells(self, values: Sequence[float]) -> list[float | PerPart]:
        """What every group has, for the cells of each energy: one number if it is the same for all."""
        if len(set(values)) == 1:
            return [values[0]] * len(self.cells)
        return [PerPart(tuple(values), cells) for cells in self.cells]

    def anchor(self, context: StepContext, last_dt: float | None) -> Any:
        """Where inertia carries each point by its own law."""
        if self.alike:
            return anchor_of(context, self.each[0], last_dt)
        gains = np.array([anchor_gains(law, last_dt, context.dt) for law in self.each])
        return context.vectors.led_each(
            context.x, gains * [1.0, context.dt], self.points, context.rest, context.drift
        )

    def mixed(self, context: StepContext, shares: Sequence[float], x: Any, y: Any) -> Any:
        """The shape whose points have these shares of x, and the rest of y."""
        gains = np.stack([shares, np.zeros(len(shares))], axis=1)
        return context.vectors.led_each(y, gains, self.points, x, y)

    def of_points(self, values: Sequence[float]) -> np.ndarray:
        """What every group has, for the points, (n,)."""
        each: np.ndarray = np.asarray(values)[self.points.numbers]
        return each
