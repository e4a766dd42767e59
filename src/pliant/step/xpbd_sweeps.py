"""The conditions of a body in the order in which position-based dynamics visits them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import DeviceSpace, Recorded, parallel
from pliant.conditions import edge_types
from pliant.energies import ConditionEnergy

from .xpbd_kernels import visit_kernel


def colours(stencils: np.ndarray, points: int) -> np.ndarray:
    """A colour for each stencil, (s,): those of one colour share no point. Greedy, in their order."""
    used = [0] * points  # the colours at each point, as bits
    found = np.empty(len(stencils), dtype=np.int64)
    for s, stencil in enumerate(stencils.tolist()):
        taken = 0
        for point in stencil:
            taken |= used[point]
        free = ~taken & (taken + 1)  # the lowest bit that is not set
        for point in stencil:
            used[point] |= free
        found[s] = free.bit_length() - 1
    return found


class Visits:
    """The visits of one energy: its conditions by colour, with the multiplier that each has found."""

    def __init__(self, energy: ConditionEnergy, points: int, dim: int, device: Any):
        condition: Any = energy.condition
        dtype: Any = wp.float64
        self.energy = energy
        colour = colours(energy.stencils, points)
        count, order = len(colour), np.argsort(colour, kind="stable")
        ends = np.cumsum(np.bincount(colour)).tolist()
        # A CPU launch goes through its threads one by one, so that all colours can share one.
        self.ranges = list(zip([0, *ends[:-1]], ends, strict=True))
        if not parallel(device):
            self.ranges = [(0, count)]
        edges, _, numbers = edge_types(condition.points, dim, condition.parameters, dtype)
        self.kernel = visit_kernel(condition, dim, dtype)
        self.order: Any = wp.array(order, dtype=wp.int32, device=device)
        self.stencils: Any = wp.array(energy.stencils, dtype=wp.int32, device=device)
        self.stiffness: Any = wp.zeros(count, dtype=dtype, device=device)
        self.aims: Any = wp.zeros(count, dtype=dtype, device=device)
        self.parameters: Any = wp.zeros(count, dtype=numbers, device=device)
        self.multipliers: Any = wp.zeros(count, dtype=dtype, device=device)
        self.impulses: Any = wp.zeros(count, dtype=edges, device=device)

    def ask(self, viscous: ConditionEnergy | None) -> None:
        """Set stiffness and aims for this step, and begin without impulses.

        The conditions' own k/2 (C - a)^2 and a damping's K/2 (C - c)^2 are one: (k + K)/2 (C - aim)^2.
        """
        k, aims = self.energy.stiffness, self.energy.aims
        if viscous is not None:
            both = k + viscous.stiffness
            sums = k * aims + viscous.stiffness * viscous.aims
            k, aims = both, sums / np.where(both > 0.0, both, 1.0)
        self.stiffness.assign(k)
        self.aims.assign(aims)
        self.parameters.assign(np.ascontiguousarray(self.energy.parameters))
        self.multipliers.zero_()
        self.impulses.zero_()


class Sweeps:
    """All conditions of a body. A sweep visits each once, in an order that is the same everywhere.

    At all times  x = y + w sum_j p_j:  p_j are the impulses, y is where points go without conditions.
    """

    def __init__(self, energies: Sequence[ConditionEnergy], vectors: DeviceSpace):
        self._vectors, self._device = vectors, vectors.device
        self.visits = [Visits(e, vectors.count, vectors.dim, self._device) for e in energies]
        self._x, self._y, self._before = (vectors.zeros() for _ in range(3))
        self._w: Any = wp.zeros(vectors.count, dtype=wp.float64, device=self._device)
        self._knobs: Any = wp.zeros(2, dtype=wp.float64, device=self._device)
        kernels = [v.kernel for v in self.visits]
        self._launches = Recorded(self._issue, kernels, self._device)

    def begin(self, y: np.ndarray, w: np.ndarray, viscous: Sequence[ConditionEnergy]) -> None:
        """Start at y [m], (n, d), with w [m/N], (n,); `viscous`: of each energy, if there is any."""
        self._y.assign(y)
        self._x.assign(y)
        self._w.assign(w)
        for i, visits in enumerate(self.visits):
            visits.ask(viscous[i] if viscous else None)

    def turn(self, share: float, relaxation: float) -> None:
        """Set what share of the turn of its gradient a condition follows, and the relaxation."""
        self._knobs.assign(np.array([share, relaxation]))

    def run(self, count: int) -> float:
        """Sweep `count` times; how far the last sweep has moved a point along an axis [m]."""
        for _ in range(count - 1):
            self._launches("sweep", self)
        wp.copy(self._before, self._x)
        self._launches("sweep", self)
        return self._vectors.apart(self._x, self._before)

    def moved(self) -> float:
        """How far all sweeps have moved a point along an axis [m]."""
        return self._vectors.apart(self._x, self._y)

    @property
    def x(self) -> np.ndarray:
        """Where the points are now [m], (n, d)."""
        out: np.ndarray = self._x.numpy().copy()
        return out

    def _issue(self) -> None:
        for v in self.visits:
            constants = [v.stencils, v.stiffness, v.aims, v.parameters, self._knobs]
            for begin, end in v.ranges:
                inputs = [v.order, begin, self._x, self._w, *constants, v.multipliers, v.impulses]
                wp.launch(v.kernel, end - begin, inputs=inputs, device=self._device)
