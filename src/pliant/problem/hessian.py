# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The Hessian of a step as blocks that stay on the device."""

import weakref
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import (
    OPTIONS,
    Doubles,
    HostNumbers,
    Ints,
    Launches,
    adder,
    keeps_arrays,
    kernels_named,
    parallel,
    to_device,
    topper,
    whole_blocks,
)
from pliant.energies import Energy, joined
from pliant.solvers import BlockPattern, PairBlocks

from .inertia import Inertia


class Held:
    """Blocks that must not be overwritten while this lives."""

    def __init__(self, blocks: Any):
        self.blocks = blocks


class Hessian:
    """One array of blocks, filled anew for every matrix; pins have rows and columns of the identity.

        H = sum of Hessians of energies + sum of quadratics + weight M

    Blocks that are held are not overwritten, so that a step can be repeated with the blocks it had.
    """

    def __init__(
        self, pattern: BlockPattern, masses: np.ndarray, free: np.ndarray, dim: int, *, device: Any
    ):
        self._pattern, self.free, self._device = pattern, free, device
        self._blocks = pattern.zeros(dim, device=device)
        self._buffers = [self._blocks]
        self._held: list[weakref.ref[Held]] = []
        self._slots: dict[int, tuple[np.ndarray, Any]] = {}
        self._masses = wp.array(masses, dtype=wp.float64, device=device)
        self._diagonal = wp.array(pattern.diagonal, dtype=wp.int32, device=device)
        both = free[pattern.rows] & free[pattern.columns]
        self._both_free = wp.array(both.astype(float), dtype=wp.float64, device=device)
        self.mobile = wp.array(free.astype(np.int32), dtype=wp.int32, device=device)
        self._on_device: tuple[np.ndarray, Any] | None = None
        self._run = _kernels(dim, parallel(device))
        self._launch, self._numbers = Launches(device), HostNumbers(1, device)
        # Atomic additions are slow on CUDA: only the upper half is summed, and then mirrored.
        self._mirror: Any = None
        if keeps_arrays(device):
            twins = np.full(len(pattern), -1)
            lower = np.flatnonzero(pattern.rows > pattern.columns)
            pairs = np.stack([pattern.columns[lower], pattern.rows[lower]], axis=1)
            twins[lower] = pattern.slots(pairs)[:, 0, 1]
            self._mirror = wp.array(twins, dtype=wp.int32, device=device)

    def fill(self, x: Any, energies: Sequence[Energy], inertia: Inertia, project: bool) -> Any:
        """The blocks at positions x, an array of the device; good until the next call."""
        self._blocks = self._writable()
        self._blocks.zero_()
        self._sum(self._blocks, x, (*energies, *inertia.energies), project)
        for q in inertia.quadratics:
            if q.definite or not project:
                inputs = [q.weight, self.to_device(q.blocks), self._both_free, self._blocks]
                self._launch(self._run.add, len(self._both_free), inputs)
        inputs = [inertia.weight, self._masses, self.mobile, self._diagonal, self._blocks]
        self._launch(self._run.close, len(self._masses), inputs)
        return self._blocks

    def hold(self, blocks: Any) -> Held:
        """Keep blocks that `fill` returned from being overwritten while the result lives."""
        held = Held(blocks)
        self._held.append(weakref.ref(held))
        return held

    def _writable(self) -> Any:
        """An array that nobody holds; there are few, so that recorded solves can be replayed."""
        self._held = [ref for ref in self._held if ref() is not None]
        taken = {id(held.blocks) for ref in self._held if (held := ref()) is not None}
        if id(self._blocks) not in taken:
            return self._blocks
        for blocks in self._buffers:
            if id(blocks) not in taken:
                return blocks
        self._buffers.append(wp.zeros_like(self._blocks))
        return self._buffers[-1]

    def of(self, x: Any, energies: Sequence[Energy], project: bool) -> Any:
        """The blocks of energies alone, zero at pins, as a new array."""
        blocks: Any = wp.zeros_like(self._blocks)
        self._sum(blocks, x, energies, project)
        return blocks

    def _sum(self, blocks: Any, x: Any, energies: Sequence[Energy], project: bool) -> None:
        for energy in energies if project else joined(energies):
            energy.add_hessian(x, blocks, self._slots_of(energy.stencils), project)
        if self._mirror is not None:
            self._launch(self._run.mirror, len(self._both_free), [self._mirror, blocks])

    def drop_pins(self, pairs: PairBlocks) -> None:
        """Leave out the blocks of pairs of which one is a pin."""
        inputs = [self.mobile, pairs.rows, pairs.columns, pairs.above]
        wp.launch(self._run.free_pairs, len(pairs.rows), inputs=inputs, device=self._device)

    def to_device(self, blocks: Any) -> Any:
        """Blocks of the pattern on the device. The copy is kept while the same array is asked for."""
        if self._on_device is None or self._on_device[0] is not blocks:
            self._on_device = (blocks, to_device(blocks, self._blocks.dtype, self._device))
        return self._on_device[1]

    def shift(self, share: float) -> None:
        """Add this share of its own diagonal to the matrix."""
        inputs = [share, self._diagonal, self._blocks]
        self._launch(self._run.shift, len(self._masses), inputs)

    def trace(self, blocks: Any) -> float:
        """The sum of the absolute diagonal of some blocks over the free points."""
        inputs = [self._diagonal, self.mobile, blocks]
        return self._look(self._run.trace, len(self._masses), inputs)

    def largest(self, blocks: Any = None) -> float:
        """The largest entry of some blocks; by default of its own."""
        blocks = self._blocks if blocks is None else blocks
        return self._look(self._run.largest, len(self._both_free), [self.to_device(blocks)])

    def _look(self, kernel: Any, count: int, inputs: list[Any]) -> float:
        threads = whole_blocks(count, self._device)
        self._launch(kernel, threads, [*inputs, self._numbers.emptied()])
        return float(self._numbers.read()[0])

    def _slots_of(self, stencils: np.ndarray) -> Any:
        """Where each term's blocks go in the pattern; blocks of pins are dropped."""
        key = id(stencils)
        if key not in self._slots:
            free = self.free[stencils]
            both = free[:, :, None] & free[:, None, :]
            if self._mirror is not None:
                both &= stencils[:, :, None] <= stencils[:, None, :]
            slots = np.where(both, self._pattern.slots(stencils), -1)
            array = wp.array(slots, dtype=wp.int32, device=self._device)
            self._slots[key] = (stencils, array)  # holds the key, so that its id stays taken
        return self._slots[key][1]


@cache
def _kernels(dim: int, cuda: bool) -> Any:
    mat = wp.types.matrix((dim, dim), wp.float64)
    zero = wp.constant(wp.float64(0.0))
    add_up, top = adder(cuda), topper(cuda)
    Mats = wp.array(dtype=mat)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def add(weight: wp.float64, more: Mats, kept: Doubles, blocks: Mats):
        i = wp.tid()
        blocks[i] = blocks[i] + (weight * kept[i]) * more[i]

    @wp.kernel(module="unique", module_options=OPTIONS)
    def close(weight: wp.float64, masses: Doubles, mobile: Ints, diagonal: Ints, blocks: Mats):
        i = wp.tid()
        own = wp.float64(1.0)
        if mobile[i] == 1:
            own = weight * masses[i]
        block = blocks[diagonal[i]]
        for k in range(dim):
            block[k, k] += own
        blocks[diagonal[i]] = block

    @wp.kernel(module="unique", module_options=OPTIONS)
    def shift(share: wp.float64, diagonal: Ints, blocks: Mats):
        i = wp.tid()
        block = blocks[diagonal[i]]
        for k in range(dim):
            block[k, k] += share * wp.abs(block[k, k])
        blocks[diagonal[i]] = block

    @wp.kernel(module="unique", module_options=OPTIONS)
    def mirror(twins: Ints, blocks: Mats):
        i = wp.tid()
        if twins[i] >= 0:
            blocks[i] = wp.transpose(blocks[twins[i]])

    @wp.kernel(module="unique", module_options=OPTIONS)
    def free_pairs(mobile: Ints, rows: Ints, columns: Ints, blocks: Mats):
        i = wp.tid()
        if mobile[rows[i]] * mobile[columns[i]] == 0:
            columns[i] = rows[i]
            blocks[i] = mat()

    @wp.kernel(module="unique", module_options=OPTIONS)
    def trace(diagonal: Ints, mobile: Ints, blocks: Mats, total: Doubles):
        i = wp.tid()
        part = zero
        if i < mobile.shape[0]:
            free = wp.float64(mobile[i])
            for k in range(dim):
                part += free * wp.abs(blocks[diagonal[i]][k, k])
        add_up(total, 0, part)

    @wp.kernel(module="unique", module_options=OPTIONS)
    def largest(blocks: Mats, total: Doubles):
        i = wp.tid()
        part = zero
        if i < blocks.shape[0]:
            for j in range(dim):
                for k in range(dim):
                    part = wp.max(part, wp.abs(blocks[i][j, k]))
        top(total, i, part)

    return kernels_named(add, close, shift, mirror, free_pairs, trace, largest)
