"""A V-cycle over the points of a body and coarser levels, resident on the device."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import scipy.sparse as sp
import warp as wp

from pliant.backend import Launches, Recorded, parallel

from .blocks import BlockPattern
from .dense import inverse_of
from .multigrid_kernels import cycle_kernels
from .rows import Rows, Storage

#: Products with D^-1 A from which its largest eigenvalue is estimated, and the margin added.
POWERS, EIGENVALUE_MARGIN = 10, 1.1
#: The smoother damps the eigenvalues above this share of the largest; coarser levels take the others.
SMOOTHED = 0.15


class Level:
    """The vectors and the matrix of one level."""

    def __init__(self, pattern: BlockPattern, storage: Storage, *, device: Any):
        n, vec = pattern.points, storage.vec
        self.count, self.pattern = n, pattern
        self.rows = Rows(pattern, storage, device=device)
        self.b, self.x, self.y, self.t = (wp.zeros(n, dtype=vec, device=device) for _ in range(4))
        self.inverse = wp.zeros(n, dtype=storage.mat, device=device)
        self.factors = wp.zeros(1, dtype=storage.dtype, device=device)  # of the Chebyshev step
        self.largest = 0.0  # eigenvalue of D^-1 A, estimated
        self.noise: Any = None  # from where the estimate begins, and where the first one began
        self.first_noise: Any = None

    def smooth_below(self, largest: float) -> None:
        """Take the factor of the Chebyshev step for eigenvalues of D^-1 A up to `largest`."""
        self.largest, low = largest, SMOOTHED * largest
        self.factors.assign([1.0 / (0.5 * (largest + low))])


class CoarserLevel(Level):
    """A level below another one.

    A: its matrix, as blocks. down: the lists that carry residuals of the finer level to it.
    """

    A: Any
    down: list[Any]


class Hierarchy(ABC):
    """A symmetric V-cycle, z = B r with B near A^-1.

        x <- S b,   u = coarse P^T (b - A x),   x <- x + P u,   x <- x + S (b - A x)

    S is a Chebyshev step with the inverse D^-1 of the diagonal blocks; P interpolates from the next
    level. The last level is solved by its inverse. Source: [trottenberg2001] ch. 2.
    """

    levels: list[Any]  # below the points, each a `CoarserLevel`

    def __init__(
        self, pattern: BlockPattern, dim: int, *, device: Any, dtype: Any, sliced: bool = False
    ):
        self.dim, self.dtype, self.device = dim, dtype, wp.get_device(device)
        cuda = parallel(self.device)
        self.storage = storage = Storage(dim, dtype, sliced=sliced or cuda, tiled=cuda)
        self.vec, self.mat = storage.vec, storage.mat
        self.fine = Level(pattern, storage, device=self.device)
        self._diagonal: Any = wp.array(pattern.diagonal, dtype=wp.int32, device=self.device)
        self._again = Launches(self.device)
        self.kernels = cycle_kernels(storage)
        self._cycle = Recorded(self._begin, list(vars(self.kernels).values()), self.device)
        self._dense: Any = None

    @abstractmethod
    def load(self, blocks: Any, *, stiffness: float, weight: float, frames: Any = None) -> None:
        """Take the matrix of the points; the rest is for levels that are not made from it."""

    @abstractmethod
    def estimate(self) -> float:
        """Estimate anew how strongly D^-1 A amplifies; return the change's factor."""

    @abstractmethod
    def _residual(self, k: int, level: Level) -> None:
        """level.t = b - A x, as the next level takes it."""

    @abstractmethod
    def _correct(self, k: int, level: Level, below: Any) -> None:
        """level.x += P below.y."""

    def apply(self, r: Any, z: Any) -> None:
        """z = B r, by one cycle."""
        self._again.cast(r, self.fine.b)
        values = self.fine.rows.values
        self._cycle(values.ptr, values)
        self._again.cast(self.fine.y, z)

    def cycle(self) -> None:
        """One cycle from `fine.b` and its first step in `fine.x` to `fine.y`."""
        self._descend(0)

    def _begin(self) -> None:
        fine = self.fine
        inputs = [fine.b, fine.inverse, fine.factors, fine.x]
        self._launch(self.kernels.begin, fine.count, inputs)
        self.cycle()

    def _descend(self, k: int) -> None:
        level, below = self.fine if k == 0 else self.levels[k - 1], self.levels[k]
        run, launch, lanes = self.kernels, self._launch, self.storage.block
        self._residual(k, level)
        inputs = [*below.down, level.t, below.inverse, below.factors, below.b, below.x]
        launch(run.restrict, below.count, inputs)
        if k + 1 < len(self.levels):
            self._descend(k + 1)
        else:
            launch(run.dense, (below.count, lanes), [lanes, self._dense, below.b, below.y])
        self._correct(k, level, below)
        inputs = [*level.rows.arguments, level.inverse, level.factors, level.b, level.x, level.y]
        launch(run.sweep, level.count, inputs)

    def _amplify(self, level: Level, x: Any, y: Any, powers: int) -> tuple[Any, float]:
        """Estimate the largest eigenvalue of D^-1 A by the power method from x.

        Returns what x has become, and its square; y: of the same size, for use.
        """
        for _ in range(powers):
            inputs = [*level.rows.arguments, level.inverse, x, y]
            self._launch(self.kernels.power, level.count, inputs)
            x, y = y, x
        squares: Any = [wp.utils.array_inner(v, v) for v in (x, y)]
        level.smooth_below(EIGENVALUE_MARGIN * math.sqrt(squares[0] / squares[1]))
        return x, squares[0]

    def _invert(self) -> None:
        """Invert the last matrix on the host; what is singular or negative in it is left out."""
        level, n, d = self.levels[-1], self.levels[-1].count, self.dim
        A = np.zeros((n, n, d, d))
        A[level.pattern.rows, level.pattern.columns] = level.A.numpy()
        inverse, cut = np.zeros_like(A), 1e-10 if self.dtype is wp.float64 else 1e-6
        for own in level.pattern.parts:
            part = A[np.ix_(own, own)].swapaxes(1, 2).reshape(len(own) * d, len(own) * d)
            found = inverse_of(part, cut).reshape(len(own), d, len(own), d)
            inverse[np.ix_(own, own)] = found.swapaxes(1, 2)
        if self._dense is None:
            self._dense = wp.zeros((n, n), dtype=self.mat, device=self.device)
        self._dense.assign(inverse)

    def _launch(self, kernel: Any, shape: Any, inputs: list[Any]) -> None:
        wp.launch(kernel, shape, inputs=inputs, device=self.device)


def as_lists(matrix: sp.csr_matrix, storage: Storage, device: Any) -> list[Any]:
    """A sparse matrix as `gathered_sum` takes it: first, last, members and weights."""
    lengths = np.diff(matrix.indptr).astype(np.int64)
    first, last, entries = storage.layout(lengths)
    row = np.repeat(np.arange(matrix.shape[0]), lengths)
    at = first[row] + (np.arange(len(row)) - matrix.indptr[row]) * storage.step
    members, weights = np.zeros(entries, dtype=np.int64), np.zeros(entries)
    members[at], weights[at] = matrix.indices, matrix.data
    of = {"dtype": wp.int32, "device": device}
    lists: list[Any] = [wp.array(a.astype(np.int32), **of) for a in (first, last, members)]
    return [*lists, wp.array(weights, dtype=storage.dtype, device=device)]
