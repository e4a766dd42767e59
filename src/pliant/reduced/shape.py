"""Positions and velocities of a reduced body, which are expanded when they are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .basis import Basis
from .frame import BodyFrame
from .turning import angular_velocity

Array = np.ndarray


class Expanded:
    """An array (n, d) of numbers that are known by few others. numpy takes it for an array."""

    basis: Basis

    def expand(self) -> Array:
        """The array, computed anew."""
        raise NotImplementedError

    @property
    def shape(self) -> tuple[int, ...]:
        """(n, d)."""
        return self.basis.points.shape

    def __len__(self) -> int:
        return len(self.basis.points)

    def numpy(self) -> Array:
        """The array, as `to_host` asks for one."""
        return self.expand()

    def copy(self) -> Array:
        """The array, as whoever will change it asks for one."""
        return self.expand()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return self.expand() if dtype is None else self.expand().astype(dtype)


@dataclass(frozen=True, eq=False)
class ReducedShape(Expanded):
    """Positions centre + R (X + U q) [m], the frame's centre and rotation being centre and R."""

    basis: Basis
    q: Array
    frame: BodyFrame

    def expand(self) -> Array:
        """The positions [m], (n, d)."""
        basis, frame, d = self.basis, self.frame, self.shape[1]
        if not frame.turned:
            shift = (frame.centre - basis.centre)[:d]
            x = basis.points + basis.expand(self.q)
            return np.asarray(x + shift) if shift.any() else x
        arms = basis.arms[:, :d] + basis.expand(self.q)
        out: Array = frame.centre[:d] + arms @ frame.rotation[:d, :d].T
        return out

    @property
    def energy(self) -> float:
        """The elastic energy [J]: half the sum of eigenvalue q^2."""
        return 0.5 * float(self.basis.eigenvalues @ self.q**2)


@dataclass(frozen=True, eq=False)
class ReducedVelocity(Expanded):
    """Velocities of a shape whose coordinates change by p [1/s]: momentum/m + omega x r + R U p."""

    at: ReducedShape
    p: Array

    @property
    def basis(self) -> Basis:  # type: ignore[override]
        """That of the shape."""
        return self.at.basis

    @cached_property
    def omega(self) -> Array:
        """The angular velocity in the axes of the body [1/s], (3,)."""
        return angular_velocity(self.basis, self.at.q, self.p, self.at.frame)

    def expand(self) -> Array:
        """The velocities [m/s], (n, d)."""
        basis, frame, d = self.basis, self.at.frame, self.shape[1]
        v = basis.expand(self.p)
        if not basis.free:
            return self._held(v)
        if frame.spin.any():
            arms = basis.arms.copy()
            arms[:, :d] += basis.expand(self.at.q)
            v = v + np.cross(self.omega, arms)[:, :d]
        out: Array = frame.momentum[:d] / basis.mass + v @ frame.rotation[:d, :d].T
        return out

    def _held(self, v: Array) -> Array:
        """The velocities of a body whose pins are led, or stand still; v: those in its own axes."""
        frame, d = self.at.frame, self.shape[1]
        if frame.turned:
            v = v @ frame.rotation[:d, :d].T
        return v + frame.velocities(self.at.expand()) if frame.led else v
