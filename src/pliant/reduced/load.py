"""The forces on a reduced body, as its coordinates and its frame feel them."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from pliant.mesh import in_space

from .basis import Basis
from .shape import ReducedShape
from .turning import cross_sum

Array = np.ndarray


class ReducedLoad:
    """Forces [N] on the points of X, (n, d). Sums over points are made once.

    fixed: those whose directions stay in space, such as weight. carried: those that turn with the body,
    such as pressure, or None. Small deformation does not change them.
    """

    def __init__(self, basis: Basis, fixed: Array, carried: Array | None):
        self.basis, self.fixed, self.carried = basis, fixed, carried

    def is_of(self, fixed: Array, carried: Array | None) -> bool:
        """Whether it is made of these forces."""
        same = fixed is self.fixed or np.array_equal(fixed, self.fixed)
        if carried is None or self.carried is None:
            return same and carried is self.carried
        return same and np.array_equal(carried, self.carried)

    def on(self, rotation: Array, *, turned: bool) -> Array:
        """The load on each coordinate [N/sqrt(kg)] of a body that is turned, (r,)."""
        if not turned:
            return self._unturned
        g: Array = np.einsum("ba,kab->k", rotation, self._moments)
        return g if self.carried is None else g + self._carried

    def push(self, shape: ReducedShape) -> tuple[Array, Array]:
        """The force [N] and the torque about the centre [N m] on a free body, (3,) each."""
        rotation = shape.frame.rotation
        force = self._force
        torque = cross_sum(rotation @ self._lever(self._first, self._moments, shape.q))
        if self.carried is not None:
            force = force + rotation @ self._carried_force
            lever = self._lever(self._carried_first, self._carried_moments, shape.q)
            torque = torque + rotation @ cross_sum(lever)
        return force, torque

    def potential(self, shape: ReducedShape) -> float:
        """The potential of the forces [J]: less their work on the straight way from X."""
        frame, rotation = shape.frame, shape.frame.rotation
        away = frame.centre - self.basis.centre
        lever = self._lever(self._first, self._moments, shape.q) if frame.turned else None
        if lever is None:
            work = float(self._unturned @ shape.q) + float(self._force @ away)
            return -work if self.carried is None else -work - float(self._carried_force @ away)
        work = float(np.vdot(rotation.T, lever)) - float(np.trace(self._first))
        work += float(self._force @ away)
        if self.carried is not None:
            own = self._lever(self._carried_first, self._carried_moments, shape.q)
            work += float(np.trace(own)) - float(np.vdot(rotation.T, self._carried_first.T))
            work += float(rotation @ self._carried_force @ away)
        return -work

    @staticmethod
    def _lever(first: Array, moments: Array, q: Array) -> Array:
        """The sum of r f^T of the deformed shape, (3, 3)."""
        return np.asarray(first + np.tensordot(q, moments, axes=1))

    @cached_property
    def _unturned(self) -> Array:
        all_of_it = self.fixed if self.carried is None else self.fixed + self.carried
        return self.basis.project(all_of_it)

    @cached_property
    def _force(self) -> Array:
        return np.asarray(in_space(self.fixed).sum(axis=0))

    @cached_property
    def _first(self) -> Array:
        return np.asarray(self.basis.arms.T @ in_space(self.fixed))

    @cached_property
    def _moments(self) -> Array:
        return self.basis.moments(self.fixed)

    @cached_property
    def _carried(self) -> Array:
        assert self.carried is not None
        return self.basis.project(self.carried)

    @cached_property
    def _carried_force(self) -> Array:
        assert self.carried is not None
        return np.asarray(in_space(self.carried).sum(axis=0))

    @cached_property
    def _carried_first(self) -> Array:
        assert self.carried is not None
        return np.asarray(self.basis.arms.T @ in_space(self.carried))

    @cached_property
    def _carried_moments(self) -> Array:
        assert self.carried is not None
        return self.basis.moments(self.carried)
