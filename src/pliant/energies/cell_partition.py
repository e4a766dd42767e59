"""The cells of a body divided among the cores of the machine."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import Command, cores, parallel

#: The fewest cells for one core: waking it takes 20 us, and the cheapest kernel 30 ns a cell.
LEAST_CELLS = 2000


class CellPartition:
    """The cells divided into shares that have no point in common, and a seam between them.

    Warp runs a CPU launch on one core, and its atomic additions are not atomic across threads. So
    the body is cut into slabs across its longest side; each core gets one, less the cells that
    touch points of a slab before it. Those, the seam, follow when all others are done. Every sum is
    thus taken in a fixed order: a run repeats to the last bit on machines with as many cores.

    On CUDA, and for few cells, there is one share. The first argument of a kernel is the cells of a
    share, an int32 array:  `c = order[wp.tid()]`. With `each` it numbers so many rows of every cell.
    """

    def __init__(
        self,
        points: np.ndarray,
        cells: np.ndarray,
        *,
        device: Any,
        count: int | None = None,
        each: int = 1,
    ):
        if count is None:
            count = 1 if parallel(device) else min(cores(), each * len(cells) // LEAST_CELLS)
        self._device = device
        orders = _cut(points, cells, count) if count > 1 else []
        if not all(len(order) for order in orders):
            orders = []  # cells so wide that a core has none of its own, or a body in two halves
        orders = [(each * o[:, None] + np.arange(each)).ravel() for o in orders]
        orders = orders or [np.arange(each * len(cells))]
        self._orders: list[Any] = [
            wp.array(order, dtype=wp.int32, device=device) for order in orders
        ]
        self._recorded: dict[Any, list[Command]] = {}

    def __len__(self) -> int:
        return max(1, len(self._orders) - 1)

    @property
    def orders(self) -> list[np.ndarray]:
        """The cells of each share and, if there is more than one, of the seam."""
        return [order.numpy() for order in self._orders]

    def changes(self, struct: Any) -> None:
        """Hear that a struct is about to change: recorded launches must be told of it anew."""
        for commands in self._recorded.values():
            for command in commands:
                command.forget(struct)

    def launch(self, kernel: Any, *inputs: Any) -> None:
        """Run a kernel over all cells."""
        given = [(order, *inputs) for order in self._orders]
        if kernel not in self._recorded:
            self._recorded[kernel] = [
                Command(kernel, each[0].size, each, device=self._device) for each in given
            ]
        first, *others = self._recorded[kernel]
        if not others:
            first.launch(given[0])
            return
        *others, seam = others
        waiting = [crew().submit(c.launch, i) for c, i in zip(others, given[1:], strict=False)]
        try:
            first.launch(given[0])
        finally:
            wait(waiting)  # after an interrupt, too: nobody writes once this has been left
        for other in waiting:
            other.result()
        seam.launch(given[-1])


def summed(energies: Any) -> float:
    """The sum of a number per cell; on CUDA only the sum comes to the host."""
    if parallel(energies.device):
        total: Any = wp.utils.array_sum(energies)
        return float(total)
    return float(np.asarray(energies).sum())  # numpy sums pairwise, Warp one by one


def _cut(points: np.ndarray, cells: np.ndarray, count: int) -> list[np.ndarray]:
    """`count` slabs of cells and the seam, each in the order of the cells."""
    side = int(np.argmax(np.ptp(points, axis=0)))
    along = points[cells, side].mean(axis=1)
    bounds = np.quantile(along, np.arange(1, count) / count)
    slab = np.searchsorted(bounds, along)
    owner = np.full(len(points), count)
    np.minimum.at(owner, cells, slab[:, None])  # the first slab that touches the point
    alone = (owner[cells] == slab[:, None]).all(axis=1)
    return [*(np.flatnonzero(alone & (slab == s)) for s in range(count)), np.flatnonzero(~alone)]


@cache
def crew() -> ThreadPoolExecutor:
    """The threads that launches on the CPU are divided among, besides the one that asks."""
    return ThreadPoolExecutor(max(1, cores() - 1), thread_name_prefix="pliant")


if hasattr(os, "register_at_fork"):  # a fork has none of its parent's threads
    os.register_at_fork(after_in_child=crew.cache_clear)
