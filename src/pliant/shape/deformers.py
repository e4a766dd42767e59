"""Stretch, taper, twist, bend and warp: maps of space, and how much each changes volumes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from pliant.errors import check_positive, described, is_finite, shown
from pliant.given import floats_or_nan

Array = np.ndarray
Axis = Literal["x", "y", "z"]
Place = Sequence[float] | Array | None
AXES = ("x", "y", "z")
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
        x = _points("stretch", points)
        middle = _middle("stretch", self.about, x)
        return np.asarray(middle + self._of(x) * (x - middle))

    def volume_factors(self, points: Any) -> Array:
        """det J, the same at all points, (n,)."""
        x = _points("stretch", points)
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
        x = _points("taper", points)
        axis, middle = self._axes("taper", x), _middle("taper", self.about, x)
        out = middle + self._factors(x, axis, middle)[:, None] * (x - middle)
        out[:, axis] = x[:, axis]
        return np.asarray(out)

    def volume_factors(self, points: Any) -> Array:
        """r^2, in 2D r, (n,)."""
        x = _points("taper", points)
        r = self._factors(x, self._axes("taper", x), _middle("taper", self.about, x))
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
        x = _points("twist", points)
        if x.shape[1] == 2:
            raise ValueError("a 2D body cannot be twisted; expected bend, taper, stretch or offset")
        axis, about = self._axes("twist", x), _middle("twist", self.about, x)
        rate = _radians("twist", self.degrees) / self._length("twist", x, axis)
        angle = rate * (x[:, axis] - about[axis])
        i, j = (axis + 1) % 3, (axis + 2) % 3
        out: Array = x.copy()
        u, v = x[:, i] - about[i], x[:, j] - about[j]
        out[:, i] = about[i] + np.cos(angle) * u - np.sin(angle) * v
        out[:, j] = about[j] + np.sin(angle) * u + np.cos(angle) * v
        return out

    def volume_factors(self, points: Any) -> Array:
        """1 everywhere, (n,)."""
        return np.ones(len(_points("twist", points)))


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
        x = _points("bend", points)
        about = _middle("bend", self.about, x)
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
        x = _points("bend", points)
        _, towards, rate = self._bend(x)
        about = _middle("bend", self.about, x)
        return np.asarray(1.0 - rate * (x[:, towards] - about[towards]))

    def _bend(self, x: Array) -> tuple[int, int, float]:
        """Both axes, and how much it turns in a metre [1/m]."""
        along, towards = self._axes("bend", x), axis_of("bend", self.towards, x.shape[1])
        if along == towards:
            raise ValueError(f"got along and towards = {self.along!r}; expected two different axes")
        angle = _radians("bend", self.degrees)
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
        x = _points("warp", points)
        _, by, s = self._shares(x)
        return np.asarray(x + ((1.0 - s**2) ** 2)[:, None] * by)

    def volume_factors(self, points: Any) -> Array:
        """1 + grad w . by, (n,)."""
        x = _points("warp", points)
        at, by, s = self._shares(x)
        slope = -4.0 * (1.0 - s**2) / self.radius**2
        return np.asarray(1.0 + slope * ((x - at) @ by) * (s < 1.0))

    def _shares(self, x: Array) -> tuple[Array, Array, Array]:
        """`at`, `by`, and how far points are from `at` in radii, at most 1."""
        check_positive("warp", "radius", self.radius, "m")
        at, by = _vector("warp", "at", self.at, x), _vector("warp", "by", self.by, x)
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


def axis_of(who: str, name: Any, dim: int) -> int:
    """The number of an axis by its name."""
    if name not in AXES:
        raise ValueError(f"{who}: got the axis {shown(name)}; expected x, y or z")
    axis = AXES.index(name)
    if axis >= dim:
        raise ValueError(f"got the axis {name!r}; the body is 2D: expected x or y")
    return axis


def _points(who: str, given: Any) -> Array:
    x = floats_or_nan(given)
    if x.ndim != 2 or x.shape[1] not in (2, 3) or not len(x) or not np.isfinite(x).all():
        raise ValueError(
            f"{who}: got points {described(given)}; expected finite numbers of shape (n, 2) "
            "or (n, 3) [m]"
        )
    return x


def _middle(who: str, about: Any, x: Array) -> Array:
    if about is None:
        return np.asarray(0.5 * (x.min(axis=0) + x.max(axis=0)))
    return _vector(who, "about", about, x)


def _vector(who: str, what: str, given: Any, x: Array) -> Array:
    found = floats_or_nan(given)
    if found.shape != x.shape[1:] or not np.isfinite(found).all():
        raise ValueError(
            f"{who}: got {what}={described(given)}; expected {x.shape[1]} finite numbers [m]"
        )
    return found


def _radians(who: str, degrees: Any) -> float:
    if not is_finite(degrees):
        raise ValueError(f"{who}: got degrees={shown(degrees)}; expected a finite angle [degrees]")
    return float(np.radians(degrees))
