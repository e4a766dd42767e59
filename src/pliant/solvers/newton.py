"""Newton's method with line search and inexact linear solves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import scipy.sparse as sp

from .constraint import Complement
from .linear import KeptPreconditioner, dot


class Objective(Protocol):
    """A function of positions, shape (n, d), of which only the free points may move."""

    free: np.ndarray  # mask, (n,)
    complement: Complement  # the directions that are searched, over the free unknowns
    size: float  # a length against which displacements are judged small

    def value(self, x: np.ndarray) -> float: ...  # noqa: D102
    def gradient(self, x: np.ndarray) -> np.ndarray: ...  # noqa: D102
    def matrix(self, x: np.ndarray, project: bool) -> sp.bsr_matrix: ...  # noqa: D102
    def frames(self, x: np.ndarray) -> np.ndarray | None: ...  # noqa: D102
    def step_limit(self, x: np.ndarray, dx: np.ndarray) -> float: ...  # noqa: D102


#: Steps smaller than this share of the body's size are in Newton's quadratic range.
SMALL = 1e-5


@dataclass
class Report:
    """What a minimisation did; `reason` says why it stopped."""

    iterations: int
    linear_iterations: int
    residual: float  # largest entry of the projected gradient [N]
    reason: str

    @property
    def converged(self) -> bool:
        """Whether the answer is a stationary point to tolerance or to rounding."""
        return self.reason in ("converged", "rounding")


@dataclass(frozen=True)
class Newton:
    """Minimise by Newton steps, each solved only as exactly as it is worth.

        H p = -g,   x <- x + a p,   a by halving until f decreases (Armijo)

    The exact Hessian is tried first: near an answer it converges quadratically. Where conjugate
    gradients meet negative curvature it is replaced, for that step, by the projected one, whose
    directions always descend. Stops when a full step moves no point by more than `tolerance` times
    the size of the body. Source: [nocedal1999] ch. 6.
    """

    tolerance: float = 1e-9
    iterations: int = 200

    def minimise(
        self, objective: Objective, x: np.ndarray, linear: KeptPreconditioner
    ) -> tuple[np.ndarray, Report]:
        """Return the minimiser reached from x, and the report."""
        free, complement = objective.free, objective.complement
        f = objective.value(x)
        if not np.isfinite(f):
            return x, Report(0, 0, np.inf, "start is not admissible")
        spent = 0
        previous = last = np.inf
        projected = False
        for k in range(self.iterations):
            g = complement.project_force(objective.gradient(x)[free].ravel())
            norm = math.sqrt(dot(g, g))
            residual = float(np.abs(g).max(initial=0.0))
            if not np.isfinite(norm):
                return x, Report(k, spent, residual, "gradient is not finite")
            if norm == 0.0:
                return x, Report(k, spent, 0.0, "converged")
            # Eisenstat-Walker: exact only as far as the last step was quadratic.
            rtol = float(np.clip(0.5 * (norm / previous) ** 2, 1e-4, 0.05))
            previous = norm
            # Once curvature was negative it is likely to stay so until the steps grow small.
            projected = projected and last > 1e-3 * objective.size
            p, used, projected = self._direction(objective, x, g, rtol, linear, projected)
            spent += used
            dx = np.zeros_like(x)
            dx[free] = p.reshape(-1, x.shape[1])
            move = last = float(np.abs(dx).max(initial=0.0))
            slope = dot(g, p)
            if move <= self.tolerance * objective.size:
                return x + dx, Report(k + 1, spent, residual, "converged")
            step, f_new = self._search(objective, x, dx, f, slope)
            if step < 1.0 and move <= SMALL * objective.size:
                # So near an answer the change of the value drowns in rounding; the gradient does
                # not, so a full step is judged by it instead.
                g_new = complement.project_force(objective.gradient(x + dx)[free].ravel())
                if not dot(g_new, g_new) < norm**2:
                    return x, Report(k, spent, residual, "rounding")
                step, f_new = 1.0, objective.value(x + dx)
            if step == 0.0:
                return x, Report(k, spent, residual, "stalled")
            x = x + step * dx
            f = f_new
        return x, Report(self.iterations, spent, residual, "iteration limit")

    def _direction(
        self,
        objective: Objective,
        x: np.ndarray,
        g: np.ndarray,
        rtol: float,
        linear: KeptPreconditioner,
        projected: bool,
    ) -> tuple[np.ndarray, int, bool]:
        """A descent direction, the CG iterations it took, and whether projection was needed."""
        complement = objective.complement
        frames = objective.frames(x)
        spent = 0
        for exact in (False,) if projected else (True, False):
            matrix = objective.matrix(x, project=not exact)
            for _ in range(2):  # a kept preconditioner may itself be the trouble: once more, fresh
                p, report = linear.solve(
                    matrix,
                    -g,
                    rtol=rtol,
                    complement=complement,
                    frames=frames,
                    definite=(lambda: objective.matrix(x, project=True)) if exact else None,
                )
                spent += report.iterations
                if not report.indefinite:
                    return p, spent, not exact
                if exact or report.fresh:
                    break
                linear.forget()
        # The projected matrix is positive semi-definite; a zero eigenvalue is left to the shift.
        for shift in (1e-8, 1e-5, 1e-2, 1.0):
            linear.forget()
            damped = matrix + sp.diags(shift * np.abs(matrix.diagonal())).tobsr(matrix.blocksize)
            p, report = linear.solve(damped, -g, rtol=rtol, complement=complement, frames=frames)
            spent += report.iterations
            if not report.indefinite:
                return p, spent, True
        linear.forget()
        return complement.project(-g / np.maximum(np.abs(matrix.diagonal()), 1e-300)), spent, True

    @staticmethod
    def _search(
        objective: Objective, x: np.ndarray, dx: np.ndarray, f: float, slope: float
    ) -> tuple[float, float]:
        """Halve the step until the value decreases enough; 0 if no step does."""
        limit = objective.step_limit(x, dx)
        step = 1.0 if limit > 1.0 else limit
        # Values are sums of many terms: a decrease below their rounding cannot be seen.
        slack = 1e-13 * abs(f)
        for _ in range(60):
            f_new = objective.value(x + step * dx)
            if f_new <= f + 1e-4 * step * slope + slack:
                return step, f_new
            step *= 0.5
        return 0.0, f
