# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""Block rows laid out as each device reads them best."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import BLOCK, Ints, kernels_named

from .blocks import BlockPattern

#: Rows of a slice: the threads of a CUDA warp, which read neighbouring numbers together.
SLICE = 32
#: Blocks that a multiprocessor of CUDA should hold at least.
RESIDENT = 2


@dataclass(frozen=True)
class Storage:
    """How vectors and matrices are stored: what selects a family of kernels."""

    dim: int
    dtype: Any  # wp.float32 or wp.float64
    sliced: bool = False  # whether rows are laid out by slices
    tiled: bool = False  # whether the threads of a block share sums: on CUDA

    @property
    def vec(self) -> Any:
        """The type of a vector's entry."""
        return wp.types.vector(self.dim, self.dtype)

    @property
    def mat(self) -> Any:
        """The type of a block."""
        return wp.types.matrix((self.dim, self.dim), self.dtype)

    @property
    def values(self) -> Any:
        """The type of the entries of an array of matrix values."""
        return self.dtype if self.sliced else self.mat

    @property
    def number(self) -> str:
        """The name of `dtype` in C++."""
        return "float" if self.dtype is wp.float32 else "double"

    @property
    def step(self) -> int:
        """The distance in memory between the entries of a row."""
        return SLICE if self.sliced else 1

    @property
    def block(self) -> int:
        """The threads that share a sum."""
        return BLOCK if self.tiled else 1

    def module(self, name: str) -> Any:
        """The Warp module of a family of kernels, compiled together."""
        layout = f"{'sliced' if self.sliced else 'plain'}_{'tiled' if self.tiled else 'single'}"
        module = wp.get_module(f"pliant_{name}_{self.dim}d_{self.dtype.__name__}_{layout}")
        module.options["enable_backward"] = False
        return module

    def layout(self, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
        """Where rows of these lengths begin and end, and how many entries there are in all.

        Sliced rows are grouped by 32; the k-th entries of a group stand side by side (sliced
        ELLPACK), so that a warp reads whole lines of memory.
        """
        if not self.sliced:
            last = np.cumsum(lengths)
            return last - lengths, last, int(lengths.sum())
        whole = np.zeros(-(-len(lengths) // SLICE) * SLICE, dtype=np.int64)
        whole[: len(lengths)] = lengths
        begin = np.concatenate([[0], np.cumsum(whole.reshape(-1, SLICE).max(axis=1))]) * SLICE
        row = np.arange(len(lengths))
        first = begin[row // SLICE] + row % SLICE
        return first, first + lengths * SLICE, int(begin[-1])


def named(*kernels: Any) -> Any:
    """The kernels as attributes, compiled with as many registers as batches of loads need.

    Left alone, CUDA's compiler holds them to 32, and the loads wait for each other.
    """
    for kernel in kernels:
        kernel.options["launch_bounds"] = (BLOCK, RESIDENT)
    return kernels_named(*kernels)


@cache
def spread_kernel(storage: Storage, source_dtype: Any) -> Any:
    """Return the kernel that lays block rows out by slices, their sums apart."""
    dim, dtype, mat, step, square = storage.dim, storage.dtype, storage.mat, SLICE, storage.dim**2
    block_type = wp.types.matrix((dim, dim), source_dtype)
    double = wp.types.matrix((dim, dim), wp.float64)

    @wp.kernel(module="unique", module_options={"enable_backward": False})
    def spread(
        starts: Ints,
        neighbours: Ints,
        blocks: wp.array(dtype=block_type),
        first: Ints,
        values: wp.array(dtype=dtype),
        ground: wp.array(dtype=mat),
    ):
        i = wp.tid()
        lane = i % step
        at = (first[i] - lane) * square + lane
        total = double()
        for k in range(starts[i], starts[i + 1]):
            block = blocks[k]
            total += double(block)
            if neighbours[k] != i:
                for r in range(dim):
                    for c in range(dim):
                        values[at + (r * dim + c) * step] = dtype(block[r, c])
                at += square * step
        ground[i] = mat(total)

    return spread


class Rows:
    """A block matrix of fixed pattern, ready for products.

        (A x)_i = sum_j A_ij x_j                                plain: on the CPU
        (A x)_i = (sum_j A_ij) x_i + sum_j A_ij (x_j - x_i)     sliced: on CUDA

    Plain rows are the caller's own blocks where these are of the same type; sliced ones are copied,
    in the order of `Storage.layout`.
    """

    def __init__(self, pattern: BlockPattern, storage: Storage, *, device: Any):
        self.count, self._storage, self._device = pattern.points, storage, device
        self.values: Any = None
        lengths = np.diff(pattern.starts).astype(np.int64)
        kept = np.ones(len(pattern), dtype=bool)
        if storage.sliced:
            kept[pattern.diagonal] = False
            lengths -= 1
        first, last, entries = storage.layout(lengths)
        rows = pattern.rows[kept]
        within = np.arange(len(rows)) - (np.cumsum(lengths) - lengths)[rows]
        columns = np.zeros(entries, dtype=np.int64)
        columns[first[rows] + within * storage.step] = pattern.columns[kept]
        self.first, self.last, self.columns = map(self._index, (first, last, columns))
        self.ground = wp.zeros(self.count, dtype=storage.mat, device=device)
        if storage.sliced:
            self._starts = self._index(pattern.starts)
            self._neighbours = self._index(pattern.columns)
            self.values = wp.zeros(entries * storage.dim**2, dtype=storage.dtype, device=device)

    @property
    def arguments(self) -> list[Any]:
        """The arguments of `row_product` before x."""
        return [self.first, self.last, self.columns, self.values, self.ground]

    def fill(self, blocks: Any) -> None:
        """Take the values of a block array in the order of the pattern."""
        if not self._storage.sliced:
            if blocks.dtype._wp_scalar_type_ is self._storage.dtype:
                self.values = blocks
                return
            if self.values is None:
                of = {"dtype": self._storage.mat, "device": self._device}
                self.values = wp.zeros(blocks.shape, **of)
            wp.utils.array_cast(blocks, self.values)
            return
        kernel = spread_kernel(self._storage, blocks.dtype._wp_scalar_type_)
        inputs = [self._starts, self._neighbours, blocks, self.first, self.values, self.ground]
        wp.launch(kernel, self.count, inputs=inputs, device=self._device)

    def _index(self, array: np.ndarray) -> Any:
        return wp.array(array.astype(np.int32), dtype=wp.int32, device=self._device)
