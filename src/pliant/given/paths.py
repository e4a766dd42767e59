"""Values as users give them: one per point, or over time as constants, functions or keyframes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pliant.errors import LARGEST, shown, usable

from .values import asked, dimensions, floats, floats_or_nan


def over_time(value: Any, shape: tuple[int, ...], *, what: str) -> Callable[[float], np.ndarray]:
    """Turn a constant, a function of time or (times, values) into a checked function of time.

    The result has `shape`, or broadcasts to it. Keyframes are interpolated linearly and held before
    the first and after the last.
    """
    if callable(value):

        def call(time: float) -> np.ndarray:
            refusal = f"{what}: got {shown(value)}; expected a function of the time in seconds"
            return _checked(asked(value, time, refusal=refusal), shape, f"{what} at t = {time:g} s")

        call(0.0)
        return call
    if (
        isinstance(value, tuple)
        and len(value) == 2
        and dimensions(value[0]) == 1
        and dimensions(value[1]) == len(shape) + 1
    ):
        return _keyframes(value, shape, what)
    constant = _checked(value, shape, what)
    return lambda time: constant


def steady(value: Any, shape: tuple[int, ...], *, what: str) -> np.ndarray:
    """A new array of numbers that do not change in time. A single number is broadcast."""
    if callable(value):
        raise ValueError(f"{what}: got a function; expected numbers: it does not change in time")
    return np.array(np.broadcast_to(_checked(value, shape, what, also=""), shape))


def one_each(value: Any, shape: tuple[int, ...], *, what: str) -> np.ndarray:
    """A new array of finite numbers of exactly this shape, one row per point."""
    try:
        array = floats(value)
    except (TypeError, ValueError):
        raise ValueError(
            f"{what}: got {type(value).__name__}; expected numbers of shape {shape}"
        ) from None
    if array.shape != shape:
        raise ValueError(f"{what}: got shape {array.shape}; expected {shape}")
    bad = np.flatnonzero(~np.isfinite(array.reshape(len(array), -1)).all(axis=1))
    if len(bad):
        raise ValueError(f"{what}: got a position that is not finite at points {bad[:10]}")
    if not usable(array):
        raise ValueError(f"{what}: got a position beyond {LARGEST:g} m; expected metres")
    return array


def _keyframes(
    value: tuple[Any, Any], shape: tuple[int, ...], what: str
) -> Callable[[float], np.ndarray]:
    try:
        times, keys = floats(value[0]), floats(value[1])
    except ValueError:
        raise ValueError(f"{what}: got keys {shown(value)}; expected (times, values)") from None
    if not usable(times):
        raise ValueError(f"{what}: got a time that is not finite; expected seconds, increasing")
    if len(times) != len(keys) or len(times) == 0 or not (np.diff(times) > 0).all():
        raise ValueError(
            f"{what}: got {len(times)} times and {len(keys)} keys; expected as many of both, times "
            "increasing: (times (k,), values (k, ...))"
        )
    for i, key in enumerate(keys):
        _checked(key, shape, f"{what}, key {i}")

    return lambda time: interpolated(times, keys, time)


def interpolated(
    times: np.ndarray, keys: np.ndarray, time: float, *, smooth: bool = False
) -> np.ndarray:
    """Keys (k, ...) of some times (k,) at another one, held before the first and after the last.

    smooth: every key is left and reached with no speed; otherwise the speed between two is constant.
    """
    if len(times) == 1:
        return np.asarray(keys[0])
    i = int(np.clip(np.searchsorted(times, time) - 1, 0, len(times) - 2))
    share = np.clip((time - times[i]) / (times[i + 1] - times[i]), 0.0, 1.0)
    if smooth:
        share = share**2 * (3.0 - 2.0 * share)
    return np.asarray((1.0 - share) * keys[i] + share * keys[i + 1])


def gravity_of(value: Any, dim: int) -> np.ndarray:
    """Gravity [m/s^2] as an array (d,); None is no gravity. In 2D a third number may be zero."""
    g = np.zeros(dim) if value is None else floats_or_nan(value)
    if g.shape == (3,) and dim == 2 and g[2] == 0.0:
        g = g[:2]
    if g.shape != (dim,) or not usable(g):
        raise ValueError(
            f"gravity: got {shown(value)}; expected {dim} numbers, e.g. "
            f"gravity={(0, -9.81, 0)[:dim]}"
        )
    return g


def _checked(
    value: Any,
    shape: tuple[int, ...],
    what: str,
    also: str = ", a function of time, or a tuple (times, values)",
) -> np.ndarray:
    try:
        array = floats(value)
    except (TypeError, ValueError):
        raise ValueError(
            f"{what}: got {shown(value)}; expected numbers of shape {shape}{also}"
        ) from None
    if not np.isfinite(array).all():
        raise ValueError(f"{what}: got a value that is not finite; expected finite numbers")
    if not usable(array):
        raise ValueError(f"{what}: got a value beyond {LARGEST:g}; expected smaller numbers")
    try:
        fits = np.broadcast_shapes(array.shape, shape) == shape
    except (ValueError, RuntimeError):  # more than 32 dimensions
        fits = False
    if not fits:
        raise ValueError(
            f"{what}: got shape {array.shape}; expected {shape} or what broadcasts to it"
        )
    return array
