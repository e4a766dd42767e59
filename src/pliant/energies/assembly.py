"""The sum of several energies over the same points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import Exchange
from pliant.solvers import BlockPattern, PairBlocks

from .protocol import Coupling, Energy, Pairing
from .shifted import joined


class Assembly:
    """Value, gradient and Hessian blocks of a sum of energies.

    The block pattern is made once from `energies`; further energies on the same stencils can be
    passed to each call as `also`. Positions are numpy arrays, and so are sums then, or arrays of the
    device, and the sums too.
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
        self._exchange = Exchange(points, dim, device=device, dtype=dtype)
        self._slots: dict[int, tuple[np.ndarray, wp.array[Any]]] = {}
        self._points: dict[int, tuple[np.ndarray, wp.array[Any]]] = {}
        #: Where the last gradient was computed, and with which energies besides its own.
        self.last: tuple[Any, Sequence[Energy]] = (None, ())

    def array(self, x: Any) -> Any:
        """The positions as the device array that energies take, which they may be already."""
        return self._exchange.array(x)

    def placed(self, x: Any) -> Any:
        """`array` in memory that stays, good until the next sum: recorded launches know it."""
        return self._exchange.placed(x)

    def value(self, x: Any, also: Sequence[Energy] = ()) -> float:
        """The sum of the values [J]."""
        y = self._exchange.placed(x)
        return sum(e.value(y) for e in (*self.energies, *also))

    def gradient(self, x: Any, also: Sequence[Energy] = ()) -> Any:
        """The gradient [N], shape (n, d)."""
        g, self.last = self.gradient_of((*self.energies, *also), x), (x, also)
        return g

    def gradient_of(self, energies: Sequence[Any], x: Any) -> Any:
        """The gradient of these alone [N], as their `add_gradient` adds it up."""
        y, sums = self._exchange.placed(x), self._exchange.vectors(x)
        for e in joined(energies):
            e.add_gradient(y, sums.array)
        return sums.taken()

    def blocks(
        self,
        x: Any,
        *,
        project: bool,
        also: Sequence[Energy] = (),
        only: Sequence[Energy] | None = None,
    ) -> Any:
        """The Hessian blocks [N/m] in the order of `pattern`, shape (blocks, d, d).

        only: of these energies instead of all.
        """
        y, sums = self._exchange.placed(x), self._exchange.blocks(x, len(self.pattern))
        energies = (*self.energies, *also) if only is None else only
        for e in energies if project else joined(energies):
            e.add_hessian(y, sums.array, self._slots_of(e.stencils), project)
        return sums.taken()

    def point_blocks(
        self, x: np.ndarray, energies: Sequence[Energy], *, project: bool
    ) -> np.ndarray:
        """The Hessian blocks [N/m] of energies whose stencils are single points, shape (n, d, d)."""
        y, sums = self._exchange.placed(x), self._exchange.blocks(x, len(x))
        for e in energies:
            e.add_hessian(y, sums.array, self._points_of(e.stencils), project)
        return np.asarray(sums.taken())

    def low_rank(self, x: Any, also: Sequence[Energy] = ()) -> np.ndarray | None:
        """U, (n d, r), if the Hessian is its blocks less U U^T; None for most energies."""
        coupling = [e for e in (*self.energies, *also) if isinstance(e, Coupling)]
        if not coupling:
            return None
        y = self._exchange.placed(x)
        return np.concatenate([e.low_rank(y) for e in coupling], axis=1)

    def pair_blocks(
        self, x: Any, *, project: bool, also: Sequence[Energy] = ()
    ) -> list[PairBlocks]:
        """Blocks off the diagonal that are beside `blocks`, of pairs that come and go [N/m]."""
        pairing = [e for e in (*self.energies, *also) if isinstance(e, Pairing)]
        y = self._exchange.placed(x) if pairing else None
        return [found for e in pairing for found in e.pair_blocks(y, project)]

    def step_limit(self, x: Any, dx: Any) -> float:
        """The largest admissible fraction of dx."""
        limiting = [e for e in self.energies if e.limits_steps]
        if not limiting:
            return float("inf")
        y, dy = self.array(x), self.array(dx)
        return min(e.step_limit(y, dy) for e in limiting)

    def _slots_of(self, stencils: np.ndarray) -> wp.array[Any]:
        return self._kept(self._slots, stencils, self.pattern.slots)

    def _points_of(self, stencils: np.ndarray) -> wp.array[Any]:
        return self._kept(self._points, stencils, lambda s: s[:, :, None])

    def _kept(
        self,
        known: dict[int, tuple[np.ndarray, wp.array[Any]]],
        stencils: np.ndarray,
        find: Callable[[np.ndarray], np.ndarray],
    ) -> wp.array[Any]:
        key = id(stencils)
        if key not in known:
            slots: Any = wp.array(find(stencils), dtype=wp.int32, device=self._exchange.device)
            known[key] = (stencils, slots)  # holds the array, so that its id stays taken
        return known[key][1]
