"""Rigid motion of all parts of a body, for arrays of the host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from pliant.solvers import Complement

from .rigid import Carry, Moments, Part, lift


class Parts(Protocol):
    """What a controlled step does to a body as if it were rigid, wherever its arrays live.

    Sums over points make `Moments`, `Part` makes motions of them, and these move the points.
    """

    def moments(self, x: Any, v: Any = None, load: Any = None, dt: float = 0.0) -> list[Moments]:
        """The sums of every part."""
        ...

    def carries(self, moments: Sequence[Moments], x: Any, pinned: Any, dt: float) -> list[Carry]:
        """The motion of every part over a step; pinned: where pins will be."""
        ...

    def complement(self, x: Any, moments: Sequence[Moments] | None = None) -> Any:
        """The deformations at x: what is M-orthogonal to the rigid motions."""
        ...

    def deformation(self, complement: Any, a: Any) -> Any:
        """The part of a velocity or a way that moves free points and no rigid motion."""
        ...

    def positions(self, x: Any, carries: Sequence[Carry], pinned: Any) -> Any:
        """Points carried, pins where they will be."""
        ...

    def vectors(self, v: Any, carries: Sequence[Carry]) -> Any:
        """Velocities turned with the body, zero at pins."""
        ...

    def align(self, shape: Any, x: Any) -> Any:
        """`shape` moved rigidly, as far as its pins allow, to lie closest to x."""
        ...

    def centrifugal(self, shape: Any, carries: Sequence[Carry]) -> Any:
        """The load m |omega|^2 r_perp [N] that spinning puts on the deformation of a carried shape."""
        ...


class HostParts:
    """`Parts` on numpy arrays."""

    def __init__(self, parts: Sequence[Part], masses: np.ndarray, free: np.ndarray):
        self.parts, self._masses, self._free = list(parts), masses, free

    @classmethod
    def of(
        cls,
        points: np.ndarray,
        labels: np.ndarray,
        *,
        pinned: np.ndarray,
        masses: np.ndarray,
        swing: bool = True,
    ) -> HostParts:
        """The parts of a body whose points have these labels, (n,)."""
        parts = [
            Part(np.flatnonzero(labels == c), pinned, masses, points, swing=swing)
            for c in range(labels.max() + 1)
        ]
        return cls(parts, masses, ~pinned)

    def hang(self, load: np.ndarray, before: Sequence[np.ndarray] = ()) -> None:
        """Tell the parts that hang which way, by the forces on their points, (n, d).

        before: how they hung, (3, 1) each, which counts where there is no force.
        """
        for k, part in enumerate(part for part in self.parts if part.hangs):
            part.hang(lift(load[part.points]).sum(axis=0), before[k] if before else None)

    def hang_as(self, rest: np.ndarray) -> None:
        """The same by a shape in which they hang at rest."""
        for part in self.parts:
            middle = part.masses @ lift(rest[part.points]) / part.mass
            part.hang(middle - part.centre(rest))

    def moments(
        self, x: np.ndarray, v: np.ndarray | None = None, load: Any = None, dt: float = 0.0
    ) -> list[Moments]:
        """The sums of every part."""
        return [part.moments(x, v, load, dt) for part in self.parts]

    def carries(
        self, moments: Sequence[Moments], x: np.ndarray, pinned: np.ndarray, dt: float
    ) -> list[Carry]:
        """The motion of every part."""
        found = []
        for part, sums in zip(self.parts, moments, strict=True):
            pins = None if part.translates else (lift(x[part.pins]), lift(pinned[part.pins]))
            found.append(part.carry(sums, part.axes(x), dt, pins))
        return found

    def complement(self, x: np.ndarray, moments: Sequence[Moments] | None = None) -> Complement:
        """The deformations at x."""
        columns = []
        for part, sums in zip(self.parts, moments or self.moments(x), strict=True):
            r = lift(x[part.points]) - sums.centre
            for row in part.basis(sums, part.axes(x)):
                motion = np.zeros_like(x)
                motion[part.points] = (row[:3] + np.cross(row[3:], r))[:, : part.dim]
                columns.append(motion[self._free].ravel())
        masses = np.repeat(self._masses[self._free], x.shape[1])
        basis = np.stack(columns, axis=1) if columns else np.zeros((len(masses), 0))
        return Complement(basis, masses, orthonormal=True)

    def deformation(self, complement: Complement, a: np.ndarray) -> np.ndarray:
        """The part of a velocity or a way that moves free points and no rigid motion."""
        out = np.zeros_like(a)
        out[self._free] = complement.project(a[self._free].ravel()).reshape(-1, a.shape[1])
        return out

    def positions(self, x: np.ndarray, carries: Sequence[Carry], pinned: np.ndarray) -> np.ndarray:
        """Points carried, pins where they will be."""
        out = pinned.copy()
        for part, carry in zip(self.parts, carries, strict=True):
            p = part.points[self._free[part.points]]
            out[p] = carry.positions(x[p])
        return out

    def vectors(self, v: np.ndarray, carries: Sequence[Carry]) -> np.ndarray:
        """Velocities turned with the body, zero at pins; as they are in points of no part."""
        out = np.where(self._free[:, None], v, 0.0)
        for part, carry in zip(self.parts, carries, strict=True):
            p = part.points[self._free[part.points]]
            out[p] = carry.vectors(v[p])
        return out

    def align(self, shape: np.ndarray, x: np.ndarray) -> np.ndarray:
        """`shape` moved rigidly, as far as its pins allow, to lie closest to x."""
        for part in self.parts:
            if part.rank:
                shape = part.align(shape, x)
        return shape

    def centrifugal(self, shape: np.ndarray, carries: Sequence[Carry]) -> np.ndarray:
        """The load of spinning on a carried shape."""
        out = np.zeros_like(shape)
        for part, carry in zip(self.parts, carries, strict=True):
            r = lift(shape[part.points]) - carry.centre_new
            load = -np.cross(carry.spin, np.cross(carry.spin, r)) * part.masses[:, None]
            out[part.points] = load[:, : part.dim]
        return out
