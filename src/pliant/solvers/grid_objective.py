"""What a solver with grids asks of an objective, and what its grids are made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pliant.backend import Space

from .multigrid import Multigrid
from .pair_blocks import PairBlocks

#: Positions, those of the objective first, and factors of the Hessians there.
Places = Sequence[tuple[Any, float]]


class GridObjective(Protocol):
    """An objective whose Hessian is an array of blocks on the device of the multigrid."""

    vectors: Space
    stiffness: float  # about how many times the stiffness of the body,
    weight: float  # and about how many times its mass, the Hessian is

    def blocks(self, x: Any, project: bool) -> Any:
        """The Hessian over all points, with rows and columns of the identity at pins."""

    def couples_all(self, x: Any) -> bool:
        """Whether the Hessian at x may have more than its blocks; asked if there is another solver."""

    def pairs(self, x: Any, project: bool) -> Sequence[PairBlocks]:
        """Blocks of the Hessian for pairs that come and go, besides those of the pattern."""

    def places(self, x: Any) -> Places:
        """Positions, x first, each with a factor: the Hessian at x is the sum of those there."""

    def turns(self, x: Any) -> Any:
        """The rotation of the neighbourhood of every point."""

    def admitted(self, dx: Any) -> Any:
        """The part of a displacement along the directions that are searched."""

    def motions(self) -> tuple[Any, Any] | None:
        """(Q, M Q), each (rank, points): the motions that are not searched."""

    def shift(self, share: float) -> None:
        """Add a share of its diagonal to the blocks; needed where there is no other solver."""

    def steepest(self, g: Any) -> Any:
        """The gradient, scaled; needed where there is no other solver."""


@dataclass(frozen=True, eq=False)
class Terms:
    """Hessians of the terms of an energy, (terms k k,) matrices, and how many times they count."""

    factor: float
    blocks: Any


@dataclass(frozen=True, eq=False)
class Sample:
    """The stiffness of a body at positions x; terms: the Hessians of what is not matter."""

    x: Any
    terms: tuple[Terms, ...]


class Stiffness(Protocol):
    """The stiffness of a body, for its grids."""

    def sample(self, places: Places) -> Sample:
        """What the grids are made from."""

    def add(self, sample: Sample, multigrid: Multigrid) -> None:
        """Add it to the grids, during `Multigrid.refresh`; refuses one of another shape."""

    def total(self, places: Places) -> float:
        """The sum of the diagonals of what is not matter [N/m]."""
