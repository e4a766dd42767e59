"""A multigrid preconditioner on nested regular grids, resident on the device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
import warp as wp

from .blocks import BlockPattern
from .grids import Grid, Grids
from .hierarchy import POWERS, CoarserLevel, Hierarchy, Level, as_lists
from .multigrid_kernels import diagonal_kernel, level_kernels
from .rows import Storage

#: Smaller relative changes of stiffness and weight leave the matrices of the grids as they are.
NEAR_SCALE = 0.03
#: Weights that differ by less than this factor share the inverse of the last grid and the estimates.
ALIKE = 3.0

AddStiffness = Callable[["Multigrid"], None]


@dataclass(frozen=True)
class GridsMemory:
    """With what factors of stiffness and weight the matrices of the grids were made.

    composed: those in them; inverted: those that smoothers and the last one's inverse fit; largest:
    the largest eigenvalue of D^-1 A of the points, estimated.
    """

    composed: tuple[float, float]
    inverted: tuple[float, float] | None
    largest: float


class GridsOfPoints(NamedTuple):
    """Of the first grid, and of some points in it, what a stiffness is added by: see `Multigrid`."""

    dtype: Any
    coordinates: Any
    lattice: Any
    free: Any
    cells: Any


class GridLevel(CoarserLevel):
    """A level on a grid: its matrix is stiffness K + weight M."""

    def __init__(self, grid: Grid, masses: sp.csr_matrix, storage: Storage, *, device: Any):
        super().__init__(grid.pattern, storage, device=device)
        dim, dtype = storage.dim, storage.dtype
        cells, corners = grid.corners.shape
        self.cells = wp.zeros((cells, corners, corners), dtype=storage.mat, device=device)
        self.K = grid.pattern.zeros(dim, dtype=dtype, device=device)
        self.A = grid.pattern.zeros(dim, dtype=dtype, device=device)
        entries = masses.tocoo()
        M = np.zeros(len(grid.pattern))
        pairs = np.stack([entries.row, entries.col], axis=1)
        M[grid.pattern.slots(pairs)[:, 0, 1]] = entries.data
        self.M: Any = wp.array(M, dtype=dtype, device=device)
        self.down = as_lists(grid.interpolation().T.tocsr(), storage, device)
        of = {"dtype": wp.int32, "device": device}
        self.parents: Any = wp.array(grid.parents, **of)
        self.weights: Any = wp.array(grid.weights, dtype=dtype, device=device)
        self.slots: Any = wp.array(grid.slots, **of)
        self.children: Any = wp.array(grid.children, **of)
        self.pairs: list[Any] = [
            wp.array(grid.pattern.rows, **of),
            wp.array(grid.pattern.columns, **of),
        ]
        self.starts: Any = wp.array(grid.pattern.starts, **of)
        self.terms: Any = None  # of K, what `add_terms` has brought; made when it is needed
        self.largest_trace = wp.zeros(1, dtype=dtype, device=device)  # of a diagonal block of K


class Multigrid(Hierarchy):
    """A symmetric V-cycle, z = B r with B near A^-1, for A = stiffness K + weight M + ...

        x <- S b,   u = coarse P^T Q^T (b - A x),   x <- x + Q P u,   x <- x + S (b - A x)

    S and P as in `Hierarchy`; Q turns the frame of each point from the undeformed body's into the
    present one's (stiffness warping), so that the grids serve while the body bends.
    Source: [trottenberg2001] ch. 2; [mcadams2011] for elasticity on regular grids.

    masses: lumped, one per point [kg]; pinned points have zero weights in `grids`. `K` of the grids
    comes from `refresh`; the matrix of the points themselves is the caller's, given to `load`.
    """

    def __init__(
        self,
        grids: Grids,
        pattern: BlockPattern,
        masses: np.ndarray,
        *,
        device: Any = "cpu",
        dtype: Any = wp.float64,
        sliced: bool = False,
    ):
        super().__init__(pattern, grids.dim, device=device, dtype=dtype, sliced=sliced)
        self.grids = grids
        self.levels: list[GridLevel] = []
        carried = sp.diags(np.where(grids.free, masses, 0.0))
        for grid in grids.levels:
            P = grid.interpolation()
            carried = (P.T @ carried @ P).tocsr()
            self.levels.append(GridLevel(grid, carried, self.storage, device=self.device))
        self._transfers: Any = wp.array(grids.transfers, dtype=dtype, device=self.device)
        identity = np.broadcast_to(np.eye(self.dim), (pattern.points, self.dim, self.dim))
        self.frames: Any = wp.array(identity, dtype=self.mat, device=self.device)
        self._turned = False
        self._make = level_kernels(self.storage)
        #: The grid cell of each mesh cell, one array per kind; with `coordinates` (of the points, in
        #: cells of the first grid), `lattice` and `free` what the stiffness of that grid is made from.
        self.holders: list[Any] = [
            wp.array(h, dtype=wp.int32, device=self.device) for h in grids.holders
        ]
        self.coordinates: Any = wp.array(grids.coordinates, dtype=self.vec, device=self.device)
        self.lattice: Any = wp.array(grids.levels[0].lattice, dtype=wp.int32, device=self.device)
        self.free: Any = wp.array(grids.free.astype(float), dtype=dtype, device=self.device)
        self._composed = (0.0, 0.0)  # stiffness and weight in the matrices of the grids
        self._inverted: tuple[float, float] | None = None  # those in the last one's inverse

    def refresh(self, add_stiffness: AddStiffness) -> None:
        """Make K of every grid anew.

        `add_stiffness(self)` adds to `self.cells` of the first, and calls `add_terms`.
        """
        self.levels[0].cells.zero_()
        self._has_terms = False
        add_stiffness(self)
        for finer, level in zip(self.levels, self.levels[1:], strict=False):
            inputs = [finer.cells, level.children, self._transfers, level.cells]
            self._launch(self._make.gather_children, level.cells.shape, inputs)
        for level in self.levels:
            level.K.zero_()
            inputs = [level.cells, level.slots, level.K]
            self._launch(self._make.assemble, level.cells.shape, inputs)
        if self._has_terms:
            self._carry_terms()
        for level in self.levels:
            level.largest_trace.zero_()
            inputs = [level.K, *level.pairs, level.largest_trace]
            self._launch(self._make.measure, len(level.pattern), inputs)
        self._inverted, self._composed = None, (0.0, 0.0)
        self.fine.largest = 0.0

    def add_terms(self, factor: float, stencils: Any, blocks: Any, frames: Any) -> None:
        """Add what couples points, whatever cells they are in, to K of every grid, during `refresh`.

        stencils: points of each term, int32 (terms, k); blocks: its Hessian, (terms k k,) matrices;
        frames as of `load`. All are arrays of the device in float64. Terms of two points or more must
        have been told to the grids.
        """
        self._empty_terms()
        terms, k = stencils.shape
        inputs = [factor, stencils, blocks, frames, *self._into(self.levels[0])]
        self._launch(self._make.spread_terms, (terms, k, k), inputs)

    def _empty_terms(self) -> None:
        if self._has_terms:
            return
        for level in self.levels:
            if level.terms is None:
                level.terms = wp.zeros_like(level.K)
            level.terms.zero_()
        self._has_terms = True

    def _carry_terms(self) -> None:
        """Bring the terms of the first grid to all others, and add them to K."""
        for finer, level in zip(self.levels, self.levels[1:], strict=False):
            inputs = [finer.terms, *finer.pairs, *self._into(level)]
            self._launch(self._make.spread_blocks, len(finer.pattern), inputs)
        for level in self.levels:
            self._launch(self._make.add, len(level.pattern), [level.terms, level.K])

    @staticmethod
    def _into(level: GridLevel) -> list[Any]:
        return [level.parents, level.weights, level.starts, level.pairs[1], level.terms]

    def memory(self) -> GridsMemory:
        """What `remember` needs to make the matrices of the grids again."""
        return GridsMemory(self._composed, self._inverted, self.fine.largest)

    def remember(self, memory: GridsMemory, add_stiffness: AddStiffness) -> None:
        """Make the grids as they were; `add_stiffness` as `refresh` had it then."""
        self.refresh(add_stiffness)
        if memory.inverted is not None:
            self._fill(*memory.inverted)
            self._adjust()
            if memory.composed != memory.inverted:
                self._fill(*memory.composed)
        self._composed, self._inverted = memory.composed, memory.inverted
        if memory.largest:
            self.fine.smooth_below(memory.largest)

    @property
    def cells(self) -> Any:
        """Stiffness of the cells of the first grid, (cells, 2^d, 2^d) blocks; the upper half counts."""
        return self.levels[0].cells

    def of_points(self, first: int, count: int) -> GridsOfPoints:
        """The first grid as an energy of some of the points needs it."""
        own = slice(first, first + count)
        return GridsOfPoints(
            self.dtype, self.coordinates[own], self.lattice, self.free[own], self.cells
        )

    def load(
        self, blocks: Any, *, stiffness: float = 1.0, weight: float, frames: Any = None
    ) -> None:
        """Take the matrix of the points, and the grids' as stiffness K + weight M.

        Rows and columns of pinned points are those of the identity. frames, (points,) matrices: how
        far the neighbourhood of each point has turned since the undeformed shape; None: not at all.
        """
        self.fine.rows.fill(blocks)
        kernel = diagonal_kernel(self.storage, blocks.dtype._wp_scalar_type_)
        inputs = [self._diagonal, blocks, self.fine.inverse]
        self._again(kernel, self.fine.count, inputs)
        if frames is not None:
            self._again.cast(frames, self.frames)
            self._turned = True
        elif self._turned:
            self.frames.assign(
                np.broadcast_to(np.eye(self.dim), (self.fine.count, self.dim, self.dim))
            )
            self._turned = False
        self._compose(stiffness, weight)
        if not self.fine.largest:
            self.estimate()

    def estimate(self) -> float:
        """Estimate anew how strongly D^-1 A of the points amplifies; return the change's factor."""
        before = self.fine.largest
        self._bound(self.fine)
        return self.fine.largest / before if before else np.inf

    def _residual(self, k: int, level: Level) -> None:
        inputs = [*level.rows.arguments, level.b, level.x]
        if k == 0:
            self._launch(self.kernels.turned_residual, level.count, [*inputs, self.frames, level.t])
        else:
            self._launch(self.kernels.residual, level.count, [*inputs, level.t])

    def _correct(self, k: int, level: Level, below: GridLevel) -> None:
        inputs = [below.parents, below.weights, below.y]
        if k == 0:
            self._launch(self.kernels.turned_correct, level.count, [*inputs, self.frames, level.x])
        else:
            self._launch(self.kernels.correct, level.count, [*inputs, level.x])

    def _compose(self, stiffness: float, weight: float) -> None:
        before = self._composed
        if all(
            abs(a - b) <= NEAR_SCALE * b for a, b in zip((stiffness, weight), before, strict=True)
        ):
            return
        self._composed = (stiffness, weight)
        self._fill(stiffness, weight)
        if self._inverted is not None:
            s, w = self._inverted
            ratios = (stiffness * w, weight * s)
            if max(ratios) <= ALIKE * min(ratios) and s / ALIKE <= stiffness <= s * ALIKE:
                return
        self._inverted = (stiffness, weight)
        self._adjust()

    def _fill(self, stiffness: float, weight: float) -> None:
        for level in self.levels:
            inputs = [stiffness, weight, level.largest_trace, level.K, level.M, *level.pairs]
            inputs += [level.A, level.inverse]
            self._launch(self._make.compose, len(level.pattern), inputs)
            level.rows.fill(level.A)

    def _adjust(self) -> None:
        """Fit smoothers and the inverse of the last grid to the matrices."""
        for level in self.levels[:-1]:
            self._bound(level)
        self._invert()

    def _bound(self, level: Level) -> None:
        """Estimate the largest eigenvalue of D^-1 A by the power method."""
        if level.noise is None:
            noise = np.random.default_rng(0).standard_normal((level.count, self.dim))
            noise *= 2.0**-30  # its powers stay far from the end of float32
            level.noise = wp.array(noise, dtype=self.vec, device=self.device)
        wp.copy(level.x, level.noise)
        self._amplify(level, level.x, level.y, POWERS)
