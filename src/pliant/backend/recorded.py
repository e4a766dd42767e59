"""Sequences of kernel launches, recorded once and replayed."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import warp as wp

from .casts import cast_kernel
from .devices import BLOCK, parallel
from .threads import computing

#: Recordings kept for arrays that lie in different places.
RECORDINGS = 4
#: In place of an array that a command does not hold.
PASSING = object()


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
            if len(self._graphs) >= RECORDINGS:
                self._graphs.clear()
            with computing.recording() as alone:
                graph = self._first() if alone else None
            if alone:  # else another time
                self._graphs[key] = (graph, holding)
            else:
                self._issue()
            return
        graph, _ = self._graphs[key]
        if graph is None:
            self._issue()
        else:
            wp.capture_launch(graph)

    def _first(self) -> Any:
        """Record and replay; None if that cannot be done, and the launches are made as they are."""
        graph = self._record()
        if graph is not None:
            try:
                wp.capture_launch(graph)
            except RuntimeError:  # of Warp on a busy CPU: it has recorded nothing
                graph = None
        if graph is None:
            self._issue()
        return graph

    def _record(self) -> Any:
        for module in {kernel.module for kernel in self._kernels}:
            wp.load_module(module, device=self._device)
        try:
            with wp.ScopedCapture(device=self._device) as capture:
                self._issue()
        except RuntimeError:
            return None
        return capture.graph


class Command:
    """One recorded launch. Changing its arguments takes a tenth of the time of a new launch.

    Arrays that are always the same are held. Those that differ from launch to launch are let go
    after it, as `wp.launch` does: on CUDA memory is given back only behind the launches before.
    """

    def __init__(self, kernel: Any, shape: Any, inputs: Sequence[Any], *, device: Any):
        self._held = list(inputs)
        self._passing: dict[int, tuple[Any, int]] = {}  # kinds of the arrays that differ
        self._command: Any = wp.launch(
            kernel, shape, inputs=inputs, device=device, block_dim=BLOCK, record_cmd=True
        )

    def forget(self, value: Any) -> None:
        """Take an input for another one at the next launch, though it is the same object."""
        self._held = [PASSING if held is value else held for held in self._held]

    def launch(self, inputs: Sequence[Any]) -> None:
        """Run it with these inputs."""
        command, held = self._command, self._held
        for i, value in enumerate(inputs):
            if value is held[i]:
                continue
            held[i] = PASSING  # now already: if this is interrupted, it is told anew
            if isinstance(value, wp.array):
                kind = (value.dtype, value.ndim)
                if self._passing.get(i) == kind:  # Warp need not check it again
                    command.set_param_at_index_from_ctype(i, value.__ctype__())
                else:
                    command.set_param_at_index(i, value)
                    self._passing[i] = kind
            elif isinstance(value, float):
                command.set_param_at_index_from_ctype(i, value)
                held[i] = value
            else:
                command.set_param_at_index(i, value)
                held[i] = value
        command.launch()
        kept = getattr(command, "fwd_args", None)  # Warp's own, for captures
        if kept is not None:
            for i in self._passing:
                kept[i] = None


class Launches:
    """Launches on one device, each recorded when it is first made."""

    def __init__(self, device: Any):
        self._device, self._on_host = device, not parallel(device)
        self._known: dict[tuple[Any, Any], Command] = {}

    def __call__(self, kernel: Any, shape: Any, inputs: Sequence[Any]) -> None:
        """Run a kernel."""
        key = (kernel, shape)
        if key not in self._known:
            self._known[key] = Command(kernel, shape, inputs, device=self._device)
        self._known[key].launch(inputs)

    def cast(self, a: Any, out: Any) -> None:
        """Copy vectors or matrices, without gaps, into an array of another precision, or of the same."""
        if a.dtype is out.dtype and self._on_host:
            ctypes.memmove(out.ptr, a.ptr, a.capacity)  # a tenth of the time of `wp.copy`
        elif a.dtype is out.dtype:
            wp.copy(out, a)
        else:
            self(cast_kernel(a.dtype, out.dtype), len(a), [a, out])
