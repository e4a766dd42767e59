"""Search of pairs in trees of boxes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import wait
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import cores, parallel
from pliant.energies import crew

from .box_kernels import box_kernels
from .closest import POINT_PLANE
from .features import Features, FeatureSet
from .gathering import gathered, scanned
from .pairs import Pairs
from .search_kernels import APPEND, COUNT, FILL, search_kernels

#: The fewest features for one core.
LEAST = 500
#: Pairs for each feature, beyond which a search is given up.
MOST = 40
#: Farther than any point is from any plane [m].
EVERYWHERE = 1e30


class Way:
    """A straight way of all points, with the centres of bodies at its ends."""

    def __init__(self, begin: Any, end: Any, centres: Callable[[Any], Any]):
        self.ends, self.centres = (begin, end), [centres(begin)]
        self.centres.append(self.centres[0] if begin is end else centres(end))


class PairSearch:
    """Finds pairs of one body with itself (`own`), or of different bodies and with planes.

    On the CPU the features are divided among threads, on CUDA pairs are counted first: the order of
    pairs is always the same. all_planes: find every point with every plane, wherever that is.
    """

    def __init__(self, features: Features, *, own: bool, all_planes: bool = False):
        self._features, self._own, self._all_planes = features, own, all_planes
        self._dim, self._device = features.dim, features.device
        self._sets, self._kinds = features.sets()
        self._room: dict[int, int] = {}
        surface, same = features.surface, np.eye(len(features.surface.bodies), dtype=bool)
        meets = bool((surface.allowed[:, : len(same)] & (same if own else ~same)).any())
        #: Whether there are any pairs at all.
        self.able = meets or (not own and len(surface.planes[0]) > 0)
        self._most = 100_000 + MOST * sum(s.count for s in self._sets)

    def find(self, way: Way, margin: float, pairs: Pairs) -> bool:
        """List all pairs that may come within reach `margin` [m] around a way; False if too many do."""
        x, features, kernels = way.ends[0], self._features.struct, box_kernels(self._dim)
        given = [*way.ends, *way.centres, features, wp.float64(margin)]
        drift: Any = wp.empty(len(x), dtype=wp.float64, device=self._device)
        self._launch(kernels.drifts, len(x), *given, drift)
        for each in self._sets:
            self._launch(kernels.boxes, each.count, *given, each.struct)
        trees = {id(b): b.tree() for _, _, b in self._kinds}
        found = []
        for kind, first, second in self._kinds:
            given = [kind, int(self._own), x, drift, features, first.struct, second.struct]
            parts = self._pairs_of(kind, first, [*given, trees[id(second)], self._most], pairs)
            if parts is None:
                return False
            found += [(kind, *part) for part in parts]
        if not self._own and len(pairs.planes[0]):
            found.append(self._at_planes(x, drift, pairs))
        pairs.join(found)
        return True

    def _pairs_of(
        self, kind: int, first: FeatureSet, given: Sequence[Any], pairs: Pairs
    ) -> list[tuple[Any, Any]] | None:
        """Stencils and laws of all pairs of one kind, in parts; None if there are too many."""
        if parallel(self._device):
            return self._counted(first, given, pairs)
        slices = max(1, min(cores(), first.count // LEAST))
        ends = [first.count * k // slices for k in range(slices + 1)]
        while True:
            room = self._room.get(kind, 4096)
            parts = [_arrays(pairs, 1, room) for _ in range(slices)]
            each = [(ends[k], ends[k + 1], parts[k]) for k in range(slices)]
            _in_threads([self._command(a, b, given, APPEND, p, p[0]) for a, b, p in each])
            counts = [int(part[0].numpy()[0]) for part in parts]
            if max(counts) > self._most:
                return None
            if max(counts) <= room:
                return [(s[:n], w[:n]) for n, (_, s, w) in zip(counts, parts, strict=True)]
            self._room[kind] = 2 * max(counts)

    def _counted(
        self, first: FeatureSet, given: Sequence[Any], pairs: Pairs
    ) -> list[tuple[Any, Any]] | None:
        """The same by counting first, so that threads which run at once write in a fixed order."""
        part = _arrays(pairs, first.count, 1)
        places = wp.zeros_like(part[0])
        self._command(0, first.count, given, COUNT, part, places).launch()
        total = scanned(part[0], places)
        if total > self._most:
            return None
        part = _arrays(pairs, first.count, total)
        self._command(0, first.count, given, FILL, part, places).launch()
        return [part[1:]]

    def _command(self, begin: int, end: int, given: Any, mode: int, part: Any, places: Any) -> Any:
        kernel, inputs = search_kernels(self._dim).search, [begin, *given, mode, places, *part]
        return wp.launch(kernel, end - begin, inputs=inputs, device=self._device, record_cmd=True)

    def _at_planes(self, x: Any, drift: Any, pairs: Pairs) -> tuple[int, Any, Any]:
        """Points near planes."""
        features, planes = self._features, pairs.planes
        shape = (len(features.used), len(planes[0]))
        kept, stencils, laws = _arrays(pairs, shape[0] * shape[1], shape[0] * shape[1])
        unknown = features.surface.count
        if self._all_planes:
            drift.fill_(EVERYWHERE)
        given = [features.used, x, drift, features.struct, *planes, unknown, kept, stencils, laws]
        self._launch(search_kernels(self._dim).planes, shape, *given)
        stencils, _, laws = gathered(kept, self._dim, stencils, kept, laws)
        return POINT_PLANE, stencils, laws

    def _launch(self, kernel: Any, count: Any, *inputs: Any) -> None:
        if count:
            wp.launch(kernel, dim=count, inputs=list(inputs), device=self._device)


def _arrays(pairs: Pairs, counts: int, room: int) -> tuple[Any, Any, Any]:
    """Zeros to count in, and room for stencils and laws."""
    zeros: Any = wp.zeros(counts, dtype=wp.int32, device=pairs.device)
    return zeros, pairs.empty(room, wp.vec4i), pairs.empty(room, pairs.types.four)


def _in_threads(commands: Sequence[Any]) -> None:
    waiting = [crew().submit(command.launch) for command in commands[1:]]
    try:
        commands[0].launch()
    finally:
        wait(waiting)  # after an interrupt, too: nobody writes once this has been left
    for other in waiting:
        other.result()
