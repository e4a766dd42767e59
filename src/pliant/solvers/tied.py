"""Newton steps of several bodies that are tied together, each with its own solver."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp

from .aim import Lesson
from .constraint import Complement
from .linear import dot
from .newton import LinearReport, LinearSolver

#: The relative residual to which each body's own system is solved in one iteration.
INNER = 0.1
#: Iterations after which a system counts as not solved.
MOST_ITERATIONS_TIED = 200
#: Eigenvalues of the coarse matrix below this share of the largest are zero.
SINGULAR = 1e-12


class TiedObjective(Protocol):
    """The objective of several bodies; arrays have the points of all of them, one after another."""

    free: np.ndarray  # mask, (n,)
    complement: Complement  # the directions that are searched, over the free unknowns

    def matrix(self, x: np.ndarray, project: bool) -> Any:
        """The Hessian over the free points, ties included."""

    def members(self, x: np.ndarray, project: bool) -> Sequence[tuple[slice, Any]]:
        """For every body its points, and its objective alone, off its own rigid motions at x."""

    def stiff(self, x: np.ndarray) -> sp.csc_matrix:
        """Ways over the free unknowns that stretch ties, or move one body rigidly, as columns."""


@dataclass(frozen=True)
class TiedMemory:
    """What is kept of the bodies' solvers."""

    solvers: tuple[Any, ...]


class Tied:
    """Conjugate gradients that are preconditioned by the solver of each body.

        z = Z r + (1 - Z A) S (1 - A Z) r,      Z = W (W^T A W)^-1 W^T

    S solves for each body alone. W are the ways in which that is far from the answer: those that
    stretch a tie, and the rigid motions of each body. On these the matrix A is inverted itself
    (balancing [mandel1993]), so that neither stiff ties nor free bodies cost iterations.
    """

    quick = False

    def __init__(self, solvers: Sequence[LinearSolver]):
        self.solvers = tuple(solvers)
        self._matrix: Any = None

    def assemble(self, objective: TiedObjective, x: np.ndarray, *, project: bool) -> None:
        """Take the Hessian at x."""
        self._free, self._complement = objective.free, objective.complement
        self._members = objective.members(x, project)
        for solver, (own, alone) in zip(self.solvers, self._members, strict=True):
            solver.assemble(alone, x[own], project=project)
        self._load(objective.matrix(x, project), objective.stiff(x))

    def again(self, objective: Any, x: Any) -> Lesson | None:
        """None: every search makes its own matrix."""
        return None

    def learn(self, lesson: Lesson | None) -> None:
        """Nothing: no other search begins with the matrix."""

    def shift(self, share: float) -> None:
        """Add this share of the matrix's diagonal to it."""
        diagonal = sp.diags(share * np.abs(self._matrix.diagonal()))
        for solver in self.solvers:
            solver.shift(share)
        self._load(self._matrix + diagonal.tobsr(self._matrix.blocksize), self._ways)

    def solve(self, g: np.ndarray, *, rtol: float) -> tuple[np.ndarray, LinearReport]:
        """The Newton step -H^-1 g, by flexible conjugate gradients."""
        project, project_force = self._complement.project, self._complement.project_force
        r = project_force(-g[self._free].ravel())
        target = rtol**2 * dot(r, r)
        x, p, r_old, rz_old = np.zeros_like(r), np.zeros_like(r), r, 1.0
        for k in range(MOST_ITERATIONS_TIED):
            if dot(r, r) <= target:
                return self._spread(x, g), LinearReport(k, True, False, True)
            found = self._preconditioned(r)
            z = r if found is None else project(found)
            rz = dot(r, z)
            if found is None or not rz > 0.0:
                return self._spread(x, g), LinearReport(k, False, True, True)
            # The solvers of the bodies are not the same matrix twice: Polak and Ribiere's factor.
            p = z + (dot(z, r - r_old) / rz_old if k else 0.0) * p
            ap = project_force(self._matrix @ p)
            curvature = dot(p, ap)
            if not curvature > 0.0:
                return self._spread(x, g), LinearReport(k, False, True, True)
            length = dot(p, r) / curvature
            x = x + length * p
            r_old, r, rz_old = r, r - length * ap, rz
        return self._spread(x, g), LinearReport(MOST_ITERATIONS_TIED, False, False, True)

    def estimate(self, objective: TiedObjective, g: np.ndarray) -> float:
        """The largest entry of the preconditioned gradient, by a matrix of the same search."""
        if self._matrix is None:
            return math.inf
        z = self._preconditioned(g[self._free].ravel())
        return (
            math.inf if z is None else float(np.abs(self._complement.project(z)).max(initial=0.0))
        )

    def forget(self) -> None:
        """Drop what the bodies' solvers keep."""
        self._matrix = None
        for solver in self.solvers:
            solver.forget()

    def steepest(self, g: np.ndarray) -> np.ndarray:
        """The gradient, scaled by the diagonal."""
        diagonal = np.maximum(np.abs(self._matrix.diagonal()), 1e-200)
        return self._spread(self._complement.project(-g[self._free].ravel() / diagonal), g)

    def drop_matrix(self) -> None:
        """Keep no matrix for the next search."""
        self._matrix = None
        for solver in self.solvers:
            solver.drop_matrix()

    @property
    def blocks(self) -> None:
        """None: the bodies' solvers have their own."""
        return None

    def memory(self) -> TiedMemory:
        """What the bodies' solvers keep; the matrix of all is not used by the next search."""
        self._matrix = None
        return TiedMemory(tuple(solver.memory() for solver in self.solvers))

    def remember(self, memory: TiedMemory) -> None:
        """Solve the next system as after `memory`."""
        self._matrix = None
        for solver, known in zip(self.solvers, memory.solvers, strict=True):
            solver.remember(known)

    def _load(self, matrix: Any, ways: sp.csc_matrix) -> None:
        self._matrix, self._ways = matrix, ways
        self._images = matrix @ ways if sp.issparse(matrix) else matrix @ ways.toarray()
        coarse = ways.T @ self._images
        coarse = coarse.toarray() if sp.issparse(coarse) else np.asarray(coarse)
        values, vectors = np.linalg.eigh(0.5 * (coarse + coarse.T))
        kept = values > SINGULAR * max(values.max(initial=0.0), 1e-300)
        self._inverse = (vectors[:, kept] / values[kept]) @ vectors[:, kept].T

    def _coarse(self, r: np.ndarray) -> np.ndarray:
        return np.asarray(self._inverse @ (self._ways.T @ r))

    def _preconditioned(self, r: np.ndarray) -> np.ndarray | None:
        """About the inverse of the matrix times r; None if a body's matrix is not definite."""
        first = self._coarse(r)
        alone = self._alone(r - self._images @ first)
        if alone is None:
            return None
        back = self._inverse @ (self._images.T @ alone)
        return np.asarray(self._ways @ (first - back) + alone)

    def _alone(self, r: np.ndarray) -> np.ndarray | None:
        """The bodies' own answers to r."""
        full = np.zeros((len(self._free), r.size // max(int(self._free.sum()), 1)))
        full[self._free] = r.reshape(-1, full.shape[1])
        for solver, (own, alone) in zip(self.solvers, self._members, strict=True):
            mine = alone.admitted_force(full[own].copy())
            if not mine.any():
                full[own] = 0.0
                continue
            p, report = solver.solve(-mine, rtol=INNER)
            if report.indefinite and not report.iterations:
                return None
            full[own] = p
        return np.asarray(full[self._free].ravel())

    def _spread(self, free: np.ndarray, like: np.ndarray) -> np.ndarray:
        out = np.zeros_like(like)
        out[self._free] = free.reshape(-1, like.shape[1])
        return out
