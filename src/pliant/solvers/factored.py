"""Newton steps from a sparse factor on the host."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp

from pliant.backend import Space

from .aim import Lesson, alike
from .constraint import FLAT, Complement
from .linear import FactoredMatrix, FactorMemory, KeptPreconditioner, MatrixSource
from .newton import LinearReport


class MatrixObjective(Protocol):
    """An objective whose Hessian over the free points is a scipy matrix."""

    free: np.ndarray  # mask, (n,)
    vectors: Space
    stiffness: float  # about how many times the stiffness of the body the Hessian is
    complement: Complement  # the directions that are searched, over the free unknowns

    def matrix(self, x: np.ndarray, project: bool) -> sp.bsr_matrix:
        """The Hessian over the free points."""

    def frames(self, x: np.ndarray) -> np.ndarray | None:
        """The rotation of the neighbourhood of each free point."""


class Factored:
    """Conjugate gradients with a kept factor: for small bodies, and for difficult ones."""

    def __init__(self, kept: KeptPreconditioner):
        self.kept = kept
        self._matrix: sp.bsr_matrix | None = None
        self._scale = 1.0
        self._frames: np.ndarray | None = None
        self._lesson: Lesson | None = None
        self._definite: Callable[[], sp.bsr_matrix] | None = None

    def assemble(self, objective: MatrixObjective, x: np.ndarray, *, project: bool) -> None:
        """Take the Hessian at x."""
        self._meet(objective)
        self._matrix, self._scale = objective.matrix(x, project), objective.stiffness
        self._frames, self._lesson = objective.frames(x), None
        self._definite = None if project else lambda: objective.matrix(x, True)

    @property
    def quick(self) -> bool:
        """Whether an estimate costs little beside a gradient: if the step has energies of its own."""
        return self._scale > 1.0

    def _meet(self, objective: MatrixObjective) -> None:
        self._free, self._complement = objective.free, objective.complement
        self._space = objective.vectors

    def again(self, objective: Any, x: Any) -> Lesson | None:
        """Take the last matrix, if it is about as stiff as that of this objective."""
        if self._lesson is None or not alike(self._scale, objective.stiffness):
            return None
        self._meet(objective)
        self._definite = lambda: objective.matrix(x, True)
        return self._lesson if self._complement.rank == 0 else None

    def learn(self, lesson: Lesson | None) -> None:
        """Keep the matrix for the next search if the step has energies of its own: it is dear."""
        if lesson is not None:  # else the search may have ended before it was asked for anything
            dear = self._scale > 1.0 and self._complement.rank == 0
            lesson = lesson if dear and self._matrix is not None else None
        self._lesson = lesson

    def shift(self, share: float) -> None:
        """Add this share of the matrix's diagonal to it."""
        assert self._matrix is not None
        diagonal = sp.diags(share * np.abs(self._matrix.diagonal()))
        self._matrix = self._matrix + diagonal.tobsr(self._matrix.blocksize)

    def solve(self, g: Any, *, rtol: float) -> tuple[Any, LinearReport]:
        """The Newton step -H^-1 g."""
        assert self._matrix is not None
        p, report = self.kept.solve(
            self._matrix,
            -self._unknowns(g),
            rtol=rtol,
            complement=self._complement,
            frames=self._frames,
            definite=self._definite,
        )
        return self._spread(p), report

    def estimate(self, objective: MatrixObjective, g: Any) -> float:
        """The largest entry of the preconditioned gradient."""
        if not self.kept.ready:
            return math.inf
        unknowns = FLAT.asarray(g)[objective.free].ravel()
        z = objective.complement.project(self.kept.precondition(unknowns))
        return float(np.abs(z).max(initial=0.0))

    def forget(self) -> None:
        """Drop the factor."""
        self.kept.forget()

    def drop_matrix(self) -> None:
        """Nothing: an estimate needs the factor only."""

    @property
    def blocks(self) -> None:
        """None: a factor keeps no blocks."""
        return None

    def memory(self) -> FactorMemory:
        """What is kept of the factor; and of the last matrix, if the next search may begin with it."""
        last = None
        if self._lesson is not None:
            source = MatrixSource.of(self._matrix, loose=False)
            last = FactoredMatrix(source, self._frames, self._lesson)
        return self.kept.memory(self._scale, last)

    def remember(self, memory: FactorMemory | None) -> None:
        """Solve the next system as after `memory`; None: as the first one."""
        memory = memory or FactorMemory()
        self.kept.remember(memory)
        self._scale, self._lesson = memory.scale, None
        if (last := memory.last) is not None:
            self._matrix = last.source.matrix(self.kept.unknowns)
            self._frames, self._lesson = last.frames, last.lesson

    def steepest(self, g: Any) -> Any:
        """The gradient, scaled by the diagonal."""
        assert self._matrix is not None
        diagonal = np.abs(self._matrix.diagonal())
        # What has no stiffness must not go to infinity.
        diagonal = np.maximum(diagonal, max(1e-30 * diagonal.max(initial=0.0), 1e-200))
        return self._spread(self._complement.project(-self._unknowns(g) / diagonal))

    def _unknowns(self, g: Any) -> np.ndarray:
        return np.asarray(FLAT.asarray(g)[self._free].ravel())

    def _spread(self, unknowns: np.ndarray) -> Any:
        out = np.zeros((len(self._free), len(unknowns) // max(int(self._free.sum()), 1)))
        out[self._free] = unknowns.reshape(-1, out.shape[1])
        return self._space.asarray(out)
