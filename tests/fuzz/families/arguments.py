"""Sound arguments by the name of their parameter, and ways to spoil them."""

from __future__ import annotations

import decimal
import fractions
import random
from collections.abc import Callable
from typing import Any

import numpy as np

import pliant as pl

from .. import nasty
from .mesh_seeds import POINTS, TETS, TRIANGLES

#: Counts of more than a few and less than this would be long, not wrong.
ABSURD = 10**9
COUNTED = ("cells", "rings", "rows", "bottom", "times", "iterations", "substeps", "clusters")


def solid() -> pl.Mesh:
    """Five tetrahedra with a group."""
    return pl.Mesh(POINTS, {"tet": TETS}, groups={"end": [0, 1]})


def sheet() -> pl.Mesh:
    """Eight triangles in space."""
    flat = pl.meshes.rectangle((1, 1), (2, 2))
    return pl.Mesh(np.insert(flat.points, 1, 0.0, axis=1), flat.cells)


def lines() -> pl.Mesh:
    """Two rods of two lines, apart."""
    x = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 5, 0], [1, 5, 0], [2, 5, 0]])
    return pl.Mesh(x, {"line": [[0, 1], [1, 2], [3, 4], [4, 5]]})


def curve() -> pl.Mesh:
    """A line of four pieces."""
    x = np.stack([np.linspace(0, 1, 5), np.zeros(5), np.zeros(5)], axis=1)
    return pl.Mesh(x, {"line": [[i, i + 1] for i in range(4)]})


def body() -> pl.Body:
    """A block held at one side."""
    made = pl.Body(solid(), pl.StableNeoHookean(young=1e5, poisson=0.3))
    made.fix(made.mesh.points[:, 0] < 0.5)
    return made


def scene() -> pl.Scene:
    """A block that falls and is to rest."""
    one = body()
    one.damping = pl.Settle(0.3)
    return pl.Scene([one], gravity=(0, -9.81, 0))


def circle() -> np.ndarray:
    """A contour of eight points."""
    turn = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    return np.stack([10 + 5 * np.cos(turn), 10 + 5 * np.sin(turn)], axis=1)


def picture() -> np.ndarray:
    """A bright square."""
    made = np.zeros((20, 20))
    made[5:15, 5:15] = 1.0
    return made


MESHES: dict[str, Callable[[], pl.Mesh]] = {
    "Cloth": sheet, "Shell": sheet, "FormSurface": sheet, "FormCurve": curve, "ImpactRods": lines,
}  # fmt: skip
SOUND: dict[str, Callable[[], Any]] = {
    "mesh": solid, "material": lambda: pl.StableNeoHookean(young=1e5, poisson=0.3), "density": lambda: 1000.0,
    "thickness": lambda: 0.01, "damping": lambda: pl.Settle(0.3), "name": lambda: "it", "stretch": lambda: 100.0,
    "shear": lambda: 10.0, "bend": lambda: 1e-3, "rest_stretch": lambda: (1.0, 1.0), "rate": lambda: 0.1,
    "young": lambda: 1e5, "poisson": lambda: 0.3, "samples": curve, "support": lambda: 0.9, "up": lambda: (0.0, 1.0, 0.0),
    "examples": lambda: [POINTS * [1.0, 1.2, 1.0]], "strength": lambda: 5.0, "bounds": lambda: (0.0, 1.0),
    "fibre": lambda: 1e4, "direction": lambda: (1.0, 0.0, 0.0), "metric": lambda: 100.0, "curvature": lambda: 1.0,
    "torsion": lambda: 0.0, "point": lambda: (0.0, -3.0, 0.0), "normal": lambda: (0.0, 1.0, 0.0), "margin": lambda: 0.01,
    "friction": lambda: 0.2, "a": lambda: (0.0, -3.0, 0.0), "b": lambda: (1.0, -3.0, 0.0), "radius": lambda: 0.1,
    "centre": lambda: (0.0, -3.0, 0.0), "gamma": lambda: 0.3, "iterations": lambda: 5, "substeps": lambda: 2,
    "tolerance": lambda: 1e-3, "relaxation": lambda: 1.1, "beta": lambda: 0.25, "points": lambda: POINTS,
    "groups": lambda: {"end": [0, 1]}, "repair": lambda: True, "curve": lambda: curve().points,
    "mass": lambda: 1.0, "stiffness": lambda: 50.0, "distance": lambda: 10.0, "area": lambda: 5.0, "volume": lambda: 5.0,
    "rest_in": lambda: 0.3, "bounces": lambda: 1, "within": lambda: 0.01, "contour": circle, "picture": picture,
    "phi": lambda: 10.0, "psi": lambda: 10.0, "velocity": lambda: (0.0, 1.0, 0.0), "faces": lambda: TRIANGLES,
    "sizes": lambda: np.full(12, 3), "corners": lambda: TRIANGLES.ravel(), "bodies": lambda: [body()],
    "gravity": lambda: (0.0, -9.81, 0.0), "seconds": lambda: 0.03, "dt": lambda: 0.01, "fps": lambda: 100.0, "device": lambda: "cpu",
    "where": lambda: [0, 1], "path": lambda: (np.array([0.0, 1.0]), np.zeros((2, 2, 3))), "positions": lambda: POINTS * 1.1,
    "force": lambda: (0.0, 1.0, 0.0), "on": lambda: [0, 1, 2, 3], "surface": lambda: pl.Surface.of(POINTS, TRIANGLES),
    "size": lambda: (1.0, 1.0, 1.0), "origin": lambda: (0.0, 0.0, 0.0), "height": lambda: 1.0, "inner": lambda: 1.0,
    "outer": lambda: 2.0, "rings": lambda: 2, "rows": lambda: 2, "bottom": lambda: 3, "edge": lambda: 0.5, "times": lambda: 1,
    "kind": lambda: "tet", "tau": lambda: 0.5, "kappa": lambda: 0.1, "stepper": lambda: pl.Implicit(), "body": lambda: "body",
    "period": lambda: 0.2, "scene": scene, "edge_length": lambda: 0.8, "scale": lambda: 0.5, "factor": lambda: 2.0, "to": lambda: (1.0, 1.0, 1.0),
    "load": lambda: None, "obstacles": lambda: pl.Sphere((0, -5, 0), 1.0), "value": lambda: (0.0, -1.0, 0.0), "steps": lambda: 1,
}  # fmt: skip
#: Where one name means another thing.
SPECIAL: dict[tuple[str, str], Callable[[], Any]] = {
    ("Mesh", "cells"): lambda: {"tet": TETS}, ("annulus", "cells"): lambda: (6, 1), ("rectangle", "cells"): lambda: (2, 2),
    ("box", "cells"): lambda: (2, 1, 1), ("cylinder", "cells"): lambda: (1, 2), ("sphere", "cells"): lambda: 1,
    ("rectangle", "size"): lambda: (1.0, 1.0), ("rectangle", "origin"): lambda: (0.0, 0.0), ("Rod", "radius"): lambda: 0.01,
    ("Elastons", "thickness"): lambda: (0.1, 0.1), ("Body", "thickness"): lambda: 1.0, ("ExampleBased", "thickness"): lambda: 1.0,
    ("Snake", "pressure"): lambda: 0.1, ("Rayleigh", "stiffness"): lambda: 0.01, ("Elastons", "volume"): lambda: None,
    ("annulus", "kind"): lambda: "tri", ("rectangle", "kind"): lambda: "tri", ("disk", "kind"): lambda: "tri", ("trapezoid", "kind"): lambda: "tri",
    ("ImpactRods", "area"): lambda: None, ("Rod", "height"): lambda: None, ("Engine.grab", "body"): lambda: 0,
    ("Engine.grab", "point"): lambda: (1.0, 1.0, 1.0), ("tetrahedralise", "within"): lambda: 0.2, ("Settle.report", "body"): body,
    ("FibreReinforced", "young"): lambda: 1e5, ("push", "volume"): lambda: None, ("Engine.settle", "damping"): lambda: pl.Settle(0.4),
    ("Engine.gravity", "value"): lambda: (0.0, -1.0, 0.0), ("release", "where"): lambda: [0],
}  # fmt: skip


def sound(owner: str, parameter: str) -> Any:
    """A value that a parameter of a function or class takes; KeyError if none is known."""
    if (owner, parameter) in SPECIAL:
        return SPECIAL[owner, parameter]()
    if parameter == "mesh" and owner in MESHES:
        return MESHES[owner]()
    return SOUND[parameter]()


def spoilt(rng: random.Random, value: Any, parameter: str) -> Any:
    """A value that may be wrong: the sound one changed, or something else altogether."""
    found = _changed(rng, value) if rng.random() < 0.55 else _else(rng)
    return _affordable(found, parameter)


def _changed(rng: random.Random, value: Any) -> Any:
    if isinstance(value, (bool, str)) or value is None:
        return rng.choice((None, "", "x", str(value).upper(), not value, nasty.text(rng), 0, b"x"))
    if isinstance(value, (int, float)):
        return rng.choice((-value, 0, value * 1e300, value * 1e-300, np.nan, np.inf, str(value), [value], np.array([value]),
                           np.array(value), np.float32(value), complex(value, 1), value + 0.5, (value, value), 10**400,
                           fractions.Fraction(1, 3), decimal.Decimal("1.5"), True, None, np.array([[value]]), 10**18))  # fmt: skip
    if isinstance(value, dict):
        key = next(iter(value))
        return rng.choice(({}, {key: None}, {key: []}, {1: value[key]}, {key: [[0, 1]]}, {key: "x"}, list(value), {key: 3.0}, ((key, [0]),),
                           {key: np.array([-1, 10**9])}, {key: [0.5]}, {"../x": value[key]}, {"": value[key]}))  # fmt: skip
    try:
        array = np.array(value, dtype=float)
    except (TypeError, ValueError):
        return _else(rng)
    return _changed_array(rng, array)


def _changed_array(rng: random.Random, array: np.ndarray) -> Any:
    if not array.size or not array.ndim:
        return _else(rng)
    one = array.copy()
    one.reshape(-1)[rng.randrange(one.size)] = rng.choice((np.nan, np.inf, -1.0, 1e300, 1e18, 0.5, 7.0, -0.0))
    return rng.choice((
        one, one, one, one, one.tolist(), array[:-1], array[:0], array.T, array[None], array.ravel(), array.astype(str), array.astype(object),
        array.astype(complex), array.astype(int), -array, array * 1e300, array * 0, array * np.nan, array.tolist()[:1] + ["x"], array.astype(np.float16),
        array.astype(bool), array[::-1], np.concatenate([array, array]), array[..., :1], iter(array.tolist()), np.ma.masked_array(array, array > 0.5),
        [[1, 2], [3]], lambda t: array, lambda t: array * np.nan, lambda t: "x", lambda t: None, (np.array([0.0, 1.0]), np.stack([array, array])),
        (np.array([1.0, 0.0]), np.stack([array, array])), (np.array([0.0, np.nan]), np.stack([array, array])), (np.array([0.0]), array),
    ))  # fmt: skip


def _else(rng: random.Random) -> Any:
    kind = rng.random()
    if kind < 0.4:
        return nasty.value(rng)
    return rng.choice((
        None, True, (), [], {}, set(), object(), int, len, "x", b"bytes", np.nan, 1j, range(3), np.zeros(0), np.zeros((0, 3)), np.zeros((3, 0)),
        np.array(None), np.array("x"), np.array(["a", "b"]), np.datetime64("2020"), np.zeros((2, 2, 2, 2)), np.broadcast_to(1.0, (10**6, 3)),
        iter([1]), slice(None), Ellipsis, lambda *a: np.nan, lambda *a: None, np.float64("nan"), np.int8(-1), np.uint64(2**64 - 1),
        [None] * 3, [[]], [[[]]], ["x"] * 3, (1, (2, 3)), memoryview(b"abc"), solid(), pl.Settle(1.0), pl.Sphere((0, 0, 0), 1.0), pl.Implicit(),
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
