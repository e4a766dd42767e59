"""Which bodies of a scene come near each other or anything else, and the islands of those that do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from pliant.contact import (
    BarrierContact,
    BristleFriction,
    ContactKeys,
    ContactSurface,
    FrameContacts,
    NearCheck,
)
from pliant.problem import Island

from .contacts import touching_now
from .things import TouchingThings

#: Islands that are kept for each body, and besides: a step makes no more than two for each.
KEPT, KEPT_ANYWAY = 4, 16
#: What keeps bodies apart, and friction.
Apart = tuple[BarrierContact, BristleFriction]
#: Makes an island of some bodies, and what keeps all bodies apart.
IslandMaker = Callable[[ContactKeys, tuple[int, ...]], Island]


class SceneMeeting:
    """The bodies and obstacles of a scene with contact.

    Bodies that are far from everything make their steps alone, and those that touch make them together
    with whom they touch. surface: what can touch; island: makes that of some bodies, when it is first
    asked for, and apart: what keeps all of them apart. lands: whether there is anything that a body in
    flight may touch.
    """

    def __init__(
        self,
        things: TouchingThings,
        surface: ContactSurface,
        island: IslandMaker,
        apart: Callable[[], Apart],
    ):
        self._things, self._surface = things, surface
        self._make, self._make_apart = island, apart
        self._islands: dict[tuple[int, ...], Island] = {}
        self._clear: tuple[np.ndarray, ...] = ()
        self.names = tuple(things.names)
        same = np.eye(*surface.allowed.shape) > 0
        self.lands = bool((surface.allowed & ~same).any())
        self._moves = any(o.moves for o in things.obstacles)

    def numbers_as(self, surface: ContactSurface) -> bool:
        """Whether the points and edges of a surface have these numbers: not after a cut."""
        own = self._surface
        return np.array_equal(own.body, surface.body) and np.array_equal(own.edges, surface.edges)

    @property
    def island(self) -> Island:
        """All bodies, as one."""
        return self.island_of(tuple(range(len(self._things.bodies))))

    def island_of(self, numbers: tuple[int, ...]) -> Island:
        """Some bodies, as one. Those that were asked for last are kept."""
        found = self._islands.pop(numbers, None)
        if found is None:
            found = self._make(self._keys, numbers)
        self._islands[numbers] = found
        for old in list(self._islands)[: -KEPT * len(self._things.bodies) - KEPT_ANYWAY]:
            del self._islands[old]
        return found

    @property
    def islands(self) -> Sequence[Island]:
        """Those that were made."""
        return tuple(self._islands.values())

    @cached_property
    def _keys(self) -> ContactKeys:
        return ContactKeys(self._surface)

    @cached_property
    def _apart(self) -> Apart:
        """What keeps all bodies apart, to look at: no step is made with it."""
        return self._make_apart()

    def touching(
        self, positions: Sequence[np.ndarray], time: float
    ) -> tuple[FrameContacts, np.ndarray]:
        """What touches at positions of all bodies, and the barrier's energy of each [J]."""
        bodies = self._things.bodies
        if not self.near(positions, time):
            return FrameContacts.none(bodies[0].dim, self.names), np.zeros(len(bodies))
        return touching_now(bodies, *self._apart, positions, time=time)

    @cached_property
    def _check(self) -> NearCheck:
        return NearCheck(self._surface)

    def near(
        self,
        begin: Sequence[np.ndarray],
        time: float,
        end: Sequence[np.ndarray] | None = None,
        *,
        own: bool = True,
    ) -> bool:
        """Whether anything may touch at some positions, or on straight ways from there to others.

        time [s]: at the end. own: whether bodies and themselves count.
        """
        found = self.pairs(begin, time, end)
        return len(found) > 0 if own else bool((found[:, 0] != found[:, 1]).any())

    def pairs(
        self, begin: Sequence[np.ndarray], time: float, end: Sequence[np.ndarray] | None = None
    ) -> np.ndarray:
        """The numbers of what may touch there, (k, 2); planes come behind bodies.

        Bodies that touch others need not be named as touching themselves. Obstacles that move are not
        looked at: all bodies are then told to be near each other.
        """
        count = len(self._things.bodies)
        if self._moves and self.lands:
            return np.stack([np.zeros(count, dtype=np.int64), np.arange(count)], axis=1)
        last = begin if end is None else end
        if not self._surface.allowed.any() or (end is None and self._are_clear(begin)):
            return np.zeros((0, 2), dtype=np.int64)
        x = _joined(begin)
        found = self._check.near(x, x if end is None else _joined(end), once=True)
        self._clear = () if len(found) else tuple(last)
        return found

    def _are_clear(self, positions: Sequence[np.ndarray]) -> bool:
        """Whether these very arrays were looked at last, and nothing was near."""
        known = self._clear
        return len(known) > 0 and all(a is b for a, b in zip(positions, known, strict=True))


def _joined(positions: Sequence[np.ndarray]) -> np.ndarray:
    """The positions of all bodies as one array: of a single body its own."""
    return np.asarray(positions[0]) if len(positions) == 1 else np.concatenate(positions)
