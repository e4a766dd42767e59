# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The Hessian of a step as blocks that stay on the device."""

from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import warp as wp

from pliant.damping.inertia import Inertia
from pliant.energies.protocol import Energy
from pliant.solvers import BlockPattern

OPTIONS = {"enable_backward": False}


class Hessian:
    """One array of blocks, filled anew for every matrix; pins have rows and columns of the identity.

        H = sum of Hessians of energies + sum of quadratics + weight M

    It is always the same array, so that what was recorded of a solve with it can be replayed.
    """

    def __init__(
        self, pattern: BlockPattern, masses: np.ndarray, free: np.ndarray, dim: int, *, device: Any
    ):
        self._pattern, self._free, self._device = pattern, free, device
        self._blocks = pattern.zeros(dim, device=device)
        self._slots: dict[int, tuple[np.ndarray, Any]] = {}
        self._masses = wp.array(masses, dtype=wp.float64, device=device)
        self._diagonal = wp.array(pattern.diagonal, dtype=wp.int32, device=device)
        kept = free[pattern.rows] & free[pattern.columns]
        self._kept = wp.array(kept.astype(float), dtype=wp.float64, device=device)
        self._mobile = wp.array(free.astype(np.int32), dtype=wp.int32, device=device)
        self._run = _kernels(dim)

    def fill(self, x: Any, energies: Sequence[Energy], inertia: Inertia, project: bool) -> Any:
        """The blocks at positions x, an array of the device; good until the next call."""
        self._blocks.zero_()
        for energy in (*energies, *inertia.energies):
            energy.add_hessian(x, self._blocks, self._slots_of(energy.stencils), project)
        for q in inertia.quadratics:
            if q.definite or not project:
                self._add(q.blocks, q.weight)
        inputs = [inertia.weight, self._masses, self._mobile, self._diagonal, self._blocks]
        wp.launch(self._run.close, len(self._masses), inputs=inputs, device=self._device)
        return self._blocks

    def _add(self, blocks: np.ndarray, weight: float) -> None:
        more = wp.array(blocks, dtype=self._blocks.dtype, device=self._device, copy=False)
        inputs = [weight, more, self._kept, self._blocks]
        wp.launch(self._run.add, len(self._kept), inputs=inputs, device=self._device)

    def _slots_of(self, stencils: np.ndarray) -> Any:
        """Where each term's blocks go; those of pins go nowhere."""
        key = id(stencils)
        if key not in self._slots:
            free = self._free[stencils]
            both = free[:, :, None] & free[:, None, :]
            slots = np.where(both, self._pattern.slots(stencils), -1)
            array = wp.array(slots, dtype=wp.int32, device=self._device)
            self._slots[key] = (stencils, array)  # holds the key, so that its id stays taken
        return self._slots[key][1]


@cache
def _kernels(dim: int) -> Any:
    mat = wp.types.matrix((dim, dim), wp.float64)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def add(
        weight: wp.float64,
        more: wp.array(dtype=mat),
        kept: wp.array(dtype=wp.float64),
        blocks: wp.array(dtype=mat),
    ):
        i = wp.tid()
        blocks[i] = blocks[i] + (weight * kept[i]) * more[i]

    @wp.kernel(module="unique", module_options=OPTIONS)
    def close(
        weight: wp.float64,
        masses: wp.array(dtype=wp.float64),
        mobile: wp.array(dtype=wp.int32),
        diagonal: wp.array(dtype=wp.int32),
        blocks: wp.array(dtype=mat),
    ):
        i = wp.tid()
        own = wp.float64(1.0)
        if mobile[i] == 1:
            own = weight * masses[i]
        block = blocks[diagonal[i]]
        for k in range(dim):
            block[k, k] += own
        blocks[diagonal[i]] = block

    return SimpleNamespace(add=add, close=close)
