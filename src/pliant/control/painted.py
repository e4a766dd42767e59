"""A wish for every point: places of a body rest one after another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.backend import Labels
from pliant.declared import Quantity
from pliant.energies import Coupling, ObstacleEnergy, SolidEnergy, Strained
from pliant.errors import shown
from pliant.given import floats_or_nan
from pliant.problem import StepContext

from .law import Law, Release, solve_law
from .laws import Laws
from .part_distances import strained_stencils
from .per_body import PerBody

if TYPE_CHECKING:
    from .settle import Settle

#: Wishes of neighbouring groups of cells are so far apart: they are rounded by half of it, below what
#: a promise is kept to.
LADDER = 1.01
RANGE = Quantity(above=0.0)


@dataclass(frozen=True, eq=False)
class PaintedWish:
    """When every point is to rest [s], (n,)."""

    seconds: np.ndarray

    @classmethod
    def of(cls, rest_in: Any) -> PaintedWish:
        """The wish of a `Settle` for each point; refused if one is no number of seconds."""
        seconds = floats_or_nan(rest_in)
        if seconds.ndim != 1 or not len(seconds) or not RANGE.holds(seconds):
            raise ValueError(
                f"Settle: got rest_in={shown(rest_in)}; expected seconds > 0, one number for each "
                "point of the body, or one for all"
            )
        return cls(seconds)

    def __repr__(self) -> str:
        seconds = self.seconds
        return f"<{seconds.min():g} to {seconds.max():g} s over {len(seconds)} points>"

    def require_fit(self, body: Any) -> None:
        """Refuse a body that has not as many points, or whose strains have no places."""
        who, n = f"{body.name}: got Settle(rest_in=...)", len(self.seconds)
        if n != len(body.masses):
            raise ValueError(
                f"{who} with {n} numbers; expected {len(body.masses)}, one for each point, or one "
                "for all"
            )
        if body.in_modes or not all(map(_has_places, body.system().assembly.energies)):
            raise ValueError(
                f"{who} with a number for each point of {type(body).__name__}; expected one number for "
                "all, or a solid, cloth, shell, rod, form or springs"
            )

    def laws(self, wish: Settle, context: StepContext, release: Release) -> Laws:
        """The laws of a step: one for each group of cells.

        release: with what departure and velocity the body was let go; all places count as let go alike.
        """
        groups = _groups_of(context.mechanics, self)
        laws = _solved(groups.seconds, context.dt, wish.bounces, wish.within, release)
        return Laws(laws, groups.cells, groups.points)


@dataclass(frozen=True)
class _Groups:
    """Cells and points by their wish: seconds [s] of every group, and the group of each."""

    seconds: tuple[float, ...]
    cells: list[Labels]
    points: Labels


def _has_places(energy: Any) -> bool:
    """Whether the strain of every cell or term is that of a place, which may have a law of its own."""
    if isinstance(energy, Coupling):  # its strains are found together
        return False
    return isinstance(energy, (SolidEnergy, Strained, ObstacleEnergy))


def _make_groups(body: Any, wish: Any) -> _Groups:
    """A cell has the geometric mean of the wishes of its points."""
    rungs = np.log(wish.seconds) / np.log(LADDER)
    each = [np.rint(rungs[stencils].mean(1)).astype(int) for stencils in strained_stencils(body)]
    each.append(np.rint(rungs).astype(int))
    known, number = np.unique(np.concatenate(each), return_inverse=True)
    *cells, points = np.split(number.ravel(), np.cumsum([len(rows) for rows in each])[:-1])
    seconds = tuple(float(LADDER**rung) for rung in known)
    return _Groups(seconds, [Labels(rows) for rows in cells], Labels(points))


_groups_of = PerBody(_make_groups)


@lru_cache(maxsize=16)  # asked for in every step
def _solved(
    seconds: tuple[float, ...], dt: float, bounces: int | None, within: float, release: Release
) -> tuple[Law, ...]:
    return tuple(solve_law(rest_in, dt, bounces, within, release) for rest_in in seconds)
