"""Pairs that may touch soon. They are searched now and then, not in every step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import Launches
from pliant.solvers import shaped

from .box_kernels import box_kernels
from .features import Features
from .gather_kernels import filter_kernels
from .gathering import gathered
from .pair_search import PairSearch, Way
from .pairs import Pairs
from .patches import Patches

#: How far points may move before it is asked again whether a body comes near to itself, over the margin.
CALM = 0.4


@dataclass(frozen=True, eq=False)
class PointSweep:
    """The positions between which pairs were searched, arrays of the device; None: not yet."""

    begin: Any = None
    end: Any = None
    near: Any = None  # where the near ones were picked


class Candidates:
    """All pairs that are within reach of each other, or come so on a way, and those that are near.

    own: whether to list pairs of one body with itself, else those of different bodies and with planes.
    The list holds for all positions that are at most `margin` [m] away from the way of each point, and
    the list of near pairs while no point moves by more than `slack` [m]. Pairs of one body are looked at
    from the body's centre, so that flight costs nothing, and searched only where `Patches` cannot tell
    that there are none. all_planes: list every point with every plane, for planes that move. Source:
    [verlet1967].
    """

    def __init__(
        self,
        features: Features,
        *,
        own: bool,
        margin: float,
        slack: float,
        all_planes: bool = False,
    ):
        self._features, self._own = features, own
        self.margin, self.slack = margin, slack
        self._dim, self._device, surface = features.dim, features.device, features.surface
        planes = tuple(p[:0] if own else p for p in surface.planes)
        self.pairs, self.near_pairs = (
            Pairs(self._dim, (planes[0], planes[1]), device=self._device) for _ in range(2)
        )
        self._search = PairSearch(features, own=own, all_planes=all_planes)
        self._sweep = PointSweep()
        self._searched: Way | None = None
        self._held = margin
        self._picked: Way | None = None
        self._spare = 0.0
        self._most: Any = wp.zeros(1, dtype=wp.float64, device=self._device)
        self._again, self._run = Launches(self._device), box_kernels(self._dim)
        self._vec = self.pairs.types.vec
        fixed = np.tile(surface.rest.mean(axis=0), (len(surface.bodies), 1))
        self._fixed: Any = wp.array(fixed, dtype=self._vec, device=self._device)
        self._here: Any = wp.empty_like(self._fixed)
        self.searches = 0

    @property
    def sweep(self) -> PointSweep:
        """Where was searched last."""
        return self._sweep

    def remember(self, sweep: PointSweep) -> None:
        """List the pairs that were found there."""
        if sweep is self._sweep:
            return
        if sweep.begin is None:
            self.forget()
            return
        count, kind = len(self._features.surface.rest), self._vec
        if not (sweep.begin is self._sweep.begin and sweep.end is self._sweep.end):
            begin, end = (shaped(a, count, kind, self._device) for a in (sweep.begin, sweep.end))
            self._find(begin, end)
        if sweep.near is not None:
            self._pick(shaped(sweep.near, count, kind, self._device))
        self._sweep = sweep

    def forget(self) -> None:
        """Search again the next time."""
        self._sweep, self._searched, self._picked = PointSweep(), None, None
        self.pairs.join([])
        self.near_pairs.join([])

    def pick_again(self) -> None:
        """Pick the near pairs again the next time: planes have moved."""
        self._sweep, self._picked = PointSweep(self._sweep.begin, self._sweep.end), None
        self.near_pairs.join([])

    def cover(self, x: Any, y: Any) -> Pairs | None:
        """All pairs that may come within reach while points go from x to y, and some more.

        None if the way leads through so much that there are too many.
        """
        if self._search.able and not (self._holds(x) and (x is y or self._holds(y))):
            begin = wp.clone(x)
            if not self._find(begin, begin if x is y else wp.clone(y)):
                return None
        return self.pairs

    def near(self, x: Any) -> Pairs:
        """All pairs within reach at x, and a few more."""
        at = self._picked
        if at is not None and self._excess(x, at) <= self._spare:
            return self.near_pairs
        if self.cover(x, x) is None:
            raise ValueError(
                f"contact: too many pairs are within reach, {self.margin:g} m around them; "
                "expected gaps and thicknesses far smaller than bodies: pl.Contact(gap=...)"
            )
        if len(self.pairs):
            self._pick(wp.clone(x))
        return self.near_pairs

    def _holds(self, x: Any) -> bool:
        return self._searched is not None and self._excess(x, self._searched) <= self._held

    def _excess(self, z: Any, way: Way) -> float:
        """How far any point at z is away from a way [m]."""
        self._most.zero_()
        features, count, here = self._features, len(self._features.used), self._fixed
        if self._own:
            here = self._here
            self._again(self._run.centres, len(here), [z, features.samples, here])
        given = [z, *way.ends, here, *way.centres, features.struct, features.used]
        self._again(self._run.excess, count, [*given, self._most])
        return float(self._most.numpy()[0])

    def _centres(self, x: Any) -> Any:
        if not self._own:
            return self._fixed
        out = wp.empty_like(self._fixed)
        self._again(self._run.centres, len(out), [x, self._features.samples, out])
        return out

    def _find(self, x: Any, y: Any) -> bool:
        """List all pairs between these positions, which are kept; False if there are too many."""
        way = Way(x, y, self._centres)
        self.forget()
        self._held = self.margin
        if self._own and self._search.able and self._apart(x, y):
            self._held = CALM * self.margin
        elif not self._search.find(way, self.margin, self.pairs):
            return False
        self._sweep, self._searched = PointSweep(x, y), way
        self.searches += 1
        return True

    def _apart(self, x: Any, y: Any) -> bool:
        """Whether no body comes near to itself between these positions, and somewhat around them."""
        self._patches.follow(x, y)
        return not self._patches.meet(x, y, 2.0 * CALM * self.margin)

    @cached_property
    def _patches(self) -> Patches:
        return Patches(self._features)

    def _pick(self, x: Any) -> None:
        """List the pairs that are near at x, which is kept."""
        pairs = self.pairs
        kept = pairs.empty(len(pairs), wp.int32)
        spare = wp.float64(2.0 * self.slack)
        pairs.launch(filter_kernels(self._dim).near, x, pairs.struct, spare, kept)
        found = gathered(kept, self._dim, pairs.stencils, pairs.kinds, pairs.laws)
        self.near_pairs.take(*found)
        self._sweep = PointSweep(self._sweep.begin, self._sweep.end, x)
        self._picked = Way(x, x, self._centres)
        # As long as points are so near to x, they are within the margin of the list, too.
        assert self._searched is not None
        self._spare = min(self.slack, self._held - self._excess(x, self._searched))
