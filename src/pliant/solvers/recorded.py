"""Sequences of kernel launches, recorded once and replayed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import warp as wp

#: Recordings kept for arrays that lie in different places.
KEPT = 4


class Recorded:
    """A sequence of launches that is replayed as one graph, on the CPU as well as on CUDA.

    A launch from Python takes 10 us, in a graph 0.1 us on the CPU and 2 us on CUDA; small grids
    compute for less than that. Where the installed Warp cannot record, the launches are made one by
    one.

    issue: makes the launches; kernels: those it uses, which must be loaded before.
    """

    def __init__(self, issue: Callable[[], None], kernels: Sequence[Any], device: Any):
        self._issue, self._kernels, self._device = issue, kernels, device
        self._graphs: dict[Hashable, tuple[Any, Any]] = {}

    def clear(self) -> None:
        """Forget all recordings: arrays were replaced."""
        self._graphs.clear()

    def __call__(self, key: Hashable, holding: Any) -> None:
        """Replay what was recorded under `key`, which names the arrays it reads from outside.

        holding: those arrays, kept alive so that no others take their place.
        """
        if key not in self._graphs:
            if len(self._graphs) >= KEPT:
                self._graphs.clear()
            self._graphs[key] = (self._record(), holding)
        graph, _ = self._graphs[key]
        if graph is None:
            self._issue()
        else:
            wp.capture_launch(graph)

    def _record(self) -> Any:
        for module in {kernel.module for kernel in self._kernels}:
            wp.load_module(module, device=self._device)
        try:
            with wp.ScopedCapture(device=self._device) as capture:
                self._issue()
        except RuntimeError:
            return None
        return capture.graph
