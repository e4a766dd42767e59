"""What acts on several bodies that are tied together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.backend import Space, joined

from .difference import Difference
from .loads import Loads

if TYPE_CHECKING:
    from .island_system import IslandSystem


@dataclass(frozen=True, eq=False)
class IslandLoads:
    """The loads of all bodies, for arrays of all their points. Offers what `Loads` offers."""

    system: IslandSystem
    members: tuple[Loads, ...]

    @property
    def time(self) -> float:
        """The end of the step [s]."""
        return self.members[0].time

    @cached_property
    def x(self) -> Any:
        """Where the bodies are at the start of the step [m], (n, d)."""
        return joined([loads.x for loads in self.members])

    @cached_property
    def matter(self) -> Any:
        """What has changed of the bodies' matter, or None."""
        found = [loads.matter for loads in self.members if loads.matter is not None]
        return np.concatenate(found) if found else None

    def _each(self) -> Iterator[tuple[Loads, slice]]:
        """The loads of each body, and its points."""
        return zip(self.members, (own for own, _ in self.system.members), strict=True)

    def at(self, time: float) -> IslandLoads:
        """The same at another time."""
        return IslandLoads(self.system, tuple(loads.at(time) for loads in self.members))

    def where(self, x: Any) -> IslandLoads:
        """The same on bodies that begin at x."""
        if self.system.spaces.of(x).on_host and np.array_equal(x, self.x):
            return self
        return IslandLoads(self.system, tuple(loads.where(x[own]) for loads, own in self._each()))

    @property
    def constant(self) -> bool:
        """Whether the forces depend on time only."""
        return all(loads.constant for loads in self.members)

    @property
    def pins_fixed(self) -> bool:
        """Whether no pin is driven."""
        return all(loads.pins_fixed for loads in self.members)

    def steady(self, dt: float) -> bool:
        """Whether nothing from outside has changed in the last dt [s]."""
        return all(loads.steady(dt) for loads in self.members)

    @cached_property
    def resisting(self) -> Sequence[Any]:
        """Forces that depend on velocities."""
        return [_Resisting(r, own) for loads, own in self._each() for r in loads.resisting]

    @cached_property
    def pinned(self) -> np.ndarray:
        """Positions of all points; only those of pins are read."""
        return np.concatenate([loads.pinned for loads in self.members])

    @property
    def resident(self) -> bool:
        """Whether a device can compute all that is not constant."""
        return all(loads.resident for loads in self.members)

    def within(self, space: Space, x: Any = None) -> Any:
        """The forces [N] on the bodies at x, or at the start of the step, (n, d)."""
        start = self.x if x is None else x
        found = []
        for loads, (own, system) in zip(self.members, self.system.members, strict=True):
            there = system.spaces.host if space.on_host else system.spaces.home
            at = start[own] if loads.constant else system.loaded(start[own])
            found.append(loads.within(there, at))
        return joined(found)

    def on(self, x: np.ndarray) -> np.ndarray:
        """The forces [N] on the bodies at x, (n, d)."""
        pairs = zip(self.members, self.system.members, strict=True)
        return np.concatenate([loads.on(system.loaded(x[own])) for loads, (own, system) in pairs])

    def resistance(self, x: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The part of the forces [N] that is due to velocities, (n, d)."""
        return sum((r.resistance(x, v, self.time) for r in self.resisting), np.zeros_like(x))

    def dissipation(self, d: Difference, mixed: Callable[..., Any], device: Any) -> list[Any]:
        """The same as energies of a step whose velocities are differences d."""
        found, before = [], d.before(mixed) if self.resisting else None
        for r in self.resisting:
            energy = r.energy(d.where, before, d.span, self.time, device)
            if energy is not None:
                found.append(self.system.part(energy, r.own))
        return found


@dataclass(frozen=True, eq=False)
class _Resisting:
    """A force that depends on the velocity of one body, for arrays of all points."""

    one: Any
    own: slice

    def resistance(self, x: np.ndarray, v: np.ndarray, time: float) -> np.ndarray:
        """[N], (n, d)."""
        out = np.zeros_like(x)
        out[self.own] = self.one.resistance(x[self.own], v[self.own], time)
        return out

    def slope(self, x: np.ndarray, v: np.ndarray, time: float) -> np.ndarray:
        """How it changes with velocities [N s/m], (n, d, d)."""
        out = np.zeros((*x.shape, x.shape[1]))
        out[self.own] = self.one.slope(x[self.own], v[self.own], time)
        return out

    def energy(self, x: Any, before: Any, span: float, time: float, device: Any) -> Any:
        """It as an energy of the body's positions, or None."""
        return self.one.dissipation(x[self.own], before[self.own], span, time, device=device)
