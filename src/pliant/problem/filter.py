"""Dampings that act on the velocities a step has arrived at."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from pliant.mesh import connected

from .damping import Damping


@dataclass(frozen=True)
class Points:
    """A body as such a damping sees it: points with masses, and which of them are connected.

    x [m], (n, d), at the start of the step; masses [kg], (n,); pairs: the points that act on each
    other, (e, 2); cells: index arrays (c, k) of points that form a cell, if there are any. Points
    without connectivity have neither. undeformed: the shape in which k-means looks for clusters, x by
    default. `made`: a cache for what dampings compute from masses and neighbours, by keys of their own.
    All `Points` of one body share it.
    """

    x: np.ndarray
    masses: np.ndarray
    pairs: np.ndarray | None = None
    cells: Sequence[np.ndarray] = ()
    undeformed: np.ndarray | None = None
    made: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for name in ("x", "masses", "pairs"):
            if isinstance(getattr(self, name), (list, tuple)):
                object.__setattr__(self, name, np.array(getattr(self, name)))
        if np.shape(self.masses) != np.shape(self.x)[:1] or not np.min(self.masses) > 0.0:
            raise ValueError(
                f"Points: got masses {self.masses!r} of {len(self.x)} points; expected one mass > 0 "
                "[kg] for each"
            )
        pairs = self.pairs
        if pairs is not None and pairs.size and not 0 <= pairs.min() <= pairs.max() < len(self.x):
            raise ValueError(
                f"Points: got pairs from {pairs.min()} to {pairs.max()}; expected numbers of points "
                f"from 0 to {len(self.x) - 1}, (e, 2)"
            )

    def __len__(self) -> int:
        return len(self.masses)

    def once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """The result of `make()`, which is called once for each key."""
        if key not in self.made:
            self.made[key] = make()
        return self.made[key]

    @cached_property
    def parts(self) -> np.ndarray:
        """Label of the connected part of each point, (n,): one part without connectivity."""
        if self.pairs is None:
            return np.zeros(len(self), dtype=int)
        return connected(self.pairs[:, 0], self.pairs[:, 1], len(self))


class VelocityFilter(Damping):
    """Forces on the velocities that a step without damping has reached, within the same step.

        v' = velocities after the step,   v = v' + dt M^-1 f(x, v'),    x_new = x' + dt (v - v')

    With symplectic Euler these are exactly the predicted velocities v' = v + dt M^-1 F of
    [schmedding2009]; any other stepper works in the same way. Forces on pins are left out.
    """

    @abstractmethod
    def forces(self, points: Points, v: np.ndarray, dt: float) -> np.ndarray:
        """The damping forces [N] on points with velocities v [m/s] in a step dt, (n, d)."""

    def slowed(
        self, points: Points, before: np.ndarray, v: np.ndarray, dt: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """The change of velocities [m/s] and of positions [m]; before: velocities at the start."""
        change = dt * self.forces(points, v, dt) / points.masses[:, None]
        return change, dt * change
