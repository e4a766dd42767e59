"""Which bodies may come near to what on their way: cheap enough for every step of free bodies."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np
import warp as wp

from pliant.backend import Launches, to_device

from .candidates import Candidates
from .carried import Carrying
from .features import Features
from .obstacle_paths import ObstaclePlaces
from .pairs import sides_of
from .patch_kernels import patch_kernels
from .patches import Patches
from .surface import ContactSurface

#: How far points may move before pairs are searched again, over the length of short edges.
MARGIN = 0.1
#: How much farther than their reach features of one body are apart in a calm place, over that length.
CALM = 0.5
#: What uses up more than this share of that in one way does not stay calm for long.
BRIEF = 0.5


class NearCheck:
    """Tells which bodies may come within reach of each other, of themselves or of obstacles.

    All points go straight from x to y. What is not named stays out of reach of the barrier, at every
    moment. Nothing is kept from one call to the next that could change an answer.

    A place is calm if no body comes near to itself there, with `room` [m] to spare. Where no point of a
    body has gone farther from it than a quarter of that, but for a translation, two of its features have
    come nearer by half of it at most: no other test would name the body either.

    Boxes around bodies tell most of them apart. Each body is divided into patches, and x is nearly
    affine in each: x = A X + b + e. Points of two patches have

        |x_p - x_q| >= s |X_p - X_q| - |e_p| - |e_q|,

    where s is the least stretch of A, and features that may touch are some distance apart in the rest
    shape. Patches that are far from each other are in balls. Where that does not show that nothing
    comes near, pairs are searched.
    """

    def __init__(self, surface: ContactSurface, *, device: Any = "cpu"):
        self.surface, self._device = surface, device
        self.features = Features(surface, device=device)
        dim, self._patches = surface.dim, Patches(self.features)
        self._run, self._launch = patch_kernels(dim), Launches(device)
        shape = (len(surface.bodies), len(surface.planes[0]))
        self._at_planes: Any = wp.zeros(shape, dtype=wp.int32, device=device)
        self._vec = self.features.struct.rest.dtype
        follow = surface.carried
        self._carrying = None if follow is None else Carrying(follow, dim, device=device)
        self._placed: list[Any] = [wp.clone(self.features.struct.rest) for _ in range(2)]
        radius = surface.radius + surface.gap
        self._pads = np.array([radius[surface.body == k].max() for k in range(shape[0])])
        self._room = CALM * surface.edge_length
        self._calm: np.ndarray | None = None
        #: The positions that were last found to be near the calm place.
        self._near_calm: Any = None
        #: Whether a body can come near to nothing but itself, and all points are unknown.
        self._alone = shape == (1, 0) and follow is None and surface.count == len(surface.rest)
        #: The bodies that may come near to themselves.
        self._foldable = {k for k in range(shape[0]) if surface.allowed[k, k]}
        #: How often pairs were searched, and patches looked at.
        self.searches = self.looks = 0

    def near(
        self,
        x: Any,
        y: Any,
        *,
        obstacles: tuple[ObstaclePlaces, ObstaclePlaces] | None = None,
        once: bool = False,
    ) -> np.ndarray:
        """Return numbers of bodies, a <= b, that may come near, (k, 2); planes come behind bodies.

        x, y: positions of the points of all bodies that are not given, one body after another [m].
        obstacles: where obstacles are meanwhile, if any moves. once: it is enough that every body is
        named; what comes near others may then not be named as near to itself, which is dear to find.
        """
        if self._alone and self._stays_calm(x, y):
            return np.zeros((0, 2), dtype=np.int64)
        begin, end = self._at(x, 0, obstacles), self._at(y, 1, obstacles)
        self.looks += 1
        self._patches.follow(begin, end)
        if self._alone and self._becomes_calm(x, y, begin, end):
            return np.zeros((0, 2), dtype=np.int64)
        found = {*self._others(begin, end), *self._planes(begin, end, obstacles)}
        if not (once and self._foldable.issubset(body for pair in found for body in pair)):
            found |= {*self._own(begin, end)}
        return np.array(sorted(found), dtype=np.int64).reshape(-1, 2)

    def _stays_calm(self, x: Any, y: Any) -> bool:
        """Whether x and y are near the calm place."""
        calm = self._calm
        if calm is None or not (x is self._near_calm or _moved(calm, x) <= 0.25 * self._room):
            return False
        if y is not x and not _moved(calm, y) <= 0.25 * self._room:
            return False
        self._near_calm = y
        return True

    def _becomes_calm(self, x: Any, y: Any, begin: Any, end: Any) -> bool:
        """Whether y is calm, and worth keeping, and so is all of the way."""
        self._calm = self._near_calm = None
        if not _moved(x, y) <= 0.25 * BRIEF * self._room:
            return False
        if self._patches.meet(begin, end, self._room):
            return False
        self._calm = self._near_calm = y
        return True

    def _own(self, x: Any, y: Any) -> list[tuple[int, int]]:
        """The bodies that may come near to themselves."""
        if not self._patches.meet(x, y):
            return []
        return self._searched(self._own_pairs, x, y)

    def _others(self, x: Any, y: Any) -> list[tuple[int, int]]:
        """The pairs of different bodies that may come near to each other."""
        if len(self.surface.bodies) == 1:
            return []
        low = np.full((len(self.surface.bodies), self.surface.dim), np.inf)
        high, body, fits = -low, self._patches.body, self._patches.fits
        np.minimum.at(low, body, fits.low.numpy() - self._pads[body, None])
        np.maximum.at(high, body, fits.high.numpy() + self._pads[body, None])
        apart = (low[:, None] > high[None]).any(axis=2)
        meets = self.surface.allowed[:, : len(low)] & ~np.eye(len(low), dtype=bool)
        if not (meets & ~(apart | apart.T)).any():
            return []
        return self._searched(self._other_pairs, x, y)

    def _planes(self, x: Any, y: Any, obstacles: Any) -> list[tuple[int, int]]:
        """The bodies that may come near to planes."""
        bodies, count = self._at_planes.shape
        if not count:
            return []
        planes = [self.surface.planes] * 2 if obstacles is None else [o.ends[1] for o in obstacles]
        ends = [to_device(np.stack(p, axis=1), self._vec, self._device) for p in planes]
        self._at_planes.zero_()
        features = self.features
        given = [x, y, features.used, features.struct, self.surface.count, *ends, self._at_planes]
        self._launch(self._run.planes, (len(features.used), count), given)
        return [(int(b), bodies + int(k)) for b, k in np.argwhere(self._at_planes.numpy())]

    def _searched(self, candidates: Candidates, x: Any, y: Any) -> list[tuple[int, int]]:
        """The bodies of pairs that may come within reach; all of them if there are too many pairs."""
        before, surface = candidates.searches, self.surface
        pairs = candidates.cover(x, y)
        self.searches += candidates.searches - before
        if pairs is None:
            every = np.argwhere(np.triu(surface.allowed[:, : len(surface.bodies)]))
            return [
                (int(a), int(b)) for a, b in every if (a == b) == (candidates is self._own_pairs)
            ]
        close: Any = wp.zeros(len(pairs), dtype=wp.int32, device=self._device)
        pairs.launch(self._run.approach, x, y, pairs.struct, close)
        on = close.numpy() == 1
        sides = sides_of(surface, pairs.stencils.numpy()[on], pairs.kinds.numpy()[on])
        both = np.unique(np.sort(np.stack(sides, axis=1), axis=1), axis=0)
        return [(int(a), int(b)) for a, b in both]

    def _at(self, x: Any, end: int, obstacles: Any) -> Any:
        """The positions of all points of the surface, in memory that stays."""
        count, out = self.surface.count, self._placed[end]
        if obstacles is not None and len(obstacles[end].points):
            out[count:].assign(obstacles[end].points)
        if self._carrying is not None:
            self._carrying.place(x, out)
        else:
            wp.copy(out, to_device(x, self._vec, self._device), count=count)
        return out

    def _candidates(self, *, own: bool) -> Candidates:
        margin = MARGIN * self.surface.edge_length
        return Candidates(self.features, own=own, margin=margin, slack=margin)

    @cached_property
    def _own_pairs(self) -> Candidates:
        return self._candidates(own=True)

    @cached_property
    def _other_pairs(self) -> Candidates:
        return self._candidates(own=False)


def _moved(x: np.ndarray, y: np.ndarray) -> float:
    """How far points have gone at most from where a translation takes them, or less [m]."""
    ways = y - x
    ways -= ways[0]
    return math.sqrt(x.shape[1]) * float(np.abs(ways).max())
