"""Whether anything in a scene comes near anything else, and the island of all bodies if it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from pliant.contact import ContactSurface, NearCheck
from pliant.problem import Island

from .things import TouchingThings


class SceneMeeting:
    """The bodies and obstacles of a scene with contact.

    Bodies that are far from everything make their steps alone. surface: what can touch; island: makes
    that of all bodies, when it is first asked for. lands: whether there is anything that a body in
    flight may touch.
    """

    def __init__(
        self, things: TouchingThings, surface: ContactSurface, island: Callable[[], Island]
    ):
        self._things, self._surface, self._make = things, surface, island
        self._island: Island | None = None
        self._clear: tuple[np.ndarray, ...] = ()
        self.names = tuple(things.names)
        same = np.eye(*surface.allowed.shape) > 0
        self.lands = bool((surface.allowed & ~same).any())
        self._moves = any(o.moves for o in things.obstacles)

    @property
    def island(self) -> Island:
        """All bodies, as one."""
        if self._island is None:
            self._island = self._make()
        return self._island

    @property
    def made(self) -> bool:
        """Whether the island was asked for before."""
        return self._island is not None

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
        if not self._surface.allowed.any():
            return False
        if self._moves and self.lands:
            return True
        last = begin if end is None else end
        if end is None and self._are_clear(begin):
            return False
        x = np.concatenate(begin)
        found = self._check.near(x, x if end is None else np.concatenate(end))
        self._clear = () if len(found) else tuple(last)
        return len(found) > 0 if own else bool((found[:, 0] != found[:, 1]).any())

    def _are_clear(self, positions: Sequence[np.ndarray]) -> bool:
        """Whether these very arrays were looked at last, and nothing was near."""
        known = self._clear
        return len(known) > 0 and all(a is b for a, b in zip(positions, known, strict=True))
