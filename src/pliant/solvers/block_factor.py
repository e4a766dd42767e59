"""A sparse factor of a symmetric matrix of small blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
import warp as wp

from .block_factor_kernels import Factor, block_factor_kernels, solution
from .native import launch_native

#: A factor of more blocks is kept in float32: reading it is what a solve costs. It stays definite, since
#: D does; conjugate gradients see to the last digits.
NARROW = 50_000


class BlockFactor:
    """A = L D L^T of a block-CSR matrix, D being blocks of the diagonal; no block is exchanged.

    Large ones solve to about 1e-6.

    order: the number of the point of each row of L, an order in which L is sparse. Raises `RuntimeError`
    if a pivot is 0 but for rounding. Source: [davis2005].
    """

    def __init__(self, matrix: sp.bsr_matrix, order: np.ndarray):
        n, d = len(order), matrix.blocksize[0]
        run = block_factor_kernels(d)
        place = np.empty(n, dtype=np.int32)
        place[order] = np.arange(n, dtype=np.int32)
        f: Any = Factor()
        f.starts, f.columns, f.order, f.place = (
            _ints(a) for a in (matrix.indptr, matrix.indices, order, place)
        )
        f.parent, f.mark, f.first = _empty(n), _empty(n), _empty(n + 1)
        launch_native(run.analyse, f)
        total = int(f.first.numpy()[n])
        f.rows, f.inverse = _empty(total), _empty(n * d * d, wp.float64)
        # The last row of a block is read with one number more.
        lower = f.lower = _empty(total * d * d + 4, wp.float64)
        lower[total * d * d :].zero_()
        f.blocks = wp.array(matrix.data.reshape(-1), dtype=wp.float64, device="cpu", copy=False)
        f.work, f.row, f.failed = _empty(2 * n), _empty(4 * d * n, wp.float64), _empty(1)
        launch_native(run.factorise, f)
        if f.failed.numpy()[0]:
            raise RuntimeError("a pivot is zero")
        given, found = _empty(n * d, wp.float64), _empty(n * d, wp.float64)
        self._given, self._found = given.numpy(), found.numpy()  # the same memory
        solve = run.solve
        if total > NARROW:
            kept, solve = lower.numpy().astype(np.float32), run.solve_narrow
            lower = wp.array(kept, dtype=wp.float32, device="cpu", copy=False)
        s = solution(lower.dtype)()
        s.order, s.first, s.rows, s.lower, s.inverse = f.order, f.first, f.rows, lower, f.inverse
        s.given, s.work, s.out = given, f.row, found
        self._solve: Any = wp.launch(solve, 1, inputs=[s], device="cpu", record_cmd=True)
        #: Blocks of L beside its diagonal.
        self.blocks = total

    def solve(self, b: np.ndarray) -> np.ndarray:
        """A^-1 b."""
        self._given[:] = b
        self._solve.launch()
        return np.array(self._found)


def _ints(a: np.ndarray) -> Any:
    return wp.array(np.ascontiguousarray(a, dtype=np.int32), dtype=wp.int32, device="cpu")


def _empty(count: int, dtype: Any = wp.int32) -> Any:
    return wp.empty(count, dtype=dtype, device="cpu")
