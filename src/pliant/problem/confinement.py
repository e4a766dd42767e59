"""Bodies whose points go in few ways, as bodies of points among others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Protocol

import numpy as np

from pliant.backend import HostSpace
from pliant.solvers import Ways

from .inertia import Inertia, IslandInertia

Array = np.ndarray


class Confinement(Protocol):
    """The shapes that a body can have, and the ways that lead from one to others.

    curved: whether a straight way leads off them, as for what turns. energy: that of the body, which
    replaces the energies of its points.
    """

    curved: bool

    @property
    def energy(self) -> CoordinateEnergy:
        """The energy of its coordinates."""

    def nearest(self, x: Array) -> Array:
        """The shape nearest to x, (n, d), in the norm of masses: x itself if it is one."""

    def coordinates(self, x: Array) -> Array:
        """The coordinates of a shape, (r,)."""

    def ways(self, x: Array) -> Ways:
        """The ways at a shape; those of coordinates come last."""

    def bending(self, x: Array, force: Array) -> Array:
        """What the curvature of the ways adds to the Hessian, (k, k), under a gradient (n, d)."""


class CoordinateEnergy(ABC):
    """An energy of the coordinates of a body, as one of its points. Satisfies `Energy`.

    Its gradient is a force on the points that acts on the coordinates as it must, and on no rigid
    motion. Its Hessian is in no block of points: `stiffness` has it.
    """

    limits_steps = False

    def __init__(self, confinement: Confinement, points: int):
        self._confinement = confinement
        self.stencils = np.arange(points, dtype=np.int32)[:, None]

    @abstractmethod
    def value_of(self, q: Array) -> float:
        """W(q) [J]."""

    @abstractmethod
    def gradient_of(self, q: Array) -> Array:
        """dW/dq, (r,)."""

    @abstractmethod
    def hessian_of(self, q: Array, project: bool) -> Array:
        """d2W/dq2, (r, r); with `project` a positive semi-definite stand-in."""

    def limit_of(self, q: Array, dq: Array) -> float:
        """The largest admissible share of dq."""
        return float("inf")

    def stiffness(self, x: Array, project: bool) -> Array:
        """The Hessian over the coordinates at x, (n, d): (r, r)."""
        return self.hessian_of(self._confinement.coordinates(x), project)

    def gradient(self, x: Array) -> Array:
        """The force on the points [N], (n, d), that acts as dW/dq does."""
        ways = self._confinement.ways(x)
        acting, found = np.zeros(len(ways)), self.gradient_of(self._confinement.coordinates(x))
        acting[len(acting) - len(found) :] = found
        return ways.force(acting)

    def value(self, x: Any) -> float:
        """W [J] at an array of the host."""
        return self.value_of(self._confinement.coordinates(x.numpy()))

    def add_gradient(self, x: Any, g: Any) -> None:
        """Add the force on the points."""
        view = g.numpy()
        view += self.gradient(x.numpy())

    def add_hessian(  # noqa: B027
        self, x: Any, blocks: Any, slots: Any, project: bool
    ) -> None:
        """Nothing: `stiffness` has it."""

    def step_limit(self, x: Any, dx: Any) -> float:
        """The largest admissible share of dx."""
        at, end = x.numpy(), self._confinement.nearest(x.numpy() + dx.numpy())
        q, there = (self._confinement.coordinates(y) for y in (at, end))
        return self.limit_of(q, there - q)


class CurvedSpace(HostSpace):
    """Positions of an island; `moved` leads to shapes that its bodies can have."""

    def __init__(self, island: Any):
        super().__init__(island.spaces.host.masses, island.spaces.host.free)
        self._island = island

    def moved(self, x: Array, step: float, p: Array) -> Array:
        """The shapes nearest to x + step p."""
        out: Array = self._island.nearest(super().moved(x, step, p))
        return out


def weight_of(inertia: Inertia, member: int) -> float:
    """The weight of the inertia of one body of an island."""
    if isinstance(inertia, IslandInertia):
        return inertia.members[member].weight
    return inertia.weight
