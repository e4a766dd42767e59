"""An energy of one body, as an energy of the points of several."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.solvers import PairBlocks

from .protocol import Coupling, Energy, Griddable, Pairing


class Shifted:
    """Stencils of bodies as stencils of an island, made once for each array."""

    def __init__(self) -> None:
        self._made: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]] = {}

    def __call__(self, stencils: np.ndarray, first: int) -> np.ndarray:
        """The stencils of points that are numbered from `first`."""
        key = (id(stencils), first)
        if key not in self._made:
            self._made[key] = (stencils, (stencils + first).astype(np.int32))  # holds the id
        return self._made[key][1]


class Slice:
    """An energy of `count` points that are numbered from `first` among those of an island.

    Satisfies `Energy`. Arrays that it gets are those of the island.
    """

    def __init__(self, energy: Energy, first: int, count: int, known: Shifted):
        self._energy, self._first, self._count = energy, first, count
        self.stencils, self.limits_steps = known(energy.stencils, first), energy.limits_steps
        self._views: tuple[Any, Any] = (None, None)

    def value(self, x: Any) -> float:
        """Return W(x) [J]."""
        return self._energy.value(self._own(x))

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add dW/dx [N] to g."""
        self._energy.add_gradient(self._own(x), g[self._first : self._first + self._count])

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add d2W/dx2 [N/m] to blocks; the slots are those of the island."""
        self._energy.add_hessian(self._own(x), blocks, slots, project)

    def step_limit(self, x: Any, dx: Any) -> float:
        """Return the largest admissible fraction of dx."""
        own = dx[self._first : self._first + self._count]
        return self._energy.step_limit(self._own(x), own)

    def _own(self, x: Any) -> Any:
        """The points of the body. The same array gives the same view again."""
        if self._views[0] is not x:
            self._views = (x, x[self._first : self._first + self._count])
        return self._views[1]


class CouplingSlice(Slice, Coupling):
    """The same for an energy that couples points beyond its stencils."""

    def __init__(self, energy: Any, first: int, count: int, points: int, known: Shifted):
        super().__init__(energy, first, count, known)
        self._coupling, self._points = energy, points
        self.always_couples = energy.always_couples

    def couples(self, x: Any) -> bool:
        """Whether U may have columns at x."""
        return bool(self._coupling.couples(self._own(x)))

    def low_rank(self, x: Any) -> np.ndarray:
        """U at x, (points dim, r)."""
        found = self._coupling.low_rank(self._own(x))
        dim = len(found) // self._count
        out = np.zeros((self._points * dim, found.shape[1]))
        out[self._first * dim : (self._first + self._count) * dim] = found
        return out


class PairingSlice(Slice, Pairing):
    """The same for an energy of pairs that come and go."""

    def __init__(self, energy: Any, first: int, count: int, known: Shifted):
        super().__init__(energy, first, count, known)
        self._pairing = energy

    def pair_blocks(self, x: Any, project: bool) -> list[PairBlocks]:
        """The blocks off the diagonal at x [N/m]."""
        found = self._pairing.pair_blocks(self._own(x), project)
        return [blocks.shifted(self._first) for blocks in found]


class GriddableSlice(Slice, Griddable):
    """The same for an energy whose stiffness a grid can hold."""

    def __init__(self, energy: Any, first: int, count: int, known: Shifted):
        super().__init__(energy, first, count, known)
        self._griddable = energy

    def add_coarse_stiffness(self, x: Any, holders: Any, multigrid: Any) -> None:
        """Add the stiffness at x [N/m] to `multigrid.cells`."""
        own = multigrid.of_points(self._first, self._count)
        self._griddable.add_coarse_stiffness(self._own(x), holders, own)


def sliced(energy: Energy, first: int, count: int, points: int, *, known: Shifted) -> Slice:
    """An energy of one body among `points` points of an island."""
    if isinstance(energy, Coupling):
        return CouplingSlice(energy, first, count, points, known)
    if isinstance(energy, Pairing):
        return PairingSlice(energy, first, count, known)
    if isinstance(energy, Griddable):
        return GriddableSlice(energy, first, count, known)
    return Slice(energy, first, count, known)
