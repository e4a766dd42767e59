"""A multigrid preconditioner whose coarse matrices are made from the matrix of the points itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
import warp as wp

from pliant.backend import Launches, scaled

from .blocks import BlockPattern, shaped
from .galerkin_kernels import galerkin_kernels
from .hierarchy import POWERS, CoarserLevel, Hierarchy, Level, as_lists
from .rows import Storage

#: An estimate of the largest eigenvalue is renewed by so many products, once in so many matrices. If a
#: smoother steps too far in between, conjugate gradients notice.
MORE_POWERS, LASTING = 2, 10


@dataclass(frozen=True, eq=False)
class Smoothed:
    """The estimate of the largest eigenvalue of a level, and the vector it was found with."""

    noise: Any = None
    largest: float = 0.0


@dataclass(frozen=True, eq=False)
class GalerkinMemory:
    """What a hierarchy keeps from matrix to matrix; `smoothed`: for all levels but the last."""

    loads: int = 0
    smoothed: tuple[Smoothed, ...] = ()


class CoarseLevel(CoarserLevel):
    """A level with the matrix P^T A P of the finer one's A.

    Blocks of the two patterns are related by numbers that never change, A_IJ = sum of P_iI P_jJ A_ij,
    so a new matrix costs one pass over a list. Half of it is summed, and mirrored.
    """

    def __init__(
        self, P: sp.csr_matrix, finer: BlockPattern, storage: Storage, *, device: Any
    ) -> None:
        entries = sp.csr_matrix(
            (np.ones(len(finer), dtype=bool), finer.columns, finer.starts), (finer.points,) * 2
        )
        touches = (P != 0).astype(bool)
        graph = sp.csr_matrix(touches.T @ entries @ touches + sp.identity(P.shape[1], dtype=bool))
        super().__init__(BlockPattern.of(graph), storage, device=device)
        pattern, of = self.pattern, {"dtype": wp.int32, "device": device}
        self.A = pattern.zeros(storage.dim, dtype=storage.dtype, device=device)
        upper = np.flatnonzero(pattern.rows <= pattern.columns)
        number = np.full(len(pattern), -1, dtype=np.int32)
        number[upper] = np.arange(len(upper), dtype=np.int32)
        sums = _sums(P, finer, pattern, number, len(upper))
        self.sums: list[Any] = [wp.array(a, **of) for a in (sums.indptr, sums.indices)]
        self.sums.append(wp.array(sums.data, dtype=storage.dtype, device=device))
        pairs = np.stack([pattern.columns[upper], pattern.rows[upper]], axis=1)
        twins = pattern.slots(pairs)[:, 0, 1]
        self.sums += [wp.array(upper.astype(np.int32), **of), wp.array(twins, **of)]
        self.upper = len(upper)
        self.diagonal: Any = wp.array(pattern.diagonal.astype(np.int32), **of)
        self.down, self.up = (as_lists(m, storage, device) for m in (P.T.tocsr(), P))


class Galerkin(Hierarchy):
    """A V-cycle for any sparse A.

    Every level has the matrix P^T A P, made anew with A: sheets fold and wrinkle, and matrices kept
    from another shape, even in turned frames, serve them ten times worse. D^-1 and the inverse of
    the last level are positive definite even where A is not, and with them B is, as long as A is
    below 2 S^-1: so conjugate gradients meet every negative eigenvalue of A.
    Source: [trottenberg2001] ch. 2 and A.
    """

    def __init__(
        self,
        interpolations: Sequence[sp.csr_matrix],
        pattern: BlockPattern,
        dim: int,
        *,
        device: Any = "cpu",
        dtype: Any = wp.float64,
    ):
        super().__init__(pattern, dim, device=device, dtype=dtype)
        self.levels: list[CoarseLevel] = []
        for P in interpolations:
            self.levels.append(CoarseLevel(P, pattern, self.storage, device=self.device))
            pattern = self.levels[-1].pattern
        self._make = galerkin_kernels(self.storage, dtype)
        self._of_levels = [Launches(self.device) for _ in self.levels]
        self._loads = 0

    def load(
        self, blocks: Any, *, stiffness: float = 1.0, weight: float = 0.0, frames: Any = None
    ) -> None:
        """Take the matrix of the points; all other arguments are for other kinds of multigrid."""
        self._coarsen(blocks)
        if self._loads % LASTING == 0:
            for smoothed in (self.fine, *self.levels[:-1]):
                self._bound(smoothed)
        self._loads += 1
        self._invert()

    def memory(self) -> GalerkinMemory:
        """What the hierarchy keeps for the next matrix."""
        smoothed = (self.fine, *self.levels[:-1])
        return GalerkinMemory(self._loads, tuple(Smoothed(s.noise, s.largest) for s in smoothed))

    def remember(self, memory: GalerkinMemory | None, blocks: Any) -> Any:
        """Restore the state of `memory`, with its matrix unless `blocks` is None.

        Returns the blocks of the matrix as an array of the device.
        """
        levels = (self.fine, *self.levels[:-1])
        memory = memory or GalerkinMemory(0, tuple(Smoothed() for _ in levels))
        self._loads = memory.loads
        for level, smoothed in zip(levels, memory.smoothed, strict=True):
            level.noise = None
            if smoothed.noise is not None:
                level.noise = shaped(smoothed.noise, level.count, self.vec, self.device)
            if smoothed.largest:
                level.smooth_below(smoothed.largest)
        if blocks is not None:
            blocks = self.fine.pattern.to_device(blocks, self.dim, device=self.device)
            self._coarsen(blocks)
            self._invert()
        return blocks

    def _coarsen(self, blocks: Any) -> None:
        """Take the matrix of the points, and make those of all other levels."""
        first = galerkin_kernels(self.storage, blocks.dtype._wp_scalar_type_)
        self.fine.rows.fill(blocks)
        self._again(first.invert, self.fine.count, [self._diagonal, blocks, self.fine.inverse])
        for level, again in zip(self.levels, self._of_levels, strict=True):
            make = first if level is self.levels[0] else self._make
            again(make.coarsen, level.upper, [*level.sums, blocks, level.A])
            blocks = level.A
            again(self._make.invert, level.count, [level.diagonal, blocks, level.inverse])
            level.rows.fill(blocks)

    def estimate(self) -> float:
        """Estimate anew how strongly D^-1 A amplifies on every level; return the largest change."""
        change = 0.0
        for level in (self.fine, *self.levels[:-1]):
            before, level.noise = level.largest, None
            self._bound(level)
            change = max(change, level.largest / before if before else math.inf)
        return change

    def _residual(self, k: int, level: Level) -> None:
        inputs = [*level.rows.arguments, level.b, level.x, level.t]
        self._launch(self.kernels.residual, level.count, inputs)

    def _correct(self, k: int, level: Level, below: CoarseLevel) -> None:
        inputs = [*below.up, below.y, level.x]
        self._launch(self.kernels.correct_by_lists, level.count, inputs)

    def _bound(self, level: Level) -> None:
        """Estimate the largest eigenvalue of D^-1 A by the power method, going on from the last."""
        powers = MORE_POWERS
        if level.noise is None:
            if level.first_noise is None:
                noise = np.random.default_rng(0).standard_normal((level.count, self.dim))
                level.first_noise = wp.array(noise, dtype=self.vec, device=self.device)
            level.noise, powers = level.first_noise, POWERS
        # An even number of times: what is found is where it began.
        level.noise, square = self._amplify(level, wp.clone(level.noise), level.t, powers)
        if not 1e-20 < square < 1e20:  # its powers stay far from the ends of float32
            level.noise = scaled(level.noise, 1.0 / math.sqrt(square))


def _sums(
    P: sp.csr_matrix, finer: BlockPattern, coarser: BlockPattern, number: np.ndarray, count: int
) -> sp.csr_matrix:
    """Which finer blocks make up each coarser one, and with which weights, (count, finer blocks)."""
    lengths = np.diff(P.indptr)
    parents = np.zeros((P.shape[0], max(int(lengths.max()), 1)), dtype=np.int32)
    weights = np.zeros(parents.shape)
    row = np.repeat(np.arange(P.shape[0]), lengths)
    place = np.arange(P.nnz) - P.indptr[row]
    parents[row, place], weights[row, place] = P.indices, P.data
    slots, blocks, shares = [], [], []
    for a in range(parents.shape[1]):
        for b in range(parents.shape[1]):
            I, J = parents[finer.rows, a], parents[finer.columns, b]
            both = weights[finer.rows, a] * weights[finer.columns, b]
            kept = np.flatnonzero((both != 0.0) & (I <= J))
            if not len(kept):
                continue
            pairs = np.stack([I[kept], J[kept]], axis=1)
            slots.append(number[coarser.slots(pairs)[:, 0, 1]])
            blocks.append(kept)
            shares.append(both[kept])
    entries = (np.concatenate(slots), np.concatenate(blocks))
    sums = sp.csr_matrix((np.concatenate(shares), entries), shape=(count, len(finer)))
    sums.sort_indices()
    return sums
