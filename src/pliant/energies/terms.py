"""The base of energies that kernels compute term by term: springs, conditions, ties."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import compilation, on_device

from .cell_partition import CellPartition, summed


class TermEnergy:
    """A sum of terms, each a law of the few points of its stencil.

    points [m], (n, dim): where points are about, which divides the terms among cores; stencils
    (terms, k); kernels: as of `term_kernels`; constants: what the law calls c, by name. Any positions
    are admissible. Satisfies `Energy`, with stencils as int32.
    """

    limits_steps: bool = False

    def __init__(
        self,
        points: np.ndarray,
        stencils: np.ndarray,
        kernels: Any,
        constants: Mapping[str, Any],
        *,
        device: Any,
    ):
        self.stencils = np.ascontiguousarray(stencils, dtype=np.int32)
        self._shares = CellPartition(points, self.stencils, device=device)
        self._run = kernels
        self._places: Any = wp.array(self.stencils, dtype=wp.int32, device=device)
        self._numbers: Any = wp.zeros(len(self.stencils), dtype=wp.float64, device=device)
        self._constants: dict[str, Any] = {}
        self._take(constants)
        compilation.expect()

    def value(self, x: Any) -> float:
        """Return W(x) [J]."""
        self._launch(self._run.value, x, self._numbers)
        return summed(self._numbers)

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add dW/dx [N] to g."""
        self._launch(self._run.gradient, x, g)

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add d2W/dx2 [N/m] to blocks, or its positive semi-definite stand-in."""
        self._launch(self._run.hessian, x, int(project), slots, blocks)

    def step_limit(self, x: Any, dx: Any) -> float:
        """Return inf: any positions are admissible."""
        return float("inf")

    def _launch(self, kernel: Any, x: Any, *outputs: Any) -> None:
        self._shares.launch(kernel, x, self._places, self._law, *outputs)

    def _take(self, changed: Mapping[str, Any]) -> None:
        """Replace the constants of these names, for this energy alone."""
        arrays = on_device(self._run.constants, changed, self._places.device)
        self._constants = {**self._constants, **arrays}
        # A new struct, so that recorded launches see that it has changed.
        self._law = packed(self._run.constants, self._constants)


def packed(struct: Any, values: Mapping[str, Any]) -> Any:
    """A Warp struct with these values, which it keeps alive."""
    out = struct()
    for name, value in values.items():
        setattr(out, name, value)
    return out
