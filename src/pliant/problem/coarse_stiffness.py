"""The stiffness of a body as the grids of its multigrid take it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import keeps_arrays
from pliant.energies import Energy, Griddable
from pliant.solvers import Multigrid, Sample, Terms, shaped


class CoarseStiffness:
    """Samples stiffness at the `places` of an objective, and adds it to grids.

    griddable: what fills the cells of the grids; others: energies that push or pull single points or
    few together, which come to the grids term by term. turns: the rotation of the neighbourhood of
    every point at positions; wrap: positions as an array of the device.
    """

    def __init__(
        self,
        griddable: Sequence[Griddable],
        others: Sequence[Energy],
        *,
        free: np.ndarray,
        dim: int,
        turns: Callable[[Any], Any],
        wrap: Callable[[Any], Any],
        device: Any,
    ):
        self._griddable, self._turns, self._wrap = griddable, turns, wrap
        self._on_host = not keeps_arrays(device)
        self._points = len(free)
        self._terms = [_Terms(energy, free, dim, device) for energy in others]

    def sample(self, places: Sequence[tuple[Any, float]]) -> Sample:
        """All that the grids depend on."""
        found = [Terms(f, t.blocks(self._wrap(y))) for t in self._terms for y, f in places]
        return Sample(places[0][0], tuple(found))

    def add(self, sample: Sample, multigrid: Multigrid) -> None:
        """Add what was sampled to the grids."""
        x = self._wrap(sample.x)
        if len(x) != self._points or len(sample.terms) % max(len(self._terms), 1):
            raise ValueError("a stiffness of another body")
        for energy, holders in zip(self._griddable, multigrid.holders, strict=True):
            energy.add_coarse_stiffness(x, holders, multigrid)
        frames = self._turns(x) if sample.terms else None
        each = len(sample.terms) // max(len(self._terms), 1)
        for i, found in enumerate(sample.terms):
            self._terms[i // each].add(found, multigrid, frames)

    def total(self, places: Sequence[tuple[Any, float]]) -> float:
        """The sum of the diagonals of the other energies [N/m]. It is not used on CUDA."""
        if not self._on_host:
            return 0.0
        pairs = [(t, self._wrap(place), factor) for t in self._terms for place, factor in places]
        return sum(factor * t.trace(place) for t, place, factor in pairs)


class _Terms:
    """The Hessian of an energy, each term for itself; zero at pins."""

    def __init__(self, energy: Energy, free: np.ndarray, dim: int, device: Any):
        self._energy = energy
        matrix = wp.types.matrix((dim, dim), wp.float64)
        count, k = energy.stencils.shape
        self.stencils: Any = wp.array(energy.stencils, dtype=wp.int32, device=device)
        moves = free[energy.stencils]
        own = np.arange(count * k * k).reshape(count, k, k)
        slots = np.where(moves[:, :, None] & moves[:, None, :], own, -1)
        self._slots: Any = wp.array(slots, dtype=wp.int32, device=device)
        self._own: Any = wp.zeros(slots.size, dtype=matrix, device=device)

    def blocks(self, x: Any) -> Any:
        """The positive semi-definite stand-in for the Hessian at x, as a new array."""
        return self._fill(x, wp.zeros_like(self._own))

    def add(self, found: Terms, multigrid: Multigrid, frames: Any) -> None:
        """Add blocks to the grids."""
        own = self._own
        blocks = shaped(found.blocks, len(own), own.dtype, own.device)
        multigrid.add_terms(found.factor, self.stencils, blocks, frames)

    def trace(self, x: Any) -> float:
        """The sum of the diagonals of the terms [N/m]."""
        self._own.zero_()
        return float(np.einsum("bii->", self._fill(x, self._own).numpy()))

    def _fill(self, x: Any, out: Any) -> Any:
        self._energy.add_hessian(x, out, self._slots, True)
        return out
