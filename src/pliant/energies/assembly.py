"""The sum of several energies over the same points, on numpy arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import warp as wp

from pliant.solvers import BlockPattern

from .protocol import Coupling, Energy


class Assembly:
    """Value, gradient and Hessian blocks of a sum of energies.

    The block pattern is made once from `energies`; further energies on the same stencils can be
    passed to each call as `also`. Arrays in and out are numpy float64.
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
        self._vec = wp.types.vector(dim, dtype)
        self._mat = wp.types.matrix((dim, dim), dtype)
        self._slots: dict[int, tuple[np.ndarray, wp.array]] = {}
        self._x = wp.zeros(points, dtype=self._vec, device=device)

    def array(self, x: Any) -> Any:
        """The positions as the device array that energies take, which they may be already."""
        if not isinstance(x, np.ndarray):
            return x
        return wp.array(np.ascontiguousarray(x), dtype=self._vec, device=self._device, copy=False)

    def value(self, x: np.ndarray, also: Sequence[Energy] = ()) -> float:
        """The sum of the values [J]."""
        y = self._place(x)
        return sum(e.value(y) for e in (*self.energies, *also))

    def gradient(self, x: np.ndarray, also: Sequence[Energy] = ()) -> np.ndarray:
        """The gradient [N], shape (n, d)."""
        y = self._place(x)
        out = np.zeros(x.shape)
        g = self._sum(out, self._vec)
        for e in (*self.energies, *also):
            e.add_gradient(y, g)
        return self._fetch(g, out)

    def blocks(self, x: np.ndarray, *, project: bool, also: Sequence[Energy] = ()) -> np.ndarray:
        """The Hessian blocks [N/m] in the order of `pattern`, shape (blocks, d, d)."""
        y = self._place(x)
        out = np.zeros((len(self.pattern), self._dim, self._dim))
        blocks = self._sum(out, self._mat)
        for e in (*self.energies, *also):
            e.add_hessian(y, blocks, self._slots_of(e.stencils), project)
        return self._fetch(blocks, out)

    def columns(self, x: np.ndarray, also: Sequence[Energy] = ()) -> np.ndarray | None:
        """What the Hessian has less than its blocks: U of U U^T, (n d, r); None for most energies."""
        coupling = [e for e in (*self.energies, *also) if isinstance(e, Coupling)]
        if not coupling:
            return None
        y = self._place(x)
        return np.concatenate([e.columns(y) for e in coupling], axis=1)

    def step_limit(self, x: np.ndarray, dx: np.ndarray) -> float:
        """The largest admissible fraction of dx."""
        limiting = [e for e in self.energies if getattr(e, "limits_steps", True)]
        if not limiting:
            return float("inf")
        y, dy = self.array(x), self.array(dx)
        return min(e.step_limit(y, dy) for e in limiting)

    def _place(self, x: np.ndarray) -> wp.array:
        """The positions in an array that stays: recorded launches need not be told of another."""
        if self._device == "cpu":
            self._x.numpy()[:] = x  # the same memory, and half the time of `assign`
        else:
            self._x.assign(x)
        return self._x

    def _sum(self, out: np.ndarray, dtype: Any) -> wp.array:
        """A zero array for energies to add to: `out` itself where they can."""
        if self._device == "cpu" and self._dtype is wp.float64:
            return wp.array(out, dtype=dtype, device="cpu", copy=False)
        return wp.zeros(len(out), dtype=dtype, device=self._device)

    @staticmethod
    def _fetch(sums: wp.array, out: np.ndarray) -> np.ndarray:
        found = sums.numpy()
        if not np.may_share_memory(found, out):
            out[:] = found
        return out

    def _slots_of(self, stencils: np.ndarray) -> wp.array:
        key = id(stencils)
        if key not in self._slots:
            slots: Any = wp.array(self.pattern.slots(stencils), dtype=wp.int32, device=self._device)
            self._slots[key] = (stencils, slots)  # holds the array, so that its id stays taken
        return self._slots[key][1]
