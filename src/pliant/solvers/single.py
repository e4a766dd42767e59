"""Newton steps of a body that is alone in its island, with its own solver."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .aim import Lesson
from .newton import LinearReport, LinearSolver
from .tied import TiedMemory, TiedObjective


class Single:
    """Solves for an island of one body by the solver of that body, which is told what it touches.

    `Tied` would solve the same system several times, each time roughly.
    """

    quick = False

    def __init__(self, solver: LinearSolver):
        self.solver = solver
        self._alone: Any = None

    def assemble(self, objective: TiedObjective, x: np.ndarray, *, project: bool) -> None:
        """Take the Hessian at x."""
        ((_, self._alone),) = objective.members(x, project)
        self.solver.assemble(self._alone, x, project=project)

    def again(self, objective: Any, x: Any) -> Lesson | None:
        """None: every search makes its own matrix."""
        return None

    def learn(self, lesson: Lesson | None) -> None:
        """Nothing: no other search begins with the matrix."""

    def shift(self, share: float) -> None:
        """Add this share of the matrix's diagonal to it."""
        self.solver.shift(share)

    def solve(self, g: np.ndarray, *, rtol: float) -> tuple[Any, LinearReport]:
        """The Newton step -H^-1 g."""
        return self.solver.solve(g, rtol=rtol)

    def estimate(self, objective: TiedObjective, g: np.ndarray) -> float:
        """The largest entry of the preconditioned gradient, by a matrix of the same search."""
        return math.inf if self._alone is None else self.solver.estimate(self._alone, g)

    def forget(self) -> None:
        """Drop what the solver keeps."""
        self.solver.forget()

    def steepest(self, g: np.ndarray) -> Any:
        """The gradient, scaled by the diagonal."""
        return self.solver.steepest(g)

    def drop_matrix(self) -> None:
        """Keep no matrix for the next search."""
        self._alone = None
        self.solver.drop_matrix()

    @property
    def blocks(self) -> None:
        """None: the solver has its own."""
        return None

    def memory(self) -> TiedMemory:
        """What the solver keeps; the matrix is not used by the next search."""
        self._alone = None
        return TiedMemory((self.solver.memory(),))

    def remember(self, memory: TiedMemory) -> None:
        """Solve the next system as after `memory`."""
        self._alone = None
        self.solver.remember(memory.solvers[0])
