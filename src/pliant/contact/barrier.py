"""Contact that nothing passes through: a barrier between all surfaces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import compilation, to_device
from pliant.energies import Pairing, Searching
from pliant.solvers import PairBlocks

from .barrier_kernels import barrier_kernels
from .candidates import Candidates, PointSweep
from .carried import Carrying
from .closest import POINT_PLANE
from .features import Features
from .gather_kernels import filter_kernels
from .impact import KEEP, free_share, impact_times
from .obstacle_paths import ObstaclePaths
from .pair_sums import PairSum
from .pairs import Pairs, sides_of
from .surface import ContactSurface

#: How far points may move before pairs are searched again, over the length of short edges.
MARGIN = 0.25
#: How far points may move before near pairs are picked again, over the smallest gap.
SLACK = 0.5


@dataclass(frozen=True, eq=False)
class BarrierMemory:
    """Where pairs of one body, and pairs of several, were searched last."""

    own: PointSweep
    others: PointSweep


class BarrierContact(Searching, Pairing):
    """Surfaces that repel each other when they are nearer than a gap.

        W = sum over pairs  kappa gap A m b((d - r)/gap),      b(y) = -(y - 1)^2 ln y

    d: the distance of a point and a triangle, of two edges, or in the plane of a point and an edge; r:
    the radii of both sides; A [m^2]: the area of the point or of the edges; m: the mollifier of edges
    that are nearly parallel. kappa is a tenth of the Young's modulus of the softer body: a pressure
    that does not depend on the mesh or on the step. W is infinite where anything touches, and
    `step_limit` ends every step of a search before it: nothing passes through anything.

    surface: what can touch. x has the points of all bodies whose points are not given, one body after
    another; the surface may follow them (`SurfaceMap`). `aim` says where the others are, by default
    those of `surface`. paths: where obstacles are at every time, if any moves. Gradients are exact, and
    so is the Hessian; projected it is Gauss and Newton's. Pairs come and go while the pattern of a
    matrix stays. So `stencils` are single points, `add_hessian` adds the blocks of the diagonal, and
    `pair_blocks` returns all others.
    Satisfies `Energy`. Source: [li2020], [li2021].
    """

    limits_steps = True

    def __init__(
        self,
        surface: ContactSurface,
        *,
        margin: float | None = None,
        slack: float | None = None,
        keep: float = KEEP,
        paths: ObstaclePaths | None = None,
        device: Any = "cpu",
    ):
        self.surface, self._keep, self._device = surface, keep, device
        self.paths = paths
        margin = MARGIN * surface.edge_length if margin is None else margin
        slack = min(SLACK * float(surface.gap.min()), margin) if slack is None else slack
        self.features = features = Features(surface, device=device)
        self._own, self._others = (
            Candidates(features, own=own, margin=margin, slack=slack, all_planes=paths is not None)
            for own in (True, False)
        )
        dim, self.vec = surface.dim, self._own.pairs.types.vec
        follow = surface.carried
        self.carrying = None if follow is None else Carrying(follow, dim, device=device)
        how: dict[str, Any] = {"carrying": self.carrying, "device": device}
        self._sum = PairSum(barrier_kernels(dim), dim, surface.count, **how)
        self._stencils = np.arange(sum(surface.unknowns), dtype=np.int32)[:, None]
        self._all: Any = wp.array(surface.rest, dtype=self.vec, device=device)
        self._ways: Any = wp.zeros_like(self._all)
        compilation.expect()

    @property
    def stencils(self) -> np.ndarray:
        """Every point for itself: int32, shape (n, 1)."""
        return self._stencils

    def aim(
        self,
        given: np.ndarray | None = None,
        planes: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> None:
        """Put obstacles here: given points [m], (m, dim), and points and unit normals of planes."""
        if given is not None and len(given):
            self._all[self.surface.count :].assign(given)
        if planes is not None and len(planes[0]):
            for pairs in (self._others.pairs, self._others.near_pairs):
                pairs.aim(*planes)
            if self.paths is None:
                self._others.forget()
            else:  # every point is listed with every plane
                self._others.pick_again()

    def aim_at(self, time: float) -> None:
        """Put obstacles that move where they are at a time [s]."""
        if self.paths is not None:
            self.aim(*self.paths.at(time).ends)

    def value(self, x: Any) -> float:
        """Return W(x) [J]; inf where something touches."""
        return sum(self._sum.value(y, p.struct, len(p)) for y, p in self._near(x))

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add dW/dx [N] to g."""
        for y, pairs in self._near(x):
            self._sum.add_gradient(y, pairs.struct, len(pairs), g)

    def add_hessian(self, x: Any, blocks: Any, slots: Any, project: bool) -> None:
        """Add the blocks of the diagonal [N/m]."""
        for y, pairs in self._near(x):
            how = (y, pairs.struct, len(pairs), blocks, slots)
            self._sum.add_diagonal(*how, project=project)

    def pair_blocks(self, x: Any, project: bool) -> list[PairBlocks]:
        """The blocks off the diagonal [N/m]."""
        found = [(y, pairs.struct, len(pairs)) for y, pairs in self._near(x) if len(pairs)]
        return [self._sum.off_diagonal(*each, project=project) for each in found]

    def step_limit(self, x: Any, dx: Any) -> float:
        """Return the share of dx before anything touches; inf if nothing does on all of it."""
        y = self.placed(x)
        self._ways.zero_()
        self._put(dx, self._ways)
        share = self._free_share(y, self._ways)
        return share if share < 1.0 else float("inf")

    def obstacle_limit(
        self,
        x: Any,
        given: np.ndarray | None = None,
        planes: tuple[np.ndarray, np.ndarray] | None = None,
        *,
        dx: Any = None,
    ) -> float:
        """Return the share, up to 1, of a way of obstacles before anything at x touches.

        given: where given points go, (m, dim); planes: where points and normals of planes go. dx: the
        ways of all other points meanwhile [m], an array of the device; by default they stay.
        """
        y, ways = self._obstacle_ways(x, given, planes, dx)
        share = self._free_share(y, self._ways, ways)
        if ways is None:
            return share
        # Lists do not know where planes go: all points are asked.
        every = self._at_planes
        every.aim(*(p.numpy() for p in self._others.pairs.planes))
        return min(share, free_share(every, y, self._ways, keep=self._keep, planes=ways))

    def obstacle_hits(
        self,
        x: Any,
        given: np.ndarray | None = None,
        planes: tuple[np.ndarray, np.ndarray] | None = None,
        *,
        dx: Any = None,
    ) -> np.ndarray:
        """Return the numbers of bodies that would touch on such ways, (k, 2), planes behind bodies."""
        y, ways = self._obstacle_ways(x, given, planes, dx)
        pairs = self._others.cover(y, _moved(y, self._ways))
        if pairs is None or not len(pairs):
            return np.zeros((0, 2), dtype=np.int64)
        times = impact_times(pairs, y, self._ways, keep=self._keep, planes=ways)
        found = sides_of(self.surface, pairs.stencils.numpy(), pairs.kinds.numpy())
        return np.unique(np.stack(found, axis=1)[times < 1.0], axis=0)

    def _obstacle_ways(self, x: Any, given: Any, planes: Any, dx: Any) -> tuple[Any, Any]:
        """All points at x, and the ways of planes; `_ways` are those of the points."""
        y, count = self.placed(x), self.surface.count
        self._ways.zero_()
        if dx is not None:
            self._put(dx, self._ways)
        if given is not None and len(given):
            self._ways[count:].assign(given - y[count:].numpy())
        if planes is None:
            return y, None
        now = [p.numpy() for p in self._others.pairs.planes]
        return y, (planes[0] - now[0], planes[1] - now[1])

    @cached_property
    def _at_planes(self) -> Pairs:
        """All points that are not given with all planes."""
        surface = self.surface
        points = surface.points[~surface.held[surface.points]]
        count = len(surface.planes[0])
        stencils = np.full((len(points) * count, 4), -1)
        stencils[:, 0] = np.repeat(points, count)
        stencils[:, 1] = np.tile(-2 - np.arange(count), len(points))
        behind = len(surface.bodies) - 2 - stencils[:, 1]
        stencils = stencils[surface.allowed[surface.body[stencils[:, 0]], behind]]
        laws = np.zeros((len(stencils), 4))
        laws[:, 0], laws[:, 1] = surface.radius[stencils[:, 0]], surface.gap[stencils[:, 0]]
        kinds = np.full(len(stencils), POINT_PLANE)
        how = {"dim": surface.dim, "device": self._device}
        return Pairs.of(stencils, kinds, laws, planes=surface.planes, **how)

    def _free_share(
        self, y: Any, ways: Any, planes: tuple[np.ndarray, np.ndarray] | None = None
    ) -> float:
        """The share of the ways, up to 1, before pairs touch. Ways through too much are cut.

        planes: the ways of points and normals of planes meanwhile.
        """
        cut = 1.0
        while True:
            end = _moved(y, ways)
            lists = [self._own.cover(y, end), self._others.cover(y, end)]
            found = [pairs for pairs in lists if pairs is not None]
            if len(found) == len(lists):
                break
            cut *= 0.5
            ways = _scaled(ways, 0.5)
        apart = planes and (cut * planes[0], cut * planes[1])
        own, others = found
        share = free_share(own, y, ways, keep=self._keep)
        return cut * min(share, free_share(others, y, ways, keep=self._keep, planes=apart))

    def near(self, x: Any) -> list[Pairs]:
        """The pairs within reach at x, and a few more: those of one body, and those of several."""
        return [pairs for _, pairs in self._near(x)]

    def meets_given(self, x: Any) -> bool:
        """Whether a plane, or points that are given, push anything at x."""
        y = self.placed(x)
        pairs = self._others.near(y)
        found: Any = wp.zeros(1, dtype=wp.int32, device=self._device)
        given = (y, pairs.struct, self.surface.count, found)
        pairs.launch(filter_kernels(self.surface.dim).meets_given, *given)
        return bool(found.numpy()[0])

    def near_obstacles(self, x: Any) -> np.ndarray:
        """Numbers of bodies and of obstacles that are near them at x, (k, 2), planes behind bodies."""
        pairs, count = self.near(x)[1], sum(not body.given for body in self.surface.bodies)
        sides = sides_of(self.surface, pairs.stencils.numpy(), pairs.kinds.numpy())
        found = np.unique(np.sort(np.stack(sides, axis=1), axis=1), axis=0)
        return found[found[:, 1] >= count]

    def array(self, x: Any) -> Any:
        """Positions or ways of unknown points as an array of the device."""
        return to_device(x, self.vec, self._device)

    def placed(self, x: Any) -> Any:
        """The positions of all points, given ones too, until the next call."""
        x = self.array(x)
        if self.surface.count == len(self._all) and self.carrying is None:
            return x
        self._put(x, self._all)
        return self._all

    def _put(self, x: Any, out: Any) -> None:
        """Write what unknown points are, or do, as that of the surface."""
        if self.carrying is None:
            wp.copy(out, x, count=self.surface.count)
        else:
            self.carrying.place(x, out)

    def memory(self) -> BarrierMemory:
        """Where pairs were searched last."""
        return BarrierMemory(self._own.sweep, self._others.sweep)

    def remember(self, memory: BarrierMemory) -> None:
        """List the pairs that were found there."""
        self._own.remember(memory.own)
        self._others.remember(memory.others)

    def _near(self, x: Any) -> list[tuple[Any, Pairs]]:
        y = self.placed(x)
        return [(y, self._own.near(y)), (y, self._others.near(y))]


def _moved(a: Any, ways: Any) -> Any:
    """A new array of sums."""
    out = wp.clone(a)
    out += ways
    return out


def _scaled(a: Any, factor: float) -> Any:
    """A new array of all entries times a factor."""
    out = wp.clone(a)
    out *= wp.float64(factor)
    return out
