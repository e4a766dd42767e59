"""Contact between the bodies of an island, as the solver of each body sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import warp as wp

from pliant.energies import Pairing
from pliant.solvers import PairBlocks


class ContactHessian:
    """The Hessian of contact and friction at positions x of all bodies, made once for all of them."""

    def __init__(self, energies: Sequence[Any], x: Any, *, project: bool):
        count, dim = x.shape[0], x.dtype._length_
        slots: Any = wp.array(
            np.arange(count, dtype=np.int32).reshape(-1, 1, 1), dtype=wp.int32, device="cpu"
        )
        matrix = wp.types.matrix((dim, dim), wp.float64)
        diagonal: Any = wp.zeros(count, dtype=matrix, device="cpu")
        pairs: list[PairBlocks] = []
        for energy in energies:
            energy.add_hessian(x, diagonal, slots, project)
            pairs += energy.pair_blocks(x, project)
        self.diagonal = diagonal.numpy()
        none, blocks = np.zeros(0, dtype=np.int32), np.zeros((0, dim, dim))
        self.rows = np.concatenate([none, *(p.rows.numpy() for p in pairs)])
        self.columns = np.concatenate([none, *(p.columns.numpy() for p in pairs)])
        self.above = np.concatenate([blocks, *(p.above.numpy() for p in pairs)])
        self._matrix = matrix

    def within(self, own: slice) -> list[PairBlocks]:
        """The blocks between points of one body."""
        rows, columns = self.rows - own.start, self.columns - own.start
        size = own.stop - own.start
        inside = (rows >= 0) & (rows < size) & (columns >= 0) & (columns < size)
        inside &= rows != columns
        if not inside.any():
            return []
        made: list[Any] = [
            wp.array(a[inside], dtype=kind, device="cpu")
            for a, kind in ((rows, wp.int32), (columns, wp.int32), (self.above, self._matrix))
        ]
        return [PairBlocks(*made)]


class ContactShare(Pairing):
    """What contact adds to the Hessian of one body while the others stand still.

    It preconditions: values and gradients are those of the island, and zero here. Satisfies `Energy`.
    """

    limits_steps = False

    def __init__(self, whole: ContactHessian, own: slice, stencils: np.ndarray):
        self._whole, self._own, self._stencils = whole, own, stencils

    @property
    def stencils(self) -> np.ndarray:
        """Every point for itself: int32, shape (n, 1)."""
        return self._stencils

    def value(self, x: Any) -> float:
        """Zero."""
        return 0.0

    def add_gradient(self, x: Any, g: Any) -> None:
        """Nothing."""

    def step_limit(self, x: Any, dx: Any) -> float:
        """Return inf: the island limits its steps."""
        return float("inf")

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add the blocks of the diagonal [N/m]."""
        blocks.numpy()[slots.numpy()[:, 0, 0]] += self._whole.diagonal[self._own]

    def pair_blocks(self, x: Any, project: bool) -> list[PairBlocks]:
        """The blocks off the diagonal [N/m]."""
        return self._whole.within(self._own)
