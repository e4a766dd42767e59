"""Pairs that may touch soon. They are searched now and then, not in every step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import wait
from dataclasses import dataclass
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import Launches, cores, parallel
from pliant.energies import crew

from .closest import POINT_PLANE
from .features import Features, FeatureSet
from .pairs import Pairs
from .search_kernels import (
    APPEND,
    COUNT,
    FILL,
    box_kernels,
    filter_kernels,
    search_kernels,
)

#: The fewest features for one core.
LEAST = 500


@dataclass(frozen=True, eq=False)
class Sweep:
    """The positions between which pairs were searched, arrays of the device; None: not yet."""

    begin: Any = None
    end: Any = None
    near: Any = None  # where the near ones were picked


class _Way:
    """A straight way of all points, with the centres of bodies at its ends."""

    def __init__(self, begin: Any, end: Any, centres: Callable[[Any], Any]):
        self.ends, self.centres = (begin, end), [centres(begin)]
        self.centres.append(self.centres[0] if begin is end else centres(end))


class Candidates:
    """All pairs that are within reach of each other, or come so on a way, and those that are near.

    own: whether to list pairs of one body with itself, else those of different bodies and with planes.
    The list holds for all positions that are at most `margin` [m] away from the way of each point, and
    the list of near pairs while no point moves by more than `slack` [m]. Pairs of one body are looked at
    from the body's centre, so that flight costs nothing. Source: [verlet1967].
    """

    def __init__(self, features: Features, *, own: bool, margin: float, slack: float):
        self._features, self._own = features, own
        self.margin, self.slack = margin, slack
        self.dim, self.device = features.dim, features.device
        planes = features.surface.planes
        empty = (np.zeros((0, self.dim)), np.zeros((0, self.dim)))
        self._sets, self._kinds = features.sets()
        self.pairs = Pairs(self.dim, empty if own else planes, device=self.device)
        self._close = Pairs(self.dim, empty if own else planes, device=self.device)
        self._sweep = Sweep()
        self._searched: _Way | None = None
        self._picked: _Way | None = None
        self._most: Any = wp.zeros(1, dtype=wp.float64, device=self.device)
        self._again = Launches(self.device)
        allowed = features.surface.allowed
        same = np.eye(len(allowed), dtype=bool)
        #: Whether there are any pairs at all.
        self._able = bool(
            (allowed & (same if own else ~same)).any() or (not own and len(planes[0]))
        )
        self._run, self._vec = box_kernels(self.dim), self.pairs.types.vec
        self._room: dict[int, int] = {}
        origin = features.surface.rest.mean(axis=0)
        fixed = np.tile(origin, (len(features.surface.bodies), 1))
        self._fixed: Any = wp.array(fixed, dtype=self._vec, device=self.device)
        self.searches = 0

    @property
    def sweep(self) -> Sweep:
        """Where was searched last."""
        return self._sweep

    def remember(self, sweep: Sweep) -> None:
        """List the pairs that were found there."""
        if sweep is self._sweep:
            return
        if sweep.begin is None:
            self._sweep, self._searched, self._picked = Sweep(), None, None
            self._list([])
            return
        begin = self._copy(sweep.begin)
        self._search(begin, begin if sweep.end is sweep.begin else self._copy(sweep.end))
        if sweep.near is not None:
            self._pick(self._copy(sweep.near))
        self._sweep = sweep

    def cover(self, x: Any, y: Any) -> Pairs:
        """All pairs that may come within reach while points go from x to y, and some more."""
        if self._able and not (self._holds(x) and (x is y or self._holds(y))):
            begin = self._copy(x)
            self._search(begin, begin if x is y else self._copy(y))
        return self.pairs

    def near(self, x: Any) -> Pairs:
        """All pairs within reach at x, and a few more."""
        self.cover(x, x)
        at = self._picked
        if len(self.pairs) and (at is None or self._excess(x, at) > self.slack):
            self._pick(self._copy(x))
        return self._close

    def _copy(self, x: Any) -> Any:
        return wp.array(x, dtype=self._vec, device=self.device, copy=True)

    def _holds(self, x: Any) -> bool:
        return self._searched is not None and self._excess(x, self._searched) <= self.margin

    def _excess(self, z: Any, way: _Way) -> float:
        """How far any point at z is away from a way [m]."""
        self._most.zero_()
        features, count = self._features, len(self._features.used)
        given = [z, *way.ends, self._centres(z), *way.centres, features.struct, features.used]
        self._again(self._run.excess, count, [*given, self._most])
        return float(self._most.numpy()[0])

    def _centres(self, x: Any) -> Any:
        if not self._own:
            return self._fixed
        out = wp.empty_like(self._fixed)
        self._again(self._run.centres, len(out), [x, self._features.samples, out])
        return out

    def _search(self, x: Any, y: Any) -> None:
        """List all pairs between these positions, which are kept."""
        way = _Way(x, y, self._centres)
        features, at = self._features.struct, way.centres
        margin = wp.float64(self.margin)
        drift: Any = wp.empty(len(x), dtype=wp.float64, device=self.device)
        self._launch(self._run.drifts, len(x), x, y, *at, features, margin, drift)
        for each in self._sets:
            self._launch(self._run.boxes, each.count, x, y, *at, features, margin, each.struct)
        trees = {id(b): b.tree() for _, _, b in self._kinds}
        found = []
        for kind, first, second in self._kinds:
            given = [kind, int(self._own), x, drift, features, first.struct, second.struct]
            parts = self._pairs_of(kind, first, [*given, trees[id(second)]])
            found += [(kind, *part) for part in parts]
        if not self._own and len(self.pairs.planes[0]):
            found.append(self._at_planes(x, drift))
        self._list(found)
        self._sweep, self._searched, self._picked = Sweep(x, y), way, None
        self.searches += 1

    def _pairs_of(
        self, kind: int, first: FeatureSet, given: Sequence[Any]
    ) -> list[tuple[Any, Any]]:
        """Stencils and laws of all pairs of one kind, in parts, in an order that is always the same."""
        if parallel(self.device):
            return [self._counted(first, given)]
        slices = max(1, min(cores(), first.count // LEAST))
        ends = [first.count * k // slices for k in range(slices + 1)]
        while True:
            room = self._room.get(kind, 4096)
            parts = [self._arrays(room) for _ in range(slices)]
            self._in_threads(
                [
                    self._command(ends[k], ends[k + 1], given, APPEND, parts[k])
                    for k in range(slices)
                ]
            )
            counts = [int(part[0].numpy()[0]) for part in parts]
            if max(counts) <= room:
                return [(s[:n], w[:n]) for n, (_, s, w) in zip(counts, parts, strict=True)]
            self._room[kind] = 2 * max(counts)

    def _counted(self, first: FeatureSet, given: Sequence[Any]) -> tuple[Any, Any]:
        """The same by counting first, so that threads which run at once write in a fixed order."""
        counts: Any = wp.zeros(first.count, dtype=wp.int32, device=self.device)
        places = wp.zeros_like(counts)
        _, stencils, laws = self._arrays(1)
        part = (counts, stencils, laws)
        self._command(0, first.count, given, COUNT, part, places).launch()
        total = self._scanned(counts, places)
        _, stencils, laws = self._arrays(total)
        part = (counts, stencils, laws)
        self._command(0, first.count, given, FILL, part, places).launch()
        return stencils, laws

    def _arrays(self, room: int) -> tuple[Any, Any, Any]:
        counts = wp.zeros(1, dtype=wp.int32, device=self.device)
        return counts, *(self.pairs.empty(room, d) for d in (wp.vec4i, self.pairs.types.four))

    def _command(
        self, begin: int, end: int, given: Any, mode: int, part: Any, places: Any = None
    ) -> Any:
        places = part[0] if places is None else places
        kernel, inputs = search_kernels(self.dim).search, [begin, *given, mode, places, *part]
        return wp.launch(kernel, end - begin, inputs=inputs, device=self.device, record_cmd=True)

    def _in_threads(self, commands: Sequence[Any]) -> None:
        waiting = [crew().submit(command.launch) for command in commands[1:]]
        try:
            commands[0].launch()
        finally:
            wait(waiting)
        for other in waiting:
            other.result()

    def _at_planes(self, x: Any, drift: Any) -> tuple[int, Any, Any]:
        """Points near planes."""
        features = self._features
        count = len(features.used) * len(self.pairs.planes[0])
        kept: Any = wp.empty(count, dtype=wp.int32, device=self.device)
        _, stencils, laws = self._arrays(count)
        unknown, planes = features.surface.count, self.pairs.planes
        given = [features.used, x, drift, features.struct, *planes, unknown, kept, stencils, laws]
        shape = (len(features.used), len(planes[0]))
        self._launch(search_kernels(self.dim).planes, shape, *given)
        kinds: Any = wp.full(count, POINT_PLANE, dtype=wp.int32, device=self.device)
        stencils, _, laws = self._gathered(kept, stencils, kinds, laws)
        return POINT_PLANE, stencils, laws

    def _list(self, found: Sequence[tuple[int, Any, Any]]) -> None:
        """List these pairs: kind, stencils and laws, each."""
        total = sum(len(stencils) for _, stencils, _ in found)
        types = (wp.vec4i, wp.int32, self.pairs.types.four)
        stencils, kinds, laws = (self.pairs.empty(total, d) for d in types)
        at = 0
        for kind, s, w in found:
            if len(s):
                wp.copy(stencils, s, dest_offset=at, count=len(s))
                wp.copy(laws, w, dest_offset=at, count=len(s))
                kinds[at : at + len(s)].fill_(kind)
            at += len(s)
        self.pairs.take(stencils, kinds, laws)
        self._close.take(*(self.pairs.empty(0, d) for d in types))

    def _pick(self, x: Any) -> None:
        """List the pairs that are near at x, which is kept."""
        pairs = self.pairs
        kept: Any = wp.empty(len(pairs), dtype=wp.int32, device=self.device)
        spare = wp.float64(2.0 * self.slack)
        pairs.launch(filter_kernels(self.dim).near, x, pairs.struct, spare, kept)
        self._close.take(*self._gathered(kept, pairs.stencils, pairs.kinds, pairs.laws))
        self._sweep = Sweep(self._sweep.begin, self._sweep.end, x)
        self._picked = _Way(x, x, self._centres)

    def _gathered(self, kept: Any, *arrays: Any) -> tuple[Any, ...]:
        places = wp.zeros_like(kept)
        total = self._scanned(kept, places)
        out = [self.pairs.empty(total, a.dtype) for a in arrays]
        self._launch(filter_kernels(self.dim).gather, len(kept), kept, places, *arrays, *out)
        return tuple(out)

    def _scanned(self, counts: Any, places: Any) -> int:
        """Fill in where the entries of each begin; return how many there are."""
        if not len(counts):
            return 0
        wp.utils.array_scan(counts, places, inclusive=False)
        return int(places[-1:].numpy()[0] + counts[-1:].numpy()[0])

    def _launch(self, kernel: Callable[..., None], count: Any, *inputs: Any) -> None:
        if count:
            wp.launch(kernel, dim=count, inputs=list(inputs), device=self.device)
