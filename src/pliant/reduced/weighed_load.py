"""The load on a static model, whose weight acts on its surface and turns against it."""

from __future__ import annotations

from functools import cached_property
from typing import Protocol

import numpy as np

from pliant.problem import Loads

from .basis import Basis
from .load import ReducedLoad
from .shape import ReducedShape

Array = np.ndarray


class Weighed(Protocol):
    """A prepared body whose weight is not masses times gravity."""

    basis: Basis
    undeformed: Array
    _load: ReducedLoad | None

    def weight(self, gravity: Array) -> Array:
        """The forces on points [N], (n, 3), under a gravity [m/s^2] in the axes of the body."""

    def answer_to(self, force: Array) -> Array:
        """What its coordinates feel of forces on points in the axes of the body, (r,)."""


class WeighedLoad(ReducedLoad):
    """Forces on points, and the weight that a prepared body makes of gravity.

    fixed: forces [N] on points whose directions stay in space, (n, 3), without weight; carried: those
    that turn with the body.
    """

    def __init__(self, system: Weighed, gravity: Array, fixed: Array, carried: Array | None):
        super().__init__(system.basis, fixed, carried)
        self._system, self.gravity = system, gravity

    def is_under(self, gravity: Array, fixed: Array, carried: Array | None) -> bool:
        """Whether it is made of these."""
        return np.array_equal(gravity, self.gravity) and self.is_of(fixed, carried)

    def forces(self, rotation: Array) -> Array:
        """All forces on points in the axes of the body [N], (n, 3)."""
        force: Array = self._system.weight(rotation.T @ self.gravity) + self.fixed @ rotation
        return force if self.carried is None else force + self.carried

    def on(self, rotation: Array, *, turned: bool) -> Array:
        """What coordinates of a body that is turned feel, (r,)."""
        return self._turned(rotation) if turned else self._unturned

    def potential(self, shape: ReducedShape) -> float:
        """The potential of the forces [J]: less their work on the straight way from X."""
        turn = shape.frame.rotation
        way = shape.expand() - self.basis.points
        return -float(np.vdot(self.forces(turn) @ turn.T, way))

    def _turned(self, rotation: Array) -> Array:
        return self._system.answer_to(self.forces(rotation))

    @cached_property
    def _unturned(self) -> Array:
        return self._turned(np.eye(3))


def weighed_load(system: Weighed, loads: Loads) -> ReducedLoad:
    """What acts on a body; made anew when it has changed."""
    body, time, x = loads.body, loads.time, system.undeformed
    fixed = body.constant_load(time, 0.0 * loads.gravity)
    following = [np.asarray(force) for force in body.following_loads(x, time)]
    carried = sum(following[1:], following[0]) if following else None
    known = system._load
    if not (isinstance(known, WeighedLoad) and known.is_under(loads.gravity, fixed, carried)):
        system._load = known = WeighedLoad(system, loads.gravity, fixed, carried)
    return known
