"""What acts on a body in one step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from pliant.backend import Space
from pliant.energies import Energy, Resisting

from .difference import Difference


class Loaded(Protocol):
    """A body as its loads need it."""

    @property
    def loads_constant(self) -> bool:
        """Whether forces depend on time only, not on where the body is."""

    @property
    def pins_fixed(self) -> bool:
        """Whether no pin is driven."""

    @property
    def resisting(self) -> Sequence[Resisting]:
        """Forces that depend on velocities: of air."""

    def prepare(self, time: float) -> Any:
        """Set matter that changes with time to its value at a time [s]. Returns it, or None."""

    def pin_positions(self, time: float, x: np.ndarray) -> np.ndarray:
        """Where pins are at a time; other points as in x."""

    def loads_at(self, x: np.ndarray, time: float, gravity: np.ndarray) -> np.ndarray:
        """All forces [N] on the body at x that do not depend on velocities, (n, d)."""

    @property
    def loads_resident(self) -> bool:
        """Whether a device can compute the loads that depend on positions or velocities."""

    def constant_load(self, time: float, gravity: np.ndarray) -> np.ndarray:
        """The forces [N] that depend on time only; the same array while they do not change."""

    def following_loads(self, x: Any, time: float) -> Sequence[Any]:
        """The forces [N] that depend on positions, on the body at x. Arrays live where x does."""


@dataclass(frozen=True)
class Loads:
    """Forces, driven pins and changing matter of one body at the end of a step.

    x [m], (n, d): where the body is at the start of the step. gravity [m/s^2], (d,). matter: what has
    changed of the body's matter by then, e.g. the rest lengths of muscles; None for most.
    """

    body: Loaded
    x: Any
    time: float
    gravity: np.ndarray
    matter: Any = None

    @classmethod
    def of(cls, body: Loaded, x: Any, time: float, gravity: np.ndarray) -> Loads:
        """The loads of a body at a time [s]. Its matter is set to that time."""
        return cls(body, x, time, gravity, body.prepare(time))

    def at(self, time: float) -> Loads:
        """The same at another time, for steps that evaluate forces at their beginning or middle."""
        return Loads.of(self.body, self.x, time, self.gravity)

    def where(self, x: Any) -> Loads:
        """The same on a body that begins at x."""
        return self if x is self.x else replace(self, x=x)

    @property
    def constant(self) -> bool:
        """Whether the forces depend on time only, not on where the body is."""
        return self.body.loads_constant

    @property
    def pins_fixed(self) -> bool:
        """Whether no pin is driven."""
        return self.body.pins_fixed

    def steady(self, dt: float) -> bool:
        """Whether nothing from outside has changed in the last dt [s]."""
        if not (self.pins_fixed and self.constant and self.matter is None):
            return False
        now, then = (self.body.constant_load(t, self.gravity) for t in (self.time, self.time - dt))
        return now is then or np.array_equal(now, then)

    @property
    def resisting(self) -> Sequence[Resisting]:
        """Forces that depend on velocities, which `within` and `on` take as zero."""
        return self.body.resisting

    @cached_property
    def pinned(self) -> np.ndarray:
        """Positions of all points; only those of pins are read."""
        return self.body.pin_positions(self.time, self.x)

    @property
    def resident(self) -> bool:
        """Whether a device can compute all that is not constant."""
        return self.body.loads_resident

    def within(self, space: Space, x: Any = None) -> Any:
        """The forces [N] on the body at x, or at the start of the step, as an array of a space, (n, d).

        The same array as in the last step if they are `constant` and nothing has changed.
        """
        load = space.asarray(self.body.constant_load(self.time, self.gravity), keep=True)
        for force in self.body.following_loads(self.x if x is None else x, self.time):
            load = space.moved(load, 1.0, force)
        return load

    def on(self, x: np.ndarray) -> np.ndarray:
        """The forces [N] on the body at x, (n, d)."""
        return self.body.loads_at(x, self.time, self.gravity)

    def resistance(self, x: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The part of the forces [N] that is due to velocities, (n, d)."""
        return sum((r.resistance(x, v, self.time) for r in self.resisting), np.zeros_like(x))

    def dissipation(self, d: Difference, mixed: Callable[..., Any], device: Any) -> list[Energy]:
        """The same as energies of a step whose velocities are differences d."""
        if not self.resisting:
            return []
        x, before = d.where, d.before(mixed)
        found = [r.dissipation(x, before, d.span, self.time, device=device) for r in self.resisting]
        return [energy for energy in found if energy is not None]
