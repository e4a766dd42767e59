"""Curves whose control points have weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import comb

from . import knots as algebra
from .bspline import BSpline
from .knots import Array


class Nurbs(BSpline):
    """A B-spline whose control points have weights: circles and other conics are exact.

        C(t) = sum_i N_i,p(t) w_i P_i / sum_i N_i,p(t) w_i

    points [m], (n, d): P. weights, (n,): above 0. knots: n + p + 1 numbers that rise, which tell the
    degree p; without them the degree is `degree`. It is a B-spline of (w P, w), divided.

        circle = pl.shape.Nurbs.circle(radius=0.5)

    Source: [piegl1997] 4.
    """

    def __init__(self, points: Any, weights: Any, knots: Any = None, degree: int | None = None):
        controls = algebra.accept_controls("Nurbs", points, least=2)
        w = algebra.accept_weights("Nurbs", weights, controls.shape[:1])
        if degree is None:
            degree = min(3, len(controls) - 1) if knots is None else np.size(knots) - len(w) - 1
        p = algebra.accept_degree("Nurbs", degree, len(w))
        known = algebra.clamped(len(w), p)
        if knots is not None:
            known = algebra.accept_knots("Nurbs", knots, len(w), p)
        self._hold(homogeneous(controls, w), known, p)

    @classmethod
    def circle(cls, radius: float = 1.0) -> Nurbs:
        """The circle of a radius [m] about z through the origin, of nine points, (9, 3)."""
        from pliant.errors import check_positive

        check_positive("Nurbs.circle", "radius", radius, "m")
        corner = np.array([(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)])
        points = np.zeros((9, 3))
        points[:8, :2], points[8, 0] = radius * corner, radius
        weights = np.append(np.tile([1.0, np.sqrt(0.5)], 4), 1.0)
        knots = np.concatenate([[0.0], np.repeat(np.arange(5) / 4.0, [2, 2, 2, 2, 2]), [1.0]])
        return cls(points, weights, knots)

    @property
    def points(self) -> Array:
        """The control points [m], (n, d)."""
        return divided_out(self._controls)

    @property
    def weights(self) -> Array:
        """Of the control points, (n,)."""
        return np.array(self._controls[:, -1])

    def __call__(self, t: Any) -> Array:
        """Positions [m] at t (...), (..., d)."""
        return divided_out(super().__call__(t))

    def derivative(self) -> RationalDerivative:  # type: ignore[override]
        """dC/dt, a function of t with a derivative of its own."""
        return RationalDerivative(self, 1)


class RationalDerivative:
    """The derivative of a curve with weights, of any order k [m].

        C^(k) = (A^(k) - sum_{i=1..k} binomial(k, i) w^(i) C^(k-i)) / w,     (A, w): C times w, and w

    Source: [piegl1997] (4.8).
    """

    def __init__(self, curve: Nurbs, order: int):
        self._curve, self._order = curve, order
        whole = BSpline._of(curve._controls, curve._knots, curve._degree)
        self._each = [whole]
        for _ in range(order):
            self._each.append(self._each[-1].derivative())

    @property
    def domain(self) -> tuple[float, float]:
        """The first and the last t."""
        return self._curve.domain

    def __call__(self, t: Any) -> Array:
        """The derivative [m] at t (...), (..., d)."""
        rows = [each(t) for each in self._each]
        return quotients(rows)[-1]

    def derivative(self) -> RationalDerivative:
        """That of one order more."""
        return RationalDerivative(self._curve, self._order + 1)


def homogeneous(points: Array, weights: Array) -> Array:
    """(w P, w) of points (..., d), (..., d + 1)."""
    return np.concatenate([points * weights[..., None], weights[..., None]], axis=-1)


def divided_out(rows: Array) -> Array:
    """P of (w P, w)."""
    return np.asarray(rows[..., :-1] / rows[..., -1:])


def quotients(rows: list[Array]) -> list[Array]:
    """A/w and its derivatives, of (A, w) (..., d + 1) and its derivatives."""
    found: list[Array] = []
    for k, row in enumerate(rows):
        top = row[..., :-1]
        for i in range(1, k + 1):
            top = top - comb(k, i) * rows[i][..., -1:] * found[k - i]
        found.append(top / rows[0][..., -1:])
    return found
