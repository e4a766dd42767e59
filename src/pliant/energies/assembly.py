"""The sum of several energies over the same points, on numpy arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import warp as wp

from pliant.solvers import BlockPattern

from .protocol import Energy


class Assembly:
    """Value, gradient and Hessian blocks of a sum of energies.

    The block pattern is made once from `energies`; further energies on the same stencils can be
    passed to each call as `also`. Arrays in and out are numpy; on the CPU no copy is made.
    """

    def __init__(
        self,
        points: int,
        dim: int,
        energies: Sequence[Energy],
        *,
        device: str = "cpu",
        dtype: Any = wp.float64,
    ):
        self.energies = tuple(energies)
        self.pattern = BlockPattern(points, [e.stencils for e in energies])
        self._dim, self._device, self._dtype = dim, device, dtype
        self._vec = wp.types.vector(length=dim, dtype=dtype)
        self._slots: dict[int, tuple[np.ndarray, wp.array]] = {}
        self._g = wp.zeros(points, dtype=self._vec, device=device)
        self._blocks = self.pattern.zeros(dim, dtype=dtype, device=device)

    def array(self, x: np.ndarray) -> wp.array:
        """The positions as the device array that energies take."""
        return wp.array(np.ascontiguousarray(x), dtype=self._vec, device=self._device, copy=False)

    def value(self, x: np.ndarray, also: Sequence[Energy] = ()) -> float:
        """The sum of the values [J]."""
        y = self.array(x)
        return sum(e.value(y) for e in (*self.energies, *also))

    def gradient(self, x: np.ndarray, also: Sequence[Energy] = ()) -> np.ndarray:
        """The gradient [N], shape (n, d)."""
        y = self.array(x)
        self._g.zero_()
        for e in (*self.energies, *also):
            e.add_gradient(y, self._g)
        return self._g.numpy().astype(np.float64)

    def blocks(self, x: np.ndarray, *, project: bool, also: Sequence[Energy] = ()) -> np.ndarray:
        """The Hessian blocks [N/m] in the order of `pattern`, shape (blocks, d, d)."""
        y = self.array(x)
        self._blocks.zero_()
        for e in (*self.energies, *also):
            e.add_hessian(y, self._blocks, self._slots_of(e.stencils), project)
        return self._blocks.numpy().astype(np.float64)

    def step_limit(self, x: np.ndarray, dx: np.ndarray) -> float:
        """The largest admissible fraction of dx."""
        y, dy = self.array(x), self.array(dx)
        return min((e.step_limit(y, dy) for e in self.energies), default=float("inf"))

    def _slots_of(self, stencils: np.ndarray) -> wp.array:
        key = id(stencils)
        if key not in self._slots:
            slots: Any = wp.array(self.pattern.slots(stencils), dtype=wp.int32, device=self._device)
            self._slots[key] = (stencils, slots)  # holds the array, so that its id stays taken
        return self._slots[key][1]
