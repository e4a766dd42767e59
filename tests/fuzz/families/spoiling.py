"""Ways to spoil a sound argument."""

from __future__ import annotations

import decimal
import fractions
import random
from typing import Any

import numpy as np

import pliant as pl

from .. import nasty
from .arguments import solid

#: Counts of more than a few and less than this would be long, not wrong.
ABSURD = 10**9
COUNTED = ("cells", "rings", "rows", "bottom", "times", "iterations", "substeps", "clusters")


def spoilt(rng: random.Random, value: Any, parameter: str) -> Any:
    """A value that may be wrong: the sound one changed, or something else altogether."""
    found = _changed(rng, value) if rng.random() < 0.55 else _else(rng)
    return _affordable(found, parameter)


def _changed(rng: random.Random, value: Any) -> Any:
    if isinstance(value, (bool, str)) or value is None:
        return rng.choice((None, "", "x", str(value).upper(), not value, nasty.text(rng), 0, b"x"))
    if isinstance(value, (int, float)):
        return rng.choice((-value, 0, value * 1e300, value * 1e-300, np.nan, np.inf, str(value),
        [value], np.array([value]),
                           np.array(value), np.float32(value), complex(value, 1), value + 0.5,
                           (value, value), 10**400,
                           fractions.Fraction(1, 3), decimal.Decimal("1.5"), True, None,
                           np.array([[value]]), 10**18))  # fmt: skip
    if isinstance(value, dict):
        key = next(iter(value))
        return rng.choice(({}, {key: None}, {key: []}, {1: value[key]}, {key: [[0, 1]]},
        {key: "x"}, list(value), {key: 3.0}, ((key, [0]),),
                           {key: np.array([-1, 10**9])}, {key: [0.5]}, {"../x": value[key]},
                           {"": value[key]}))  # fmt: skip
    try:
        array = np.array(value, dtype=float)
    except (TypeError, ValueError):
        return _else(rng)
    return _changed_array(rng, array)


def _changed_array(rng: random.Random, array: np.ndarray) -> Any:
    if not array.size or not array.ndim:
        return _else(rng)
    one = array.copy()
    one.reshape(-1)[rng.randrange(one.size)] = rng.choice(
        (np.nan, np.inf, -1.0, 1e300, 1e18, 0.5, 7.0, -0.0)
    )
    return rng.choice((
        one, one, one, one, one.tolist(), array[:-1], array[:0], array.T, array[None],
        array.ravel(), array.astype(str), array.astype(object),
        array.astype(complex), array.astype(int), -array, array * 1e300, array * 0,
        array * np.nan, array.tolist()[:1] + ["x"], array.astype(np.float16),
        array.astype(bool), array[::-1], np.concatenate([array, array]), array[..., :1],
        iter(array.tolist()), np.ma.masked_array(array, array > 0.5),
        [[1, 2], [3]], lambda t: array, lambda t: array * np.nan, lambda t: "x", lambda t: None,
        (np.array([0.0, 1.0]), np.stack([array, array])),
        (np.array([1.0, 0.0]), np.stack([array, array])), (np.array([0.0, np.nan]),
        np.stack([array, array])), (np.array([0.0]), array),
    ))  # fmt: skip


def _else(rng: random.Random) -> Any:
    kind = rng.random()
    if kind < 0.4:
        return nasty.value(rng)
    return rng.choice((
        None, True, (), [], {}, set(), object(), int, len, "x", b"bytes", np.nan, 1j, range(3),
        np.zeros(0), np.zeros((0, 3)), np.zeros((3, 0)),
        np.array(None), np.array("x"), np.array(["a", "b"]), np.datetime64("2020"), np.zeros((2,
        2, 2, 2)), np.broadcast_to(1.0, (10**6, 3)),
        iter([1]), slice(None), Ellipsis, lambda *a: np.nan, lambda *a: None, np.float64("nan"),
        np.int8(-1), np.uint64(2**64 - 1),
        [None] * 3, [[]], [[[]]], ["x"] * 3, (1, (2, 3)), memoryview(b"abc"), solid(),
        pl.Settle(1.0), pl.Sphere((0, 0, 0), 1.0), pl.Implicit(),
    ))  # fmt: skip


def _affordable(value: Any, parameter: str) -> Any:
    """The value, unless it is a count that means a long simulation."""
    if parameter not in COUNTED:
        return value
    try:
        counts = np.array(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        return value
    most = 2 if parameter == "times" else 7  # each refinement makes eight cells of one
    return most if ((counts > most) & (counts < ABSURD)).any() else value
