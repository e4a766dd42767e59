"""Newton steps of bodies that go in few ways, together with points that go anywhere."""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np

from pliant.backend import HostSpace, Space

from .aim import Lesson
from .constraint import Complement
from .factored import Factored
from .linear import FactorMemory
from .newton import LinearReport
from .unknowns import Unknowns


class MixedObjective(Protocol):
    """An objective of bodies of which some are confined; arrays have the points of all of them."""

    def unknowns(self, x: np.ndarray) -> Unknowns:
        """The unknowns of the search at x."""

    def complement_of(self, unknowns: Unknowns) -> Complement:
        """The directions that are searched, over the unknowns."""

    def lowered(self, x: np.ndarray, unknowns: Unknowns, project: bool) -> Any:
        """The Hessian over the unknowns, as blocks."""


class Lowered:
    """An objective as one of the unknowns, for a solver that factorises."""

    stiffness = 1.0

    def __init__(self, objective: MixedObjective, unknowns: Unknowns):
        self._objective, self._unknowns = objective, unknowns
        self.free = np.ones(unknowns.rows, dtype=bool)
        self.vectors: Space = HostSpace()
        self.complement = objective.complement_of(unknowns)

    def matrix(self, x: np.ndarray, project: bool) -> Any:
        """The Hessian over the unknowns."""
        return self._objective.lowered(x, self._unknowns, project)

    def frames(self, x: np.ndarray) -> None:
        """None: amounts do not turn."""
        return None


class Confined:
    """Solves P^T H P z = -P^T g by a factor, P being the ways of bodies that move in few coordinates."""

    quick = False

    def __init__(self, inner: Factored):
        self._inner = inner
        self._unknowns: Unknowns | None = None

    def assemble(self, objective: MixedObjective, x: np.ndarray, *, project: bool) -> None:
        """Take the Hessian at x."""
        self._unknowns = objective.unknowns(x)
        self._inner.assemble(Lowered(objective, self._unknowns), x, project=project)

    def again(self, objective: Any, x: Any) -> Lesson | None:
        """None: every search makes its own matrix."""
        return None

    def learn(self, lesson: Lesson | None) -> None:
        """Nothing: no other search begins with the matrix."""

    def shift(self, share: float) -> None:
        """Add this share of the matrix's diagonal to it."""
        self._inner.shift(share)

    def solve(self, g: np.ndarray, *, rtol: float) -> tuple[np.ndarray, LinearReport]:
        """The Newton step of the points."""
        assert self._unknowns is not None
        z, report = self._inner.solve(self._unknowns.amounts_of_force(g), rtol=rtol)
        return self._unknowns.displacement(z), report

    def estimate(self, objective: MixedObjective, g: np.ndarray) -> float:
        """The largest entry of the preconditioned gradient, by a matrix of the same search."""
        if self._unknowns is None or not self._inner.kept.ready:
            return math.inf
        z = self._inner.kept.precondition(self._unknowns.amounts_of_force(g).ravel())
        z = objective.complement_of(self._unknowns).project(z)
        return float(np.abs(self._unknowns.displacement(z)).max(initial=0.0))

    def forget(self) -> None:
        """Drop the factor."""
        self._inner.forget()

    def steepest(self, g: np.ndarray) -> np.ndarray:
        """The gradient, scaled by the diagonal."""
        assert self._unknowns is not None
        z = self._inner.steepest(self._unknowns.amounts_of_force(g))
        return self._unknowns.displacement(z)

    def drop_matrix(self) -> None:
        """Keep no unknowns for the next search."""
        self._unknowns = None

    @property
    def blocks(self) -> None:
        """None: a factor keeps no blocks."""
        return None

    def memory(self) -> FactorMemory:
        """What is kept of the factor."""
        self._unknowns = None
        return self._inner.memory()

    def remember(self, memory: FactorMemory | None) -> None:
        """Solve the next system as after `memory`; None: as the first one."""
        self._unknowns = None
        self._inner.remember(memory)
