"""Surfaces between a net of control points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pliant.errors import shown
from pliant.mesh import Mesh, generators

from . import knots as algebra
from .knots import Array
from .nurbs import divided_out, homogeneous, quotients


class SplineSurface:
    """A surface that is a B-spline, or with weights a NURBS, in each of two directions.

        S(u, v) = sum_ij N_i,p(u) N_j,q(v) w_ij P_ij / sum_ij N_i,p(u) N_j,q(v) w_ij

    points [m], (n, m, d): P. degrees: p, q; `(n - 1, m - 1)` is a Bezier patch. knots: a pair, each None
    for even ones. weights (n, m): above 0. Calling it gives positions.

        patch = pl.shape.SplineSurface(points, degrees=(3, 3))
        patch(0.5, 0.5), patch.normals(0.5, 0.5), patch.mesh(cells=(20, 20))

    Source: [piegl1997] 3.4, 4.4.
    """

    def __init__(
        self,
        points: Any,
        degrees: Sequence[int] = (3, 3),
        *,
        knots: Sequence[Any] = (None, None),
        weights: Any = None,
    ):
        controls = algebra.accept_controls("SplineSurface", points, least=2, axes=2)
        if np.shape(degrees) != (2,) or len(knots) != 2:
            raise ValueError(
                f"SplineSurface: got degrees={shown(degrees)}, knots={shown(knots)}; expected two of "
                "each, as in degrees=(3, 3), knots=(None, None)"
            )
        self._degrees, self._knots = [], []
        for degree, known, count in zip(degrees, knots, controls.shape, strict=False):
            p = algebra.accept_degree("SplineSurface", degree, count)
            self._degrees.append(p)
            self._knots.append(
                algebra.clamped(count, p)
                if known is None
                else algebra.accept_knots("SplineSurface", known, count, p)
            )
        shape = controls.shape[:2]
        w = np.ones(shape) if weights is None else weights
        self._controls = homogeneous(controls, algebra.accept_weights("SplineSurface", w, shape))

    @classmethod
    def _of(cls, controls: Array, knots: list[Array], degrees: list[int]) -> SplineSurface:
        made = cls.__new__(cls)
        made._controls, made._knots, made._degrees = controls, knots, degrees
        return made

    @property
    def points(self) -> Array:
        """The control points [m], (n, m, d)."""
        return divided_out(self._controls)

    @property
    def weights(self) -> Array:
        """Of the control points, (n, m)."""
        return np.array(self._controls[..., -1])

    @property
    def degrees(self) -> tuple[int, int]:
        """Of its polynomials in u and v."""
        return self._degrees[0], self._degrees[1]

    @property
    def knots(self) -> tuple[Array, Array]:
        """In u and v."""
        return self._knots[0].copy(), self._knots[1].copy()

    @property
    def domain(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The first and the last u, and v."""
        u, v = (
            (float(knots[p]), float(knots[-p - 1]))
            for knots, p in zip(self._knots, self._degrees, strict=True)
        )
        return u, v

    def __repr__(self) -> str:
        n, m = self._controls.shape[:2]
        return f"<SplineSurface of {n} x {m} points, degrees {self.degrees}>"

    def __call__(self, u: Any, v: Any) -> Array:
        """Positions [m] at u and v, which are broadcast, (..., d)."""
        return divided_out(self._at(u, v)[0])

    def derivatives(self, u: Any, v: Any) -> Array:
        """dS/du and dS/dv [m] at u and v, (..., 2, d)."""
        whole, *slopes = self._at(u, v, slopes=True)
        return np.stack([quotients([whole, slope])[1] for slope in slopes], axis=-2)

    def normals(self, u: Any, v: Any) -> Array:
        """Unit normals of a surface in space, dS/du x dS/dv, (..., 3); zero where it has none."""
        if self._controls.shape[-1] != 4:
            raise ValueError(
                "SplineSurface.normals: its points are 2D; expected a surface in space"
            )
        along = self.derivatives(u, v)
        found = np.cross(along[..., 0, :], along[..., 1, :])
        length = np.linalg.norm(found, axis=-1, keepdims=True)
        return np.asarray(found / np.where(length > 0.0, length, 1.0))

    def split(self, t: float, axis: int = 0) -> tuple[SplineSurface, SplineSurface]:
        """The surface before t and that after it, along u (axis 0) or v (axis 1)."""
        rows, knots, p = self._along(axis)
        at = algebra.inside("SplineSurface.split", t, self.domain[axis])
        halves = algebra.divided(rows, knots, p, at)
        first, second = (self._with(*half, p, axis) for half in halves)
        return first, second

    def elevate(self, axis: int = 0) -> SplineSurface:
        """The same surface with one degree more in u (axis 0) or v (axis 1)."""
        rows, knots, p = self._along(axis)
        return self._with(*algebra.elevated(rows, knots, p), p + 1, axis)

    def mesh(self, cells: Sequence[int] = (16, 16), *, kind: str = "tri") -> Mesh:
        """A mesh of the surface, `cells` along u and v: for sheets in space and plane bodies.

        kind: those of `pl.meshes.rectangle`. Points at the same place, as at a seam or a pole, are one.
        """
        flat = generators.rectangle((1.0, 1.0), tuple(cells), kind=kind)
        low, high = np.array(self.domain).T
        u, v = (low + (high - low) * flat.points).clip(low, high).T
        return Mesh(self(u, v), flat.cells, repair=True)

    def _at(self, u: Any, v: Any, *, slopes: bool = False) -> list[Array]:
        """Homogeneous positions at u and v; also their slopes along both."""
        own = (
            algebra.parameters("SplineSurface", t, d)
            for t, d in zip((u, v), self.domain, strict=True)
        )
        u, v = np.broadcast_arrays(*own)
        shape, k = u.shape, self._controls.shape[2]
        places = u.ravel(), v.ravel()

        def at(controls: Array, knots: list[Array], degrees: list[int]) -> Array:
            n, m = controls.shape[:2]
            rows = algebra.evaluated(controls.reshape(n, -1), knots[0], degrees[0], places[0])
            basis = algebra.weights_at(knots[1], degrees[1], places[1]).toarray()
            found = np.einsum("sj,sjk->sk", basis, rows.reshape(-1, m, k))
            return np.asarray(found.reshape(*shape, k))

        every = [at(self._controls, self._knots, self._degrees)]
        for axis in range(2 if slopes else 0):
            slope = self._with(*algebra.derived(*self._along(axis)), axis)
            every.append(at(slope._controls, slope._knots, slope._degrees))
        return every

    def _along(self, axis: int) -> tuple[Array, Array, int]:
        """Controls as rows along one axis, with its knots and degree."""
        if axis not in (0, 1):
            raise ValueError(f"SplineSurface: got axis={shown(axis)}; expected 0 (u) or 1 (v)")
        rows = np.moveaxis(self._controls, axis, 0)
        return rows.reshape(len(rows), -1), self._knots[axis], self._degrees[axis]

    def _with(self, rows: Array, knots: Array, degree: int, axis: int) -> SplineSurface:
        """The surface with other rows along one axis."""
        across = self._controls.shape[1 - axis]
        controls = np.moveaxis(rows.reshape(len(rows), across, -1), 0, axis)
        every, degrees = list(self._knots), list(self._degrees)
        every[axis], degrees[axis] = knots, degree
        return SplineSurface._of(controls, every, degrees)
