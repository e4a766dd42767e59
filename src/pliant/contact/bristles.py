"""How far the bristles of contacts are bent, in the states of bodies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pliant.backend import to_host


@dataclass(frozen=True, eq=False)
class Bristles:
    """How far the bristles of contacts are bent [m], (m, dim), by the numbers of contacts, sorted.

    Arrays may be those of a device; `of`, `joined` and `chosen` are for numpy's.
    """

    keys: Any
    bends: Any

    @classmethod
    def none(cls, dim: int) -> Bristles:
        """No contact has a bristle yet."""
        return cls(np.zeros(0, dtype=np.int64), np.zeros((0, dim)))

    @classmethod
    def joined(cls, parts: Sequence[Bristles]) -> Bristles:
        """The bristles of several bodies."""
        keys = np.concatenate([part.keys for part in parts])
        order = np.argsort(keys, kind="stable")
        return cls(keys[order], np.concatenate([part.bends for part in parts])[order])

    def chosen(self, mask: np.ndarray) -> Bristles:
        """Some of them."""
        return Bristles(self.keys[mask], self.bends[mask])

    def of(self, keys: np.ndarray) -> np.ndarray:
        """The bends of contacts of these numbers; new ones are straight."""
        out = np.zeros((len(keys), self.bends.shape[1]))
        if len(self.keys):
            at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
            known = self.keys[at] == keys
            out[known] = self.bends[at[known]]
        return out

    def to_host(self) -> Bristles:
        """The same with numpy arrays."""
        return Bristles(to_host(self.keys), to_host(self.bends))


@dataclass(frozen=True, eq=False)
class IslandBristles:
    """The bristles of `count` bodies of an island on a device; divide: finds those of each body."""

    whole: Bristles
    count: int
    divide: Callable[[Bristles], Sequence[Bristles]]

    @cached_property
    def parts(self) -> Sequence[Bristles]:
        """Those of each body, as numpy arrays."""
        return self.divide(self.whole.to_host())


@dataclass(frozen=True, eq=False)
class BristlesOfOne:
    """The bristles of one body, by its number, among those of an island on a device."""

    island: IslandBristles
    number: int

    def to_host(self) -> Bristles:
        """They alone, as numpy arrays."""
        return self.island.parts[self.number]
