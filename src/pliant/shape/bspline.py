"""Curves between control points."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import knots as algebra
from .knots import Array


class BSpline:
    """A curve of polynomials that join smoothly at knots.

        C(t) = sum_i N_i,p(t) P_i

    points [m], (n, d): P. degree: p. knots: n + p + 1 numbers that rise; by default even ones, with
    which the curve begins and ends at control points. Calling it gives positions.

        curve = pl.shape.BSpline([[0, 0, 0], [1, 1, 0], [2, -1, 0], [3, 0, 0]])
        curve(np.linspace(0, 1, 50)), curve.derivative()(0.5), curve.split(0.3)

    Source: [piegl1997] 3.
    """

    def __init__(self, points: Any, degree: int = 3, knots: Any = None):
        who = type(self).__name__
        controls = algebra.accept_controls(who, points, least=2)
        p = algebra.accept_degree(who, degree, len(controls))
        if knots is None:
            known = algebra.clamped(len(controls), p)
        else:
            known = algebra.accept_knots(who, knots, len(controls), p)
        self._hold(controls, known, p)

    def _hold(self, controls: Array, knots: Array, degree: int) -> None:
        self._controls: Array = controls
        self._knots: Array = knots
        self._degree: int = degree

    @classmethod
    def _of(cls, controls: Array, knots: Array, degree: int) -> Any:
        made = cls.__new__(cls)
        made._hold(controls, knots, degree)
        return made

    @property
    def points(self) -> Array:
        """The control points [m], (n, d)."""
        return np.array(self._controls)

    @property
    def knots(self) -> Array:
        """(n + degree + 1,)."""
        return np.array(self._knots)

    @property
    def degree(self) -> int:
        """Of its polynomials."""
        return self._degree

    @property
    def domain(self) -> tuple[float, float]:
        """The first and the last t."""
        return float(self._knots[self._degree]), float(self._knots[-self._degree - 1])

    def __repr__(self) -> str:
        count = len(self._controls)
        return f"<{type(self).__name__} of {count} points, degree {self._degree}>"

    def __call__(self, t: Any) -> Array:
        """Positions [m] at t (...), (..., d)."""
        t = algebra.parameters(type(self).__name__, t, self.domain)
        return algebra.evaluated(self._controls, self._knots, self._degree, t)

    def derivative(self) -> BSpline:
        """dC/dt, a curve of one degree less."""
        found: BSpline = BSpline._of(*algebra.derived(self._controls, self._knots, self._degree))
        return found

    def split(self, t: float) -> tuple[Any, Any]:
        """The curve before t and the curve after it."""
        t = algebra.inside(f"{type(self).__name__}.split", t, self.domain)
        halves = algebra.divided(self._controls, self._knots, self._degree, t)
        first, second = (self._of(*half, self._degree) for half in halves)
        return first, second

    def elevate(self) -> Any:
        """The same curve with one degree more, and so with more control points."""
        found = algebra.elevated(self._controls, self._knots, self._degree)
        return self._of(*found, self._degree + 1)


class Bezier(BSpline):
    """A curve of one polynomial: a B-spline without inner knots, for t from 0 to 1.

        C(t) = sum_i binomial(n, i) t^i (1 - t)^(n - i) P_i

    points [m], (n + 1, d): it begins at the first, ends at the last and is drawn to the others.
    `de_casteljau` and `bernstein` are two ways to the same point.

    Source: [piegl1997] 1.3, [deformablesurvey].
    """

    def __init__(self, points: Any):
        controls = algebra.accept_controls("Bezier", points, least=2)
        super().__init__(controls, len(controls) - 1)

    def de_casteljau(self, t: Any) -> Array:
        """Positions [m] at t (...), by means of means: P_i <- (1 - t) P_i + t P_{i+1}, n times."""
        t = algebra.parameters("Bezier", t, self.domain)[..., None, None]
        rows = self._controls
        for _ in range(self._degree):
            rows = (1.0 - t) * rows[..., :-1, :] + t * rows[..., 1:, :]
        return np.asarray(rows[..., 0, :])

    def bernstein(self, t: Any) -> Array:
        """The weight of every control point at t (...), (..., n + 1); they sum to 1."""
        from scipy.special import comb

        t = algebra.parameters("Bezier", t, self.domain)[..., None]
        i, n = np.arange(self._degree + 1), self._degree
        return np.asarray(comb(n, i) * t**i * (1.0 - t) ** (n - i))

    def derivative(self) -> Bezier:
        """dC/dt, of control points n (P_{i+1} - P_i)."""
        return _bezier(self._degree * np.diff(self._controls, axis=0))

    def split(self, t: float) -> tuple[Bezier, Bezier]:
        """The curve before t and the curve after it, each for 0 to 1."""
        t = algebra.inside("Bezier.split", t, self.domain)
        rows, first, last = self._controls, [], []
        for _ in range(self._degree + 1):
            first.append(rows[0])
            last.append(rows[-1])
            rows = (1.0 - t) * rows[:-1] + t * rows[1:]
        return _bezier(np.array(first)), _bezier(np.array(last[::-1]))

    def elevate(self) -> Bezier:
        """The same curve with one control point more."""
        i = np.arange(1, self._degree + 1)[:, None] / (self._degree + 1)
        P = self._controls
        return _bezier(np.concatenate([P[:1], i * P[:-1] + (1.0 - i) * P[1:], P[-1:]]))


def _bezier(controls: Array) -> Bezier:
    degree = len(controls) - 1
    knots = np.repeat([0.0, 1.0], degree + 1)
    made: Bezier = Bezier._of(controls, knots, degree)
    return made
