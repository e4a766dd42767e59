"""Groups of points that move as rigid bodies, for arrays of a device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import warp as wp

from .devices import parallel, whole_blocks
from .group_kernels import SUMS, group_kernels
from .recorded import Launches
from .reductions import HostNumbers


class DeviceGroups:
    """`Groups` of Warp arrays: sums come to the host, a few numbers per group go back."""

    def __init__(self, members: Sequence[np.ndarray], masses: Any, mobile: Any, dim: int):
        self._device, self._count = masses.device, masses.size
        self._masses, self._mobile = masses, mobile
        self._all: Any = wp.ones(self._count, dtype=wp.int32, device=self._device)
        group_of = np.full(self._count, -1)
        listed, owners = [np.zeros(0, dtype=int)], [np.zeros(0, dtype=int)]
        for k, points in enumerate(members):
            group_of[points] = k
            # Threads of one block share their sums: a block has points of one group only.
            short = whole_blocks(len(points), self._device) - len(points)
            listed.append(np.pad(points, (0, short), constant_values=-1))
            owners.append(np.full(len(listed[-1]), k))
        arrays: list[Any] = [
            wp.array(np.concatenate(a), dtype=wp.int32, device=self._device)
            for a in (listed, owners, [group_of])
        ]
        self._listed, self._owners, self._group_of = arrays
        self._run: Any = group_kernels(dim, parallel(self._device))
        self._launch = Launches(self._device)
        self._sums = HostNumbers(SUMS * len(members), self._device)
        self._vec: Any = wp.types.vector(dim, wp.float64)

    def table(self, rows: Any) -> Any:
        """The numbers in one array of the device."""
        return wp.array(np.ravel(rows), dtype=wp.float64, device=self._device)

    def sums(self, x: Any, v: Any, load: Any, dt: float, pivots: Any) -> np.ndarray:
        """Sums by group, in one look."""
        v, load = (x, x) if v is None else (v, load)
        self._add(self._run.totals, [self._masses, x, v, load], self._sums.emptied())
        self._add(self._run.arms, [pivots, self._masses, x, v, load, dt], self._sums.array)
        return np.asarray(self._sums.read().reshape(-1, SUMS).copy())

    def covariance(self, x: Any, shape: Any, pivots: Any, others: Any) -> np.ndarray:
        """Sums of products of two shapes, in one look."""
        self._add(self._run.totals, [self._masses, x, shape, x], self._sums.emptied())
        inputs = [pivots, others, self._masses, x, shape]
        self._add(self._run.covariance, inputs, self._sums.array)
        return np.asarray(self._sums.read().reshape(-1, SUMS).copy())

    def place(self, carries: Any, x: Any, pins: Any) -> Any:
        """Points moved."""
        mobile, pins = (self._all, x) if pins is None else (self._mobile, pins)
        return self._move(self._run.place, x, mobile, carries, x, pins)

    def turn(self, carries: Any, v: Any) -> Any:
        """Vectors turned."""
        return self._move(self._run.turn, v, self._mobile, carries, v)

    def spin(self, carries: Any, shape: Any) -> Any:
        """The load of spinning."""
        return self._move(self._run.spin, shape, self._masses, carries, shape)

    def motions(self, columns: Sequence[Sequence[float]], x: Any) -> tuple[Any, Any]:
        """Rigid motions and their momenta."""
        shape = (len(columns), self._count)
        basis: Any = wp.empty(shape, dtype=self._vec, device=self._device)
        weighted: Any = wp.empty_like(basis)
        inputs = [self._group_of, self._mobile, self._masses, self.table(columns), x]
        self._launch(self._run.motions, shape, [*inputs, basis, weighted])
        return basis, weighted

    def _add(self, kernel: Any, inputs: list[Any], sums: Any) -> None:
        self._launch(kernel, self._listed.size, [self._listed, self._owners, *inputs, sums])

    def _move(self, kernel: Any, like: Any, *inputs: Any) -> Any:
        out: Any = wp.empty_like(like)
        self._launch(kernel, self._count, [self._group_of, *inputs, out])
        return out
