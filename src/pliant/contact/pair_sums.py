"""Value, gradient and Hessian of a sum over pairs."""

from __future__ import annotations

from typing import Any

import warp as wp

from pliant.energies import summed
from pliant.solvers import PairBlocks

from .block_kernels import ABOVE


class PairSum:
    """Sums over pairs by kernels that know a law.

    kernels: value, gradient and hessian, as of `barrier_kernels` and `bristle_kernels`; count: the
    number of points that are unknown. Positions x may have more, which are given.
    """

    def __init__(self, kernels: Any, dim: int, count: int, *, device: Any):
        self._run, self._count, self._device = kernels, count, device
        self._matrix = wp.types.matrix((dim, dim), wp.float64)

    def value(self, x: Any, law: Any, pairs: int) -> float:
        """Return the sum over so many pairs [J]."""
        if not pairs:
            return 0.0
        energies: Any = wp.empty(pairs, dtype=wp.float64, device=self._device)
        self._launch(self._run.value, pairs, x, law, energies)
        return summed(energies)

    def add_gradient(self, x: Any, law: Any, pairs: int, g: Any) -> None:
        """Add the gradient [N] to g."""
        self._launch(self._run.gradient, pairs, x, law, self._count, g)

    def add_diagonal(
        self, x: Any, law: Any, pairs: int, blocks: Any, slots: Any, *, project: bool
    ) -> None:
        """Add the blocks of the diagonal [N/m] to `blocks`, at the slots of single points."""
        given = [x, law, self._count, int(project), slots, blocks]
        self._launch(self._run.diagonal, pairs, *given)

    def off_diagonal(self, x: Any, law: Any, pairs: int, *, project: bool) -> PairBlocks:
        """The blocks off the diagonal [N/m]."""
        rows, columns = (
            wp.empty(ABOVE * pairs, dtype=wp.int32, device=self._device) for _ in range(2)
        )
        above: Any = wp.empty(ABOVE * pairs, dtype=self._matrix, device=self._device)
        given = [x, law, self._count, int(project), rows, columns, above]
        self._launch(self._run.above, pairs, *given)
        return PairBlocks(rows, columns, above)

    def _launch(self, kernel: Any, pairs: int, *inputs: Any) -> None:
        if pairs:
            wp.launch(kernel, dim=pairs, inputs=list(inputs), device=self._device)
