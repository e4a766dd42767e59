"""Conjugate gradients that stay on the device from the first product to the last."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import warp as wp

from pliant.backend import HostNumbers, Launches, Recorded

from .conjugate_kernels import (
    CONVERGED,
    INDEFINITE,
    ITERATIONS,
    LARGEST,
    RR,
    STATES,
    STATUS,
    TARGET,
    UNUSABLE,
    conjugate_kernels,
)
from .hierarchy import Hierarchy
from .pair_blocks import PairBlocks
from .pair_product import PairProduct


@dataclass(frozen=True)
class ConjugateReport:
    """What one solve did."""

    iterations: int
    converged: bool
    indefinite: bool  # a direction of negative curvature was met: the matrix must be projected
    usable: bool  # if not, it was the preconditioner that was not positive
    residual: float  # of the force, relative to what it was
    largest: float  # entry of the answer


class ConjugateGradients:
    """Solves A x = b by conjugate gradients with a multigrid cycle before each step.

        p <- P B r + beta p,   x <- x + alpha p,   r <- r - alpha P^T A p

    P = I - Q Q^T M keeps the steps off a few given motions (`Complement`). The loop is recorded
    once as a graph with its own test for convergence and replayed for every system, so that no
    scalar visits the host. Source: [nocedal1999] ch. 5.
    """

    def __init__(self, multigrid: Hierarchy):
        self.multigrid = multigrid
        self._device, count = multigrid.device, multigrid.fine.count
        self._run, block = conjugate_kernels(multigrid.storage), multigrid.storage.block
        self._threads = -(-count // block) * block
        self._p, self._Ap = (wp.zeros_like(multigrid.fine.b) for _ in range(2))
        # The answer in float64 even where the steps are not: rounded to float32 it would leave a
        # residual of 1e-7 of the largest stiffness, which can be more than the right-hand side.
        double = wp.types.vector(multigrid.dim, wp.float64)
        self._x: Any = wp.zeros(count, dtype=double, device=self._device)
        self._numbers = HostNumbers(STATES, self._device)
        self._state = self._numbers.array
        self._largest = self._state[LARGEST:]
        self._going: Any = wp.zeros(1, dtype=wp.int32, device=self._device)
        kernels = [*vars(self._run).values(), *vars(multigrid.kernels).values()]
        self._loop = Recorded(self._issue, kernels, self._device)
        self._again = Launches(self._device)
        self._pairs = PairProduct(multigrid.storage, self._device)
        self._motions(0)

    def solve(
        self,
        blocks: Any,
        rhs: Any,
        out: Any,
        *,
        rtol: float,
        stiffness: float = 1.0,
        weight: float,
        frames: Any = None,
        complement: tuple[Any, Any] | None = None,
        pairs: Sequence[PairBlocks] = (),
        limit: int = 100,
        loaded: bool = False,
    ) -> ConjugateReport:
        """Solve for `out` until the residual is `rtol` of the right-hand side.

        blocks: A in the order of the pattern, identity rows at pins; rhs, out: vectors per point on
        the device, rhs zero at pins; stiffness, weight, frames: as in `Multigrid.load`.
        complement: (Q, M Q), each of shape (rank, points), zero at pins, Q M-orthonormal. pairs: more
        blocks of A off its diagonal, none at pins, which the cycle does not know. On negative curvature
        `out` is the last iterate before it. loaded: all but the right-hand side is as in the last solve.
        """
        multigrid = self.multigrid
        if not loaded:
            multigrid.load(blocks, stiffness=stiffness, weight=weight, frames=frames)
            self._load_motions(complement)
            self._pairs.load(pairs)
        report = self._attempt(rhs, rtol, limit)
        proven = report.indefinite and report.usable  # whatever the smoother did
        if not report.converged and not proven and multigrid.estimate() > 1.02:
            report = self._attempt(rhs, rtol, limit)  # the smoother had stepped too far
        self._again.cast(self._x, out)
        return report

    def _attempt(self, rhs: Any, rtol: float, limit: int) -> ConjugateReport:
        fine, run = self.multigrid.fine, self._run
        self._again.cast(rhs, fine.b)
        self._state.zero_()
        if self.rank:
            self._found.zero_()
            self._again(run.components, (self.rank, self._threads), [self._Q, fine.b, self._found])
        inputs = [fine.b, self._MQ, self._found, fine.inverse, fine.factors]
        self._again(run.start, self._threads, [*inputs, self._x, self._p, fine.x, self._state])
        if self.rank:
            self._found.zero_()
        inputs = [float(rtol), float(limit), self._state, self._going]
        self._again(run.open_loop, 1, inputs)
        values = fine.rows.values
        key = (values.ptr, self.rank, self._pairs.key)
        self._loop(key, (values, self._pairs.arguments))
        self._again(run.measure, self._threads, [self._x, self._largest])
        state = self._numbers.read()
        status = state[STATUS]
        target = math.sqrt(state[TARGET])
        return ConjugateReport(
            iterations=int(state[ITERATIONS]),
            converged=bool(status == CONVERGED),
            indefinite=bool(status in (INDEFINITE, UNUSABLE)),
            usable=bool(status != UNUSABLE),
            residual=rtol * math.sqrt(state[RR]) / target if target else 0.0,
            largest=float(state[LARGEST]),
        )

    def _issue(self) -> None:
        wp.capture_while(self._going, self._iterate)

    def _iterate(self) -> None:
        fine, run, launch = self.multigrid.fine, self._run, self._launch
        self.multigrid.cycle()
        launch(run.correlate, self._threads, [fine.b, fine.y, self._state])
        if self.rank:
            launch(run.components, (self.rank, self._threads), [self._MQ, fine.y, self._found])
        launch(run.turn, self._threads, [fine.y, self._Q, self._found, self._state, self._p])
        inputs = [*fine.rows.arguments, self._p, self._Ap, self._state]
        launch(run.multiply, self._threads, inputs)
        if self._pairs.room:
            inputs = [*self._pairs.arguments, self._p, self._Ap, self._state]
            launch(run.multiply_pairs, self._pairs.room, inputs)
        if self.rank:
            self._found_again.zero_()
            inputs = [self._Q, self._Ap, self._found_again]
            launch(run.components, (self.rank, self._threads), inputs)
        inputs = [self._p, self._Ap, self._MQ, self._found_again, fine.inverse, fine.factors]
        launch(run.advance, self._threads, [*inputs, self._x, fine.b, fine.x, self._state])
        launch(run.judge, 1, [self._state, self._going, self._found])

    def _load_motions(self, complement: tuple[Any, Any] | None) -> None:
        rank = 0 if complement is None else complement[0].shape[0]
        if rank != self.rank:
            self._loop.clear()
            self._motions(rank)
        if complement is not None and rank:
            wp.utils.array_cast(complement[0], self._Q)
            wp.utils.array_cast(complement[1], self._MQ)

    def _motions(self, rank: int) -> None:
        self.rank = rank
        shape, of = (rank, self.multigrid.fine.count), {"device": self._device}
        self._Q: Any = wp.zeros(shape, dtype=self.multigrid.vec, **of)
        self._MQ: Any = wp.zeros(shape, dtype=self.multigrid.vec, **of)
        self._found: Any = wp.zeros(max(rank, 1), dtype=wp.float64, **of)
        self._found_again: Any = wp.zeros(max(rank, 1), dtype=wp.float64, **of)

    def _launch(self, kernel: Any, shape: Any, inputs: list[Any]) -> None:
        wp.launch(kernel, shape, inputs=inputs, device=self._device)
