"""Surfaces whose points are weighted sums of the points of a body."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import to_device
from pliant.solvers import PairBlocks

from .carried_kernels import carried_kernels


@dataclass(frozen=True, eq=False)
class SurfaceMap:
    """Points y = S x of a surface, (m, dim), that are weighted sums of `count` points x.

    nodes (m, c): the numbers of points, weights (m, c). The rows of weights sum to one.
    """

    count: int
    nodes: np.ndarray
    weights: np.ndarray

    @classmethod
    def itself(cls, count: int) -> SurfaceMap:
        """Points that carry themselves."""
        return cls(count, np.arange(count)[:, None], np.ones((count, 1)))

    @classmethod
    def joined(cls, parts: list[SurfaceMap]) -> SurfaceMap:
        """The surfaces of several bodies, over the points of all of them."""
        width = max(part.nodes.shape[1] for part in parts)
        nodes, weights, first = [], [], 0
        for part in parts:
            more = ((0, 0), (0, width - part.nodes.shape[1]))
            nodes.append(np.pad(part.nodes + first, more, constant_values=first))
            weights.append(np.pad(part.weights, more))
            first += part.count
        return cls(first, np.concatenate(nodes), np.concatenate(weights))

    def held(self, pinned: np.ndarray) -> np.ndarray:
        """Which points of the surface are sums of pinned points only, (m,)."""
        out: np.ndarray = (pinned[self.nodes] | (self.weights == 0.0)).all(axis=1)
        return out


class Carrying:
    """S of a surface on a device: positions from points, and back forces and stiffness, S^T H S."""

    def __init__(self, carried: SurfaceMap, dim: int, *, device: Any):
        self.count, self._device = carried.count, device
        self._points, self._width = carried.nodes.shape
        self._run, self._dim = carried_kernels(dim), dim
        self._nodes: Any = wp.array(carried.nodes, dtype=wp.int32, device=device)
        self._weights: Any = wp.array(carried.weights, dtype=wp.float64, device=device)

    @cached_property
    def slots(self) -> Any:
        """Slots of single points of the surface."""
        own = np.arange(self._points, dtype=np.int32).reshape(-1, 1, 1)
        return wp.array(own, dtype=wp.int32, device=self._device)

    def place(self, x: Any, out: Any) -> None:
        """Write S x into the first rows of out."""
        x = to_device(x, out.dtype, self._device)
        self._launch(self._run.place, self._points, x, out)

    def add_back(self, forces: Any, g: Any) -> None:
        """Add S^T forces to g."""
        self._launch(self._run.back, self._points, forces, g)

    def add_diagonal(self, diagonal: Any, pairs: PairBlocks, blocks: Any, slots: Any) -> None:
        """Add the blocks on the diagonal of S^T H S to `blocks`, at the slots of single points."""
        self._launch(self._run.points_diagonal, self._points, diagonal, slots, blocks)
        given = [pairs.rows, pairs.columns, pairs.above, slots, blocks]
        self._launch(self._run.pairs_diagonal, len(pairs.rows), *given)

    def off_diagonal(self, diagonal: Any, pairs: PairBlocks) -> PairBlocks:
        """The blocks of S^T H S off its diagonal."""
        each, count, square = self._points * self._width**2, len(pairs.rows), self._width**2
        total = each + count * square
        rows, columns = (wp.zeros(total, dtype=wp.int32, device=self._device) for _ in range(2))
        above: Any = wp.zeros(total, dtype=pairs.above.dtype, device=self._device)
        self._launch(self._run.points_above, self._points, diagonal, rows, columns, above)
        given = [pairs.rows, pairs.columns, pairs.above, each, rows, columns, above]
        self._launch(self._run.pairs_above, count, *given)
        return PairBlocks(rows, columns, above)

    def _launch(self, kernel: Any, count: int, *inputs: Any) -> None:
        if count:
            given = [self._nodes, self._weights, *inputs]
            wp.launch(kernel, dim=count, inputs=given, device=self._device)
