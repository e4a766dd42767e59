"""Stretch, taper, twist, bend and warp: maps of space, and how much each changes volumes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from pliant.errors import check_positive, described
from pliant.given import floats_or_nan

from .checks import Array, axis_of, middle_of, points_given, radians_of, vector_given

Axis = Literal["x", "y", "z"]
Place = Sequence[float] | Array | None
#: A warp by more than this share of its radius folds: 1/largest slope of (1 - s^2)^2.
STEEPEST = 3.0**1.5 / 8.0


class Deformer(ABC):
    """A map of points [m] that is known by a formula, and det J of it."""

    @abstractmethod
    def __call__(self, points: Any) -> Array:
        """Where points (n, d) go [m]."""

    @abstractmethod
    def volume_factors(self, points: Any) -> Array:
        """det J at points (n, d): how many times as large a small volume there becomes, (n,)."""


@dataclass(frozen=True)
class Stretching(Deformer):
    """Each axis has a factor, about a place that stays: det J is their product.

    factors: one for each axis [-]. about [m]: the middle of the points if left out.
    """

    factors: Sequence[float]
    about: Place = None

    def __call__(self, points: Any) -> Array:
        """Where points (n, d) go [m]."""
        x = points_given("stretch", points)
        middle = middle_of("stretch", self.about, x)
        return np.asarray(middle + self._of(x) * (x - middle))

    def volume_factors(self, points: Any) -> Array:
        """det J, the same at all points, (n,)."""
        x = points_given("stretch", points)
        return np.full(len(x), np.prod(self._of(x)))

    def _of(self, x: Array) -> Array:
        factors = floats_or_nan(self.factors)
        if factors.shape != (x.shape[1],) or not np.isfinite(factors).all():
            raise ValueError(
                f"stretch: got factors {described(self.factors)}; expected {x.shape[1]} of them, one "
                "for each axis"
            )
        return factors


@dataclass(frozen=True, kw_only=True)
class _AlongAxis(Deformer):
    """A deformer that depends on the place along an axis."""

    along: Axis = "x"
    about: Place = None
    length: float | None = None

    def _axes(self, who: str, x: Array) -> int:
        return axis_of(who, self.along, x.shape[1])

    def _length(self, who: str, x: Array, axis: int) -> float:
        """The length between the two ends [m]."""
        if self.length is not None:
            check_positive(who, "length", self.length, "m")
            return float(self.length)
        extent = float(np.ptp(x[:, axis]))
        if not extent > 0.0:
            raise ValueError(
                f"{who}: the points are flat along {self.along}; expected points that extend along it, "
                "or length= [m]"
            )
        return extent


@dataclass(frozen=True, kw_only=True)
class Tapering(_AlongAxis):
    """Thicker at one end than at the other: cross sections have a factor r that is linear along it.

        x = (X, r(X) Y, r(X) Z),     det J = r^2,  in 2D r

    factor [-]: r at the far end over r at the near end, the lowest along the axis. `about` has r = 1.
    length [m]: the far end is so far from `about`; if left out the ends are those of the points.
    Source: [barr1984] 2.
    """

    factor: float = 0.5

    def __call__(self, points: Any) -> Array:
        """Where points (n, d) go [m]."""
        x = points_given("taper", points)
        axis, middle = self._axes("taper", x), middle_of("taper", self.about, x)
        out = middle + self._factors(x, axis, middle)[:, None] * (x - middle)
        out[:, axis] = x[:, axis]
        return np.asarray(out)

    def volume_factors(self, points: Any) -> Array:
        """r^2, in 2D r, (n,)."""
        x = points_given("taper", points)
        r = self._factors(x, self._axes("taper", x), middle_of("taper", self.about, x))
        return np.asarray(r ** (x.shape[1] - 1))

    def _factors(self, x: Array, axis: int, middle: Array) -> Array:
        check_positive("taper", "factor", self.factor, "-")
        length = self._length("taper", x, axis)
        low = x[:, axis].min() if self.length is None else middle[axis]
        rise = (self.factor - 1.0) / length
        here = 1.0 + rise * (middle[axis] - low)
        r = (1.0 + rise * (x[:, axis] - low)) / here
        if not (here > 0.0 and (r > 0.0).all()):
            raise ValueError(
                f"taper: got factor={self.factor:g} over length={length:g} m, which turns cross "
                "sections inside out; expected points and a place `about` within that length"
            )
        return np.asarray(r)


@dataclass(frozen=True, kw_only=True)
class Twisting(_AlongAxis):
    """Turned about an axis, more and more along it: det J = 1.

    degrees: the angle between the two ends; `about` is not turned. length [m]: between the ends; that of
    the points if left out. Source: [barr1984] 2.
    """

    degrees: float = 90.0

    def __call__(self, points: Any) -> Array:
        """Where points (n, 3) go [m]."""
        x = points_given("twist", points)
        if x.shape[1] == 2:
            raise ValueError("a 2D body cannot be twisted; expected bend, taper, stretch or offset")
        axis, about = self._axes("twist", x), middle_of("twist", self.about, x)
        rate = radians_of("twist", self.degrees) / self._length("twist", x, axis)
        angle = rate * (x[:, axis] - about[axis])
        i, j = (axis + 1) % 3, (axis + 2) % 3
        out: Array = x.copy()
        u, v = x[:, i] - about[i], x[:, j] - about[j]
        out[:, i] = about[i] + np.cos(angle) * u - np.sin(angle) * v
        out[:, j] = about[j] + np.sin(angle) * u + np.cos(angle) * v
        return out

    def volume_factors(self, points: Any) -> Array:
        """1 everywhere, (n,)."""
        return np.ones(len(points_given("twist", points)))


@dataclass(frozen=True, kw_only=True)
class Bending(_AlongAxis):
    """Rolled along an arc, the line through `about` unstretched.

        det J = 1 - k y,     y from that line towards the centre of the arc,  k = angle/length

    degrees: the angle between the two ends. length [m]: between the ends; that of the points if left
    out. What is 1/k or more towards the centre would be inside out, and is refused.
    Source: [barr1984] 2.
    """

    degrees: float = 90.0
    towards: Axis = "y"

    def __call__(self, points: Any) -> Array:
        """Where points (n, d) go [m]."""
        x = points_given("bend", points)
        about = middle_of("bend", self.about, x)
        along, towards, rate = self._bend(x)
        if rate == 0.0:
            return np.array(x)
        high = x[:, towards] - about[towards]
        if (rate * high >= 1.0).any():
            farthest = np.abs(high[rate * high > 0.0]).max()
            raise ValueError(
                f"bend: got degrees={self.degrees:g} along {self.along}, an arc of radius "
                f"{abs(1.0 / rate):.3g} m, which folds points that are {farthest:.3g} m towards its "
                "centre; expected fewer degrees, another axis, or another place `about`"
            )
        turn = rate * (x[:, along] - about[along])
        arm = 1.0 / rate - high
        out: Array = x.copy()
        out[:, along] = about[along] + arm * np.sin(turn)
        out[:, towards] = about[towards] + 1.0 / rate - arm * np.cos(turn)
        return out

    def volume_factors(self, points: Any) -> Array:
        """1 - k y, (n,)."""
        x = points_given("bend", points)
        _, towards, rate = self._bend(x)
        about = middle_of("bend", self.about, x)
        return np.asarray(1.0 - rate * (x[:, towards] - about[towards]))

    def _bend(self, x: Array) -> tuple[int, int, float]:
        """Both axes, and how much it turns in a metre [1/m]."""
        along, towards = self._axes("bend", x), axis_of("bend", self.towards, x.shape[1])
        if along == towards:
            raise ValueError(f"got along and towards = {self.along!r}; expected two different axes")
        angle = radians_of("bend", self.degrees)
        return along, towards, angle / self._length("bend", x, along) if angle else 0.0


@dataclass(frozen=True)
class Warping(Deformer):
    """Dragged: what is at a place goes all the way, and what is around it goes less.

        x = X + w(s) by,     w = (1 - s^2)^2 for s = |X - at|/radius below 1,     det J = 1 + grad w . by

    at [m], by [m], radius [m]. It folds, and is refused, where `by` is longer than 0.65 of the radius:
    drag in several steps.
    """

    at: Sequence[float] | Array
    by: Sequence[float] | Array
    radius: float

    def __call__(self, points: Any) -> Array:
        """Where points (n, d) go [m]."""
        x = points_given("warp", points)
        _, by, s = self._shares(x)
        return np.asarray(x + ((1.0 - s**2) ** 2)[:, None] * by)

    def volume_factors(self, points: Any) -> Array:
        """1 + grad w . by, (n,)."""
        x = points_given("warp", points)
        at, by, s = self._shares(x)
        slope = -4.0 * (1.0 - s**2) / self.radius**2
        return np.asarray(1.0 + slope * ((x - at) @ by) * (s < 1.0))

    def _shares(self, x: Array) -> tuple[Array, Array, Array]:
        """`at`, `by`, and how far points are from `at` in radii, at most 1."""
        check_positive("warp", "radius", self.radius, "m")
        at, by = vector_given("warp", "at", self.at, x), vector_given("warp", "by", self.by, x)
        if np.linalg.norm(by) >= STEEPEST * self.radius:
            raise ValueError(
                f"warp: got by={described(list(map(float, by)))} within radius={self.radius:g} m, which "
                f"folds; expected a radius above {np.linalg.norm(by) / STEEPEST:.3g} m, or several "
                "smaller warps"
            )
        return at, by, np.minimum(np.linalg.norm(x - at, axis=1) / self.radius, 1.0)


def stretch(points: Any, factors: Sequence[float], *, about: Place = None) -> Array:
    """Points (n, d) [m], each axis of them with a factor: see `Stretching`."""
    return Stretching(factors, about)(points)


def taper(
    points: Any,
    factor: float,
    *,
    along: Axis = "x",
    about: Place = None,
    length: float | None = None,
) -> Array:
    """Points (n, d) [m], thinner or thicker at the far end: see `Tapering`."""
    return Tapering(factor=factor, along=along, about=about, length=length)(points)


def twist(
    points: Any,
    degrees: float,
    *,
    along: Axis = "x",
    about: Place = None,
    length: float | None = None,
) -> Array:
    """Points (n, 3) [m], turned about an axis more and more along it: see `Twisting`."""
    return Twisting(degrees=degrees, along=along, about=about, length=length)(points)


def bend(
    points: Any,
    degrees: float,
    *,
    along: Axis = "x",
    towards: Axis = "y",
    about: Place = None,
    length: float | None = None,
) -> Array:
    """Points (n, d) [m], rolled along an arc: see `Bending`."""
    return Bending(degrees=degrees, along=along, towards=towards, about=about, length=length)(
        points
    )


def warp(
    points: Any, *, at: Sequence[float] | Array, by: Sequence[float] | Array, radius: float
) -> Array:
    """Points (n, d) [m], dragged around a place: see `Warping`."""
    return Warping(at, by, radius)(points)
