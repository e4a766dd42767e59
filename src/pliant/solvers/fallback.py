"""What solvers by a hierarchy share: another solver takes what they cannot solve."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from pliant.backend import Exchange

from .aim import Lesson
from .hierarchy import Hierarchy
from .linear import FactorMemory
from .newton import LinearSolver

#: With so few iterations for a digit one cycle tells how far the next step goes.
FEW = 4.0
#: Iterations after which a system with blocks of pairs, which the hierarchy does not know, has failed.
MOST_ITERATIONS_TOUCHING = 600


class WithFallback:
    """Solves by conjugate gradients with a cycle, or leaves the system at hand to `otherwise`.

    exchange: hands arrays of the objective to the device and back.
    """

    quick = False

    def __init__(self, exchange: Exchange, otherwise: Callable[[], LinearSolver] | None = None):
        self._exchange, self._otherwise = exchange, otherwise
        self._other: LinearSolver | None = None
        self._elsewhere = False  # whether the other has the matrix at hand
        self._loaded = False  # whether the hierarchy has it
        self._at: tuple[Any, Any, bool]  # what `assemble` was given

    @property
    def _ready(self) -> Hierarchy | None:
        """The hierarchy, if it is that of the last matrix."""
        raise NotImplementedError

    def shift(self, share: float) -> None:
        """Add this share of the matrix's diagonal to it."""
        if self._elsewhere:
            self._the_other().shift(share)
        else:
            self._at[0].shift(share)
            self._loaded = False

    def again(self, objective: Any, x: Any) -> Lesson | None:
        """None: every search makes its own matrix."""
        return None

    def learn(self, lesson: Lesson | None) -> None:
        """Nothing: no other search begins with the matrix."""

    def estimate(self, objective: Any, g: Any) -> float:
        """The largest entry of one cycle from the gradient."""
        if self._elsewhere:
            return self._the_other().estimate(objective, g)
        hierarchy = self._ready
        if hierarchy is None:
            return math.inf
        y = self._exchange.placed(g)
        z = objective.vectors.empty_like(g) if y is g else y
        hierarchy.apply(y, z)
        return float(objective.vectors.largest(objective.admitted(self._exchange.taken(z))))

    def drop_matrix(self) -> None:
        """Forget the matrix of the points."""
        self._loaded = False

    def _the_other(self) -> LinearSolver:
        assert self._otherwise is not None
        if self._other is None:
            self._other = self._otherwise()
        return self._other

    def _leave(self) -> None:
        """Give the matrix at hand to the other solver."""
        objective, x, project = self._at
        self._the_other().assemble(objective, x, project=project)
        self._elsewhere = True

    def _memory_of_other(self) -> FactorMemory | None:
        return None if self._other is None else self._other.memory()

    def _remind_other(self, memory: FactorMemory | None) -> None:
        if self._other is not None or memory is not None:
            self._the_other().remember(memory)
