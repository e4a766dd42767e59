"""Knots, parameters and control points of one direction of a spline: checks and algebra."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import BSpline as Basis

from pliant.errors import described, is_whole, shown
from pliant.given import floats_or_nan

Array = np.ndarray


def accept_controls(who: str, points: Any, *, least: int, axes: int = 1) -> Array:
    """Control points [m] as an array (n, d), of surfaces (n, m, d), of 2 or 3 coordinates."""
    array = floats_or_nan(points)
    if array.ndim != axes + 1 or array.shape[-1] not in (2, 3) or min(array.shape[:-1]) < least:
        shape = "(n, d)" if axes == 1 else "(n, m, d)"
        raise ValueError(
            f"{who}: got points {described(points)}; expected shape {shape} [m], at least {least} of "
            "them in a row, with 2 or 3 coordinates"
        )
    if not np.isfinite(array).all():
        raise ValueError(f"{who}: got points that are not finite; expected metres")
    return array


def accept_degree(who: str, degree: Any, count: int) -> int:
    """The degree of a spline of so many control points."""
    if not (is_whole(degree) and 1 <= degree < count):
        raise ValueError(
            f"{who}: got degree={shown(degree)} for {count} control points; expected a whole number "
            f"from 1 to {count - 1}"
        )
    return int(degree)


def accept_weights(who: str, weights: Any, shape: tuple[int, ...]) -> Array:
    """The weights of control points, all above zero."""
    array = floats_or_nan(weights)
    if array.shape != shape:
        raise ValueError(
            f"{who}: got weights {described(weights)}; expected one for each point, {shape}"
        )
    wrong = np.argwhere(~((array > 0.0) & np.isfinite(array)))
    if len(wrong):
        place = tuple(int(i) for i in wrong[0])
        where = place[0] if len(place) == 1 else place
        raise ValueError(
            f"{who}: got weight {array[place]:g} of point {where}; expected weights above 0: a weight "
            "of 1 everywhere is a curve without weights"
        )
    return array


def clamped(count: int, degree: int) -> Array:
    """Knots of a spline that begins and ends at control points: even between 0 and 1."""
    inner = np.linspace(0.0, 1.0, count - degree + 1)
    return np.concatenate([np.zeros(degree), inner, np.ones(degree)])


def accept_knots(who: str, knots: Any, count: int, degree: int) -> Array:
    """Knots that rise, as many as control points and degree need."""
    array = floats_or_nan(knots)
    need = count + degree + 1
    if array.shape != (need,) or not np.isfinite(array).all():
        raise ValueError(
            f"{who}: got knots {described(knots)}; expected {need} finite numbers: {count} points and "
            f"degree {degree} and one"
        )
    falls = np.flatnonzero(np.diff(array) < 0.0)
    if len(falls):
        i = int(falls[0])
        raise ValueError(
            f"{who}: got knots that fall from {array[i]:g} to {array[i + 1]:g}, which is number "
            f"{i + 2} of {need}; expected knots that rise or stay, as in np.sort(knots)"
        )
    if not array[degree] < array[-degree - 1]:
        raise ValueError(
            f"{who}: got knots that are all {array[degree]:g} where the curve should be; expected them "
            "to rise, as in pl.shape.BSpline(points, degree=3) without knots"
        )
    inner, times = np.unique(array[degree + 1 : -degree - 1], return_counts=True)
    if len(times) and times.max() > degree:
        raise ValueError(
            f"{who}: got the knot {inner[times.argmax()]:g} {times.max()} times; expected at most "
            f"{degree} times, or the curve is torn"
        )
    return array


def parameters(who: str, t: Any, domain: tuple[float, float]) -> Array:
    """Parameters within the domain, of any shape."""
    array = floats_or_nan(t)
    low, high = domain
    if not ((array >= low) & (array <= high)).all():
        raise ValueError(
            f"{who}: got t = {described(t)}; expected numbers from {low:g} to {high:g}"
        )
    return array


def inside(who: str, t: Any, domain: tuple[float, float]) -> float:
    """One parameter between the ends."""
    array = floats_or_nan(t)
    low, high = domain
    if array.shape != () or not low < array < high:
        raise ValueError(
            f"{who}: got t = {described(t)}; expected one number between {low:g} and {high:g}"
        )
    return float(array)


def evaluated(controls: Array, knots: Array, degree: int, t: Array) -> Array:
    """The spline at t (...), (..., k), of controls (n, k)."""
    out = Basis.construct_fast(knots, np.ascontiguousarray(controls), degree)(t.ravel())
    return np.asarray(out).reshape(*t.shape, controls.shape[1])


def weights_at(knots: Array, degree: int, t: Array) -> Any:
    """The weight of every control point at t (k,): a sparse matrix (k, n) whose rows sum to 1."""
    return Basis.design_matrix(t, knots, degree)


def derived(controls: Array, knots: Array, degree: int) -> tuple[Array, Array, int]:
    """Controls, knots and degree of the derivative.

    Q_i = p (P_{i+1} - P_i)/(t_{i+p+1} - t_{i+1}). Source: [piegl1997] (3.4).
    """
    if degree == 0:
        return 0.0 * controls, knots, 0
    gap = knots[degree + 1 : -1] - knots[1 : -degree - 1]
    slopes = degree * np.diff(controls, axis=0) / np.where(gap > 0.0, gap, 1.0)[:, None]
    return slopes, knots[1:-1], degree - 1


def divided(
    controls: Array, knots: Array, degree: int, t: float
) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Controls and knots of what is before t, and of what comes after it.

    t becomes a knot of multiplicity `degree`, where the curve runs through a control point.
    Source: [piegl1997] 5.2.
    """
    missing = degree - int((knots == t).sum())
    whole = Basis(knots, controls, degree)
    if missing > 0:
        whole = whole.insert_knot(t, missing)
    first = int(np.flatnonzero(whole.t == t)[0])
    before = whole.c[:first], np.append(whole.t[: first + degree], t)
    after = whole.c[first - 1 :], np.append(t, whole.t[first:])
    return before, after


def elevated(controls: Array, knots: Array, degree: int) -> tuple[Array, Array]:
    """Controls and knots of the same curve with one degree more.

    Every knot is there once more. Splines of that degree and these knots contain the curve, so the one
    that meets it at their Greville points is the curve itself.
    """
    ours = knots[degree:-degree] if degree else knots
    distinct, times = np.unique(ours, return_counts=True)
    times[0], times[-1] = degree + 1, degree + 1
    more = np.repeat(distinct, times + 1)
    count = len(more) - degree - 2
    sums = np.cumsum(np.append(0.0, more))
    places = (sums[degree + 2 : degree + 2 + count] - sums[1 : 1 + count]) / (degree + 1)
    places = np.clip(places, distinct[0], distinct[-1])
    there = evaluated(controls, knots, degree, places)
    matrix = weights_at(more, degree + 1, places).toarray()
    return np.linalg.solve(matrix, there), more
