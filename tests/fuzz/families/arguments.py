"""Sound arguments by the name of their parameter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any

import numpy as np

import pliant as pl
from pliant.scenefile import parse

from .mesh_seeds import POINTS, TETS, TRIANGLES


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


def free_block() -> pl.Body:
    """A block of enough cells for few coordinates."""
    mesh = pl.meshes.box((2, 1, 1), (4, 2, 2))
    return pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3))


def held_block() -> pl.Body:
    """The same, held at one end."""
    block = free_block()
    block.fix(block.mesh.points[:, 0] < 1e-9)
    return block


@cache
def table() -> pl.Responses:
    """A small table of responses."""
    push = pl.Excite(on=[9], force=(0.0, 1.0, 0.0), seconds=0.02)
    how = {"seconds": 0.2, "dt": 0.01, "each": 0.05, "progress": False}
    return pl.Responses.record(pl.Scene(pl.Modal(held_block(), modes=4)), [push], **how)


def scene() -> pl.Scene:
    """A block that falls and is to rest."""
    one = body()
    one.damping = pl.Settle(0.3)
    return pl.Scene([one], gravity=(0, -9.81, 0))


def stiff_scene(young: float) -> pl.Scene:
    """A held block of some stiffness."""
    made = pl.Body(solid(), pl.StableNeoHookean(young=young, poisson=0.3))
    made.fix(made.mesh.points[:, 0] < 0.5)
    return pl.Scene([made], gravity=(0, -9.81, 0))


@cache
def settled() -> pl.Take:
    """A block that comes to rest."""
    one = body()
    one.damping = pl.Settle(0.3)
    one.place(one.mesh.points * [1.0, 1.1, 1.0])
    return pl.Scene([one]).run(seconds=0.4, dt=0.02, progress=False)


#: A short scene file.
SCENE = """
[run]
seconds = 0.1
[body.block]
mesh = { box = { size = [1, 1, 1], cells = [2, 1, 1] } }
material = { young = 1e6, poisson = 0.3 }
fix = "x < 0.01"
"""


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
    "mesh": solid, "material": lambda: pl.StableNeoHookean(young=1e5, poisson=0.3),
    "density": lambda: 1000.0,
    "thickness": lambda: 0.01, "damping": lambda: pl.Settle(0.3), "name": lambda: "it",
    "stretch": lambda: 100.0,
    "shear": lambda: 10.0, "bend": lambda: 1e-3, "rest_stretch": lambda: (1.0, 1.0),
    "rate": lambda: 0.1,
    "young": lambda: 1e5, "poisson": lambda: 0.3, "samples": curve, "support": lambda: 0.9,
    "up": lambda: (0.0, 1.0, 0.0),
    "examples": lambda: [POINTS * [1.0, 1.2, 1.0]], "strength": lambda: 5.0,
    "bounds": lambda: (0.0, 1.0),
    "fibre": lambda: 1e4, "direction": lambda: (1.0, 0.0, 0.0), "metric": lambda: 100.0,
    "curvature": lambda: 1.0,
    "torsion": lambda: 0.0, "point": lambda: (0.0, -3.0, 0.0), "normal": lambda: (0.0, 1.0, 0.0),
    "margin": lambda: 0.01,
    "friction": lambda: 0.2, "a": lambda: (0.0, -3.0, 0.0), "b": lambda: (1.0, -3.0, 0.0),
    "radius": lambda: 0.1,
    "centre": lambda: (0.0, -3.0, 0.0), "gamma": lambda: 0.3, "iterations": lambda: 5,
    "substeps": lambda: 2,
    "tolerance": lambda: 1e-3, "relaxation": lambda: 1.1, "beta": lambda: 0.25,
    "points": lambda: POINTS,
    "groups": lambda: {"end": [0, 1]}, "repair": lambda: True, "curve": lambda: curve().points,
    "mass": lambda: 1.0, "stiffness": lambda: 50.0, "distance": lambda: 10.0, "area": lambda: 5.0,
    "volume": lambda: 5.0,
    "rest_in": lambda: 0.3, "bounces": lambda: 1, "within": lambda: 0.01, "contour": circle,
    "picture": picture,
    "phi": lambda: 10.0, "psi": lambda: 10.0, "velocity": lambda: (0.0, 1.0, 0.0),
    "faces": lambda: TRIANGLES,
    "sizes": lambda: np.full(12, 3), "corners": lambda: TRIANGLES.ravel(),
    "bodies": lambda: [body()],
    "gravity": lambda: (0.0, -9.81, 0.0), "seconds": lambda: 0.03, "dt": lambda: 0.01,
    "fps": lambda: 100.0, "device": lambda: "cpu",
    "where": lambda: [0, 1], "path": lambda: (np.array([0.0, 1.0]), np.zeros((2, 2, 3))),
    "positions": lambda: POINTS * 1.1,
    "force": lambda: (0.0, 1.0, 0.0), "on": lambda: [0, 1, 2, 3],
    "surface": lambda: pl.Surface.of(POINTS, TRIANGLES),
    "size": lambda: (1.0, 1.0, 1.0), "origin": lambda: (0.0, 0.0, 0.0), "height": lambda: 1.0,
    "inner": lambda: 1.0,
    "outer": lambda: 2.0, "rings": lambda: 2, "rows": lambda: 2, "bottom": lambda: 3,
    "edge": lambda: 0.5, "times": lambda: 1,
    "kind": lambda: "tet", "tau": lambda: 0.5, "kappa": lambda: 0.1,
    "stepper": lambda: pl.Implicit(), "body": lambda: "body",
    "period": lambda: 0.2, "scene": scene, "edge_length": lambda: 0.8, "scale": lambda: 0.5,
    "body_a": lambda: body(), "body_b": lambda: body(), "points_a": lambda: [0, 1],
    "points_b": lambda: [0, 1],
    "factor": lambda: 2.0, "to": lambda: (1.0, 1.0, 1.0),
    "load": lambda: None, "things": lambda: pl.Sphere((0, -5, 0), 1.0), "value": lambda: (0.0,
    -1.0, 0.0), "steps": lambda: 1,
}  # fmt: skip
#: Where one name means another thing.
SPECIAL: dict[tuple[str, str], Callable[[], Any]] = {
    ("Keyframes", "times"): lambda: [0.0, 1.0],
    ("Keyframes", "offsets"): lambda: [(0.0, 0.0, 0.0), (0.0, 0.1, 0.0)],
    ("Cache", "frames"): lambda: [0.0, 1.0], ("Cache", "times"): lambda: [0.0, 0.5],
    ("Cache", "positions"): lambda: [POINTS, POINTS * 1.1], ("Cache", "surface"): lambda: None,
    ("direct", "cues"): lambda: pl.Cues(fps=10).reach(POINTS * 1.1, at=1).rest(by=2),
    ("rest_at", "pose"): lambda: POINTS * 1.01,
    ("Mesh", "cells"): lambda: {"tet": TETS}, ("annulus", "cells"): lambda: (6, 1), ("rectangle",
    "cells"): lambda: (2, 2),
    ("box", "cells"): lambda: (2, 1, 1), ("cylinder", "cells"): lambda: (1, 2), ("sphere",
    "cells"): lambda: 1,
    ("rectangle", "size"): lambda: (1.0, 1.0), ("rectangle", "origin"): lambda: (0.0, 0.0),
    ("Rod", "radius"): lambda: 0.01,
    ("Elastons", "thickness"): lambda: (0.1, 0.1), ("Body", "thickness"): lambda: 1.0,
    ("ExampleBased", "thickness"): lambda: 1.0,
    ("Snake", "pressure"): lambda: 0.1, ("Rayleigh", "stiffness"): lambda: 0.01, ("Elastons",
    "volume"): lambda: None,
    ("annulus", "kind"): lambda: "tri", ("rectangle", "kind"): lambda: "tri", ("disk",
    "kind"): lambda: "tri", ("trapezoid", "kind"): lambda: "tri",
    ("ImpactRods", "area"): lambda: None, ("Rod", "height"): lambda: None, ("Engine.grab",
    "body"): lambda: 0,
    ("Engine.grab", "point"): lambda: (1.0, 1.0, 1.0), ("tetrahedralise", "within"): lambda: 0.2,
    ("Settle.report", "body"): body, ("Modal", "body"): free_block, ("Subspace", "body"): free_block,
    ("Modal", "modes"): lambda: 4, ("Subspace", "modes"): lambda: 4, ("Subspace", "size"): lambda: 12,
    ("Subspace", "cells"): lambda: 40,
    ("Responses.record", "scene"): scene, ("Responses.record", "seconds"): lambda: 0.3,
    ("Responses.record", "excitations"): lambda: list(table().excitations),
    ("LongElements", "surface"): lambda: free_block().mesh, ("LongElements", "spacing"): lambda: 0.5,
    ("BoundaryElements", "surface"): lambda: free_block().mesh, ("Probe", "body"): held_block,
    ("Probe", "radius"): lambda: 0.5,
    ("FibreReinforced", "young"): lambda: 1e5, ("push", "volume"): lambda: None, ("Engine.settle",
    "damping"): lambda: pl.Settle(0.4),
    ("Plastic", "yield_stress"): lambda: 2e4, ("Plastic", "hardening"): lambda: 1e4,
    ("Plastic", "most"): lambda: 0.5,
    ("Tear", "strength"): lambda: 1e5, ("Tear", "energy"): lambda: 100.0,
    ("Sweep", "scene"): lambda: parse(SCENE), ("Sweep", "values"): lambda: {"run.dt": [0.01, 0.02]},
    ("Sweep", "table"): lambda: None, ("Sweep", "sample"): lambda: None,
    ("PointTracks", "points"): lambda: [0, 1], ("PointTracks", "positions"): lambda: POINTS[:2],
    ("PointTracks", "times"): lambda: None,
    ("fit", "make"): lambda: stiff_scene, ("fit", "target"): lambda: POINTS * 1.001,
    ("fit", "vary"): lambda: {"young": (1e4, 1e6)}, ("fit", "start"): lambda: None,
    ("fit_wish", "motion"): settled,
    ("Engine.gravity", "value"): lambda: (0.0, -1.0, 0.0), ("release", "where"): lambda: [0],
}  # fmt: skip


def sound(owner: str, parameter: str) -> Any:
    """A value that a parameter of a function or class takes."""
    if owner == "Responses" and parameter in {f.name for f in fields(pl.Responses)}:
        return getattr(table(), parameter)
    if (owner, parameter) in SPECIAL:
        return SPECIAL[owner, parameter]()
    if parameter == "mesh" and owner in MESHES:
        return MESHES[owner]()
    return SOUND[parameter]()


def knows(owner: str, parameter: str) -> bool:
    """Whether `sound` has a value for a parameter."""
    return owner == "Responses" or (owner, parameter) in SPECIAL or parameter in SOUND
