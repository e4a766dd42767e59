"""Value, gradient and Hessian of a sum over pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
import warp as wp

from pliant.energies import summed

from .barrier_kernels import ABOVE


@dataclass(frozen=True, eq=False)
class PairBlocks:
    """Blocks of a symmetric matrix off its diagonal, as arrays of a device.

    rows and columns: int32, the points of each block; above: mat(dim, dim), the blocks. The block
    (columns, rows) is the transpose and is not listed. A place may be listed more than once, and
    counts as often; blocks that are not used are zero, at row and column 0.
    """

    rows: Any
    columns: Any
    above: Any

    def matrix(self, points: int) -> sp.bsr_matrix:
        """The scipy matrix over all points, both triangles."""
        i, j, blocks = self.rows.numpy(), self.columns.numpy(), self.above.numpy()
        used = i != j
        i, j, blocks = i[used], j[used], blocks[used]
        rows, columns = np.concatenate([i, j]), np.concatenate([j, i])
        both = np.concatenate([blocks, np.swapaxes(blocks, 1, 2)])
        order = np.lexsort((columns, rows))
        rows, columns, both = rows[order], columns[order], both[order]
        first = np.ones(len(rows), dtype=bool)
        first[1:] = (np.diff(rows) != 0) | (np.diff(columns) != 0)
        starts = np.flatnonzero(first)
        dim = blocks.shape[1]
        data = np.add.reduceat(both, starts) if len(starts) else both
        indptr = np.searchsorted(rows[first], np.arange(points + 1))
        shape = (points * dim, points * dim)
        return sp.bsr_matrix((data, columns[first], indptr), shape=shape)


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

    def add_hessian(self, x: Any, law: Any, pairs: int, blocks: Any, slots: Any) -> PairBlocks:
        """Add blocks of the diagonal [N/m] to `blocks`, at the slots of single points; return others."""
        rows, columns = (
            wp.empty(ABOVE * pairs, dtype=wp.int32, device=self._device) for _ in range(2)
        )
        above: Any = wp.empty(ABOVE * pairs, dtype=self._matrix, device=self._device)
        found = (rows, columns, above)
        self._launch(self._run.hessian, pairs, x, law, self._count, slots, blocks, *found)
        return PairBlocks(*found)

    def _launch(self, kernel: Any, pairs: int, *inputs: Any) -> None:
        if pairs:
            wp.launch(kernel, dim=pairs, inputs=list(inputs), device=self._device)
