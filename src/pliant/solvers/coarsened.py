"""Newton steps by conjugate gradients with a Galerkin cycle: for sheets and nets of any size."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pliant.backend import Exchange

from .conjugate import ConjugateGradients
from .fallback import FEW, MOST_ITERATIONS_TOUCHING, WithFallback
from .galerkin import Galerkin, GalerkinMemory
from .linear import FactorMemory
from .newton import LinearReport, LinearSolver

#: More iterations than this are a sign that a factor would be faster.
MOST_ITERATIONS_COARSENED = 150
#: After so many failures in a row the factor takes over. It solves so many systems before the
#: hierarchy is tried again.
FAILURES_IN_A_ROW, SYSTEMS_LEFT_OUT = 3, 50


@dataclass(frozen=True, eq=False)
class CoarsenedMemory:
    """What `Coarsened` keeps; blocks: of the last matrix, if the hierarchy is made from it."""

    failed: int = 0
    left: int = 0
    hopeless: bool = False
    elsewhere: bool = False
    blocks: Any = None
    levels: GalerkinMemory | None = None
    other: FactorMemory | None = None
    pace: float = 0.0


class Coarsened(WithFallback):
    """Uses a hierarchy that is made anew with every matrix. What it cannot solve is left to
    `otherwise`.

    galerkin: makes the hierarchy when it is first needed, or None if there is none. touching:
    whether systems may have blocks of pairs, which the hierarchy does not know.
    """

    def __init__(
        self,
        galerkin: Callable[[], Galerkin | None],
        *,
        exchange: Exchange,
        otherwise: Callable[[], LinearSolver],
        touching: bool = False,
    ):
        super().__init__(exchange, otherwise)
        self._make, self._touching = galerkin, touching
        self._most = MOST_ITERATIONS_TOUCHING if touching else MOST_ITERATIONS_COARSENED
        self._pace = 0.0  # iterations for a digit
        self._cg: ConjugateGradients | None = None
        self._galerkin: Galerkin | None = None
        self._failed = self._left = 0
        self._hopeless = False

    @property
    def gave_up(self) -> bool:
        """Whether the other solver has taken over."""
        return self._failed >= FAILURES_IN_A_ROW

    def assemble(self, objective: Any, x: Any, *, project: bool) -> None:
        """Take the Hessian at x."""
        self._at = (objective, x, project)
        self._loaded, self._elsewhere = False, False
        if self.gave_up:
            self._left += 1
            if self._left > SYSTEMS_LEFT_OUT and not self._hopeless:
                self._failed, self._left = FAILURES_IN_A_ROW - 1, 0
        if self.gave_up or objective.couples_all(x):
            self._leave()
        else:
            self._blocks, self._pairs = objective.blocks(x, project), objective.pairs(x, project)
            self._motions = objective.motions()

    def solve(self, g: Any, *, rtol: float) -> tuple[Any, LinearReport]:
        """The Newton step -H^-1 g."""
        if self._elsewhere:
            return self._the_other().solve(g, rtol=rtol)
        if self._cg is None:
            self._begin()
        if self._cg is None:
            self._failed, self._hopeless = FAILURES_IN_A_ROW, True
            self._leave()
            return self._the_other().solve(g, rtol=rtol)
        rhs = self._exchange.placed(self._at[0].vectors.negated(g))
        found = self._cg.solve(
            self._blocks,
            rhs,
            rhs,
            rtol=rtol,
            weight=0.0,
            complement=self._motions,
            pairs=self._pairs,
            limit=self._most,
            loaded=self._loaded,
        )
        self._loaded = True
        self._pace = found.iterations / max(-math.log10(rtol), 1.0)
        if found.converged or found.indefinite:
            self._failed = 0
            # The cycle is so good that even a few steps of a sheet that buckles serve better than
            # another matrix would.
            descends = found.indefinite and found.usable and found.iterations > 0
            report = LinearReport(
                found.iterations, found.converged, found.indefinite, True, descends
            )
            return self._exchange.taken(rhs), report
        self._failed += 1
        self._leave()
        return self._the_other().solve(g, rtol=rtol)

    def estimate(self, objective: Any, g: Any) -> float:
        """The largest entry of one cycle from the gradient, and more where iterations were many."""
        found = super().estimate(objective, g)
        return found * max(1.0, self._pace / FEW) ** 2 if self._touching else found

    def forget(self) -> None:
        """Count failures from zero. The hierarchy is made anew with every matrix in any case."""
        self._failed = FAILURES_IN_A_ROW if self._hopeless else 0
        if self._other is not None:
            self._other.forget()

    @property
    def _ready(self) -> Galerkin | None:
        return self._galerkin if self._loaded else None

    @property
    def blocks(self) -> Any:
        """The blocks that the hierarchy is made from, if it is in use."""
        return self._blocks if self._loaded and not self._elsewhere else None

    def memory(self) -> CoarsenedMemory:
        """What the next search depends on."""
        return CoarsenedMemory(
            self._failed,
            self._left,
            self._hopeless,
            self._elsewhere,
            self.blocks,
            None if self._galerkin is None else self._galerkin.memory(),
            self._memory_of_other(),
            self._pace,
        )

    def remember(self, memory: CoarsenedMemory | None) -> None:
        """Restore the state of `memory`. The hierarchy is made again from its matrix."""
        memory = memory or CoarsenedMemory()
        self._failed, self._left, self._hopeless = memory.failed, memory.left, memory.hopeless
        self._loaded, self._elsewhere, self._pace = False, memory.elsewhere, memory.pace
        self._remind_other(memory.other)
        if self._galerkin is None and memory.levels is not None:
            self._begin()
        if self._galerkin is not None:
            self._blocks = self._galerkin.remember(memory.levels, memory.blocks)
            self._loaded = memory.blocks is not None

    def steepest(self, g: Any) -> Any:
        """The gradient, scaled by the diagonal."""
        if not self._elsewhere:
            self._leave()
        return self._the_other().steepest(g)

    def _begin(self) -> None:
        """Make the hierarchy, if there is one."""
        self._galerkin = self._make()
        self._cg = None if self._galerkin is None else ConjugateGradients(self._galerkin)
