"""A reduced body among others: a body of points that go in the ways of its coordinates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant.mesh import in_space
from pliant.problem import CoordinateEnergy, System
from pliant.solvers import Ways

from .basis import Basis
from .lifting import lifted
from .shape import ReducedShape

Array = np.ndarray
#: Positions that differ from a shape by less than this share of their numbers are that shape.
SAME = 1e-13
#: Of so many places the shape is kept: a search asks several times for each.
KEPT = 4


@dataclass(frozen=True, eq=False)
class ConfinedPlace:
    """Positions, (n, d), the shape there, and the ways from it."""

    x: Array
    shape: ReducedShape
    ways: Ways


class ReducedConfinement:
    """The shapes x = centre + R (X + U q), and the ways that lead from one to others.

    A body that is held goes in its columns, turned with its frame. The first `own` of its coordinates
    are searched; the others follow driven pins. A free body is also moved and turned as a whole, and its
    ways are curved.
    """

    def __init__(self, basis: Basis, pinned: Array):
        self._basis, self._pinned = basis, pinned
        self.curved, self.own = basis.free, basis.own
        self.energy: ModalEnergy | InnerEnergy = ModalEnergy(self, basis)
        self._size = float(np.linalg.norm(np.ptp(basis.points, axis=0)))
        self._known: list[ConfinedPlace] = []

    def shape(self, x: Array) -> ReducedShape:
        """The nearest shape."""
        return self._at(x).shape

    def _at(self, x: Array) -> ConfinedPlace:
        """What is known of a place; that of the last few is kept."""
        for place in self._known:
            if np.array_equal(place.x, x):
                return place
        shape = lifted(self._basis, self._pinned, x)
        place = ConfinedPlace(x.copy(), shape, self._ways_at(x, shape))
        self._known = [place, *self._known[: KEPT - 1]]
        return place

    def nearest(self, x: Array) -> Array:
        """The shape nearest to x, (n, d), in the norm of masses: x itself if it is one."""
        found = self.shape(x).expand()
        far = self._size + float(np.abs(x).max())
        return x if np.abs(found - x).max() <= SAME * far else found

    def coordinates(self, x: Array) -> Array:
        """q of a shape, (r,)."""
        return self.shape(x).q

    def ways(self, x: Array) -> Ways:
        """The ways at a shape: of a free body translations and rotations come first."""
        return self._at(x).ways

    def _ways_at(self, x: Array, shape: ReducedShape) -> Ways:
        basis, d = self._basis, x.shape[1]
        rotation, centre = shape.frame.rotation[:d, :d], shape.frame.centre[:d]
        turn = rotation if shape.frame.turned else None
        return Ways(
            basis.columns[:, : basis.own], basis.masses, turn, x - centre if self.curved else None
        )

    def bending(self, x: Array, force: Array) -> Array:
        """What the curvature of the ways adds to the Hessian, (k, k), under a gradient (n, d).

        Turning by w twice moves a point by w x (w x r), and turning what is deformed by w x R U q.
        """
        basis, shape, d = self._basis, self.shape(x), x.shape[1]
        turn, spins = shape.frame.rotation, d * (d - 1) // 2
        arms, g = in_space(x) - shape.frame.centre, in_space(force)
        first = g.T @ arms
        twice = 0.5 * (first + first.T) - np.trace(first) * np.eye(3)
        # Of column k: sum of g . (e_a x R U_k) = the axis of sum R U_k g^T.
        each = np.einsum("ij,kjl->kil", turn, basis.moments(g))
        once = np.stack(
            [
                each[:, 1, 2] - each[:, 2, 1],
                each[:, 2, 0] - each[:, 0, 2],
                each[:, 0, 1] - each[:, 1, 0],
            ]
        )
        out = np.zeros((d + spins + len(basis),) * 2)
        rows = slice(d, d + spins)
        out[rows, rows] = twice[3 - spins :, 3 - spins :]
        out[rows, d + spins :] = once[3 - spins :]
        out[d + spins :, rows] = once[3 - spins :].T
        return out


class ModalEnergy(CoordinateEnergy):
    """1/2 q . diag(eigenvalues) q."""

    def __init__(self, confinement: ReducedConfinement, basis: Basis):
        super().__init__(confinement, len(basis.points))
        self._values, self._own = basis.eigenvalues, basis.own

    def value_of(self, q: Array) -> float:
        """[J]."""
        return 0.5 * float(self._values @ q**2)

    def gradient_of(self, q: Array) -> Array:
        """The eigenvalues times q."""
        return np.asarray((self._values * q)[: self._own])

    def hessian_of(self, q: Array, project: bool) -> Array:
        """The eigenvalues on the diagonal."""
        return np.diag(self._values[: self._own])

    def whole_hessian_of(self, q: Array) -> Array:
        """With the rows of driven coordinates, which act on no other."""
        return np.diag(self._values)


class InnerEnergy(CoordinateEnergy):
    """The energy of a system whose points are the coordinates, in rows."""

    def __init__(self, confinement: ReducedConfinement, points: int, inner: System):
        super().__init__(confinement, points)
        self._inner = inner
        self._own = inner.dim * int((~inner.pinned).sum())
        self.limits_steps = any(e.limits_steps for e in inner.assembly.energies)

    def value_of(self, q: Array) -> float:
        """[J]."""
        return float(self._inner.assembly.value(self._rows(q)))

    def gradient_of(self, q: Array) -> Array:
        """dW/dq of what is not driven."""
        return np.asarray(self._inner.assembly.gradient(self._rows(q)).ravel()[: self._own])

    def hessian_of(self, q: Array, project: bool) -> Array:
        """d2W/dq2."""
        found: Any = self._inner.stiffness(self._rows(q), project)
        return np.asarray(found.toarray())

    def whole_hessian_of(self, q: Array) -> Array:
        """A positive semi-definite stand-in for it, with the rows of driven coordinates."""
        own = self._inner.assembly
        found: Any = own.pattern.matrix(own.blocks(self._rows(q), project=True))
        return np.asarray(found.toarray())

    def limit_of(self, q: Array, dq: Array) -> float:
        """As far as no cell is crushed, where that is fatal."""
        return float(self._inner.assembly.step_limit(self._rows(q), self._rows(dq)))

    def _rows(self, q: Array) -> Array:
        return q.reshape(-1, self._inner.dim)


class CoordinateViscosity(CoordinateEnergy):
    """weight/2 (q - before) . K (q - before) of all coordinates, of which the first are searched."""

    def __init__(
        self, confinement: ReducedConfinement, points: int, K: Array, before: Array, weight: float
    ):
        super().__init__(confinement, points)
        self._matrix, self._before, self._own = weight * K, before, confinement.own

    def value_of(self, q: Array) -> float:
        """[J]."""
        u = q - self._before
        return 0.5 * float(u @ self._matrix @ u)

    def gradient_of(self, q: Array) -> Array:
        """Its gradient."""
        return np.asarray(self._matrix[: self._own] @ (q - self._before))

    def hessian_of(self, q: Array, project: bool) -> Array:
        """Its matrix."""
        return self._matrix[: self._own, : self._own]
