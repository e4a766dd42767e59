"""What shapes are given: points, places, axes and angles, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.errors import described, is_finite, shown
from pliant.given import floats_or_nan

Array = np.ndarray
AXES = ("x", "y", "z")
#: What points are, in messages.
POINTS = "of shape (n, 2) or (n, 3) [m]"


def axis_of(who: str, name: Any, dim: int) -> int:
    """The number of an axis by its name."""
    if name not in AXES:
        raise ValueError(f"{who}: got the axis {shown(name)}; expected x, y or z")
    axis = AXES.index(name)
    if axis >= dim:
        raise ValueError(f"got the axis {name!r}; the body is 2D: expected x or y")
    return axis


def points_given(who: str, given: Any, *, expected: str = "finite numbers") -> Array:
    """Points [m], (n, d); expected: what else a message says could have been given."""
    x = floats_or_nan(given)
    if x.ndim != 2 or x.shape[1] not in (2, 3) or not len(x) or not np.isfinite(x).all():
        raise ValueError(f"{who}: got points {described(given)}; expected {expected} {POINTS}")
    return x


def middle_of(who: str, about: Any, x: Array) -> Array:
    """A place [m], (d,): the middle of the points x if none is given."""
    if about is None:
        return np.asarray(0.5 * (x.min(axis=0) + x.max(axis=0)))
    return vector_given(who, "about", about, x)


def vector_given(who: str, what: str, given: Any, x: Array) -> Array:
    """A place or an offset [m], (d,), for points x."""
    found = floats_or_nan(given)
    if found.shape != x.shape[1:] or not np.isfinite(found).all():
        raise ValueError(
            f"{who}: got {what}={described(given)}; expected {x.shape[1]} finite numbers [m]"
        )
    return found


def radians_of(who: str, degrees: Any) -> float:
    """An angle in radians."""
    if not is_finite(degrees):
        raise ValueError(f"{who}: got degrees={shown(degrees)}; expected a finite angle [degrees]")
    return float(np.radians(degrees))
