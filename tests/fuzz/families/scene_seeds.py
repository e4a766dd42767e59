"""Scenes to start from: the examples, made small, and one of every kind of body and field."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

EXAMPLES = Path(__file__).parents[3] / "examples" / "scenes"
#: Fields that count something: a few of each are enough to try a field, and quick.
COUNTS = ("cells", "rings", "rows", "bottom")
KINDS = """
[body.bar]
mesh = { box = { size = [2, 1, 1], cells = [2, 1, 1], kind = "hex" }, scale = 0.5, turn = [0, 90, 0], move = [0, 3, 0] }
material = { model = "FibreReinforced", young = 6e5, poisson = 0.3, fibre = 1e5, direction = [1, 0, 0] }
examples = { poses = [{ twist = { degrees = 20 }, bend = { degrees = -10 } }], strength = 5, bounds = [0, 1] }
fix = { box = [[-9, -9, -9], [0.01, 9, 9]] }
===
[run]
stepper = "Newmark"
dt = "1/100"
[body.net]
mesh = { rectangle = { size = [1, 1], cells = [2, 2] }, plane = "xz" }
springs = { stiffness = 100, total_mass = 1, rest_stretch = [1.0, 0.9], times = [0, 1], braced = true, stiffening = 2, pulls_only = true }
fix = { points = [0, 2] }
damping = { model = "SpringDamping", gamma = 2, iterations = 2 }
[[obstacle]]
half_space = { point = [0, -1, 0], normal = [0, 1, 0] }
friction = 0.3
===
[body.flag]
mesh = { rectangle = { size = [1.5, 0.9], cells = [3, 2] }, plane = "xy" }
cloth = { stretch = 3000, shear = 300, bend = 1e-4, density = 0.12, rest_stretch = [1, 1] }
fix = "x < 0.01"
start = { noise = 1e-4, spin = [0, 1, 0], velocity = [0, 1, 0], where = "x > 1" }
push = [{ wind = ["9", "0", "2*sin(7*x - 38*t)"], friction = 0.02, density = 1.2, drag = 1 }]
damping = { model = "ConditionDamping", rate = 0.1 }
===
[run]
gravity = [0, 0, -9.81]
[body.shell]
mesh = { annulus = { inner = 0.5, outer = 1, cells = [6, 1] }, plane = "xy" }
shell = { young = 1e6, poisson = 0.3, density = 1000, thickness = 0.01 }
fix = { sphere = { centre = [0, 0, 0], radius = 0.6 } }
damping = { model = "Rayleigh", mass = 0.5, stiffness = 0.01 }
===
[body.reed]
mesh = { line = { a = [0, 2, 0], b = [1, 2, 0], cells = 4 } }
rod = { young = 1e8, poisson = 0.4, density = 1200, width = 0.01, height = 0.02, up = [0, 1, 0] }
fix = "x < 0.01"
settle = { rest_in = 0.6, bounces = 2, within = 0.02, law = "first-mode", swing = false }
[body.curl]
mesh = { curve = { at = ["0.03*cos(t)", "-0.006*t", "0.03*sin(t)"], t = [0, 10], cells = 8, closed = false } }
rod = { young = 6e7, poisson = 0.4, density = 1200, radius = 0.002 }
fix = ["y > -1e-6", "x > 9"]
===
[run]
stepper = "XPBD"
iterations = 20
substeps = 2
relaxation = 1.2
tolerance = 1e-2
[body.soft]
mesh = { sphere = { radius = 0.5, cells = 1 } }
preserving = { mass = 1.0, distance = 100, area = 10, volume = 10 }
damping = { model = "PointDamping", gamma = 1 }
[[obstacle]]
capsule = { a = [0, -2, 0], b = [1, -2, 0], radius = 0.2 }
margin = 0.01
===
[body.elastons]
mesh = { line = { a = [0, 2, 0], b = [1, 2, 0], cells = 3 } }
elastons = { young = 1e6, poisson = 0.3, density = 1000, thickness = [0.1, 0.1], up = [0, 1, 0], support = 0.9 }
fix = "x < 0.01"
===
[body.form]
mesh = { disk = { radius = 1, rings = 2 }, plane = "xz" }
form = { metric = 100, curvature = 1, density = 1 }
fix = "x < -0.9"
damping = { model = "RelativeDamping", gamma = 1, clusters = ["whole", 2], torque = "rotation" }
===
[run]
stepper = "Impact"
dt = 1e-4
[body.rods]
mesh = { lines = [{ a = [0, 5, 0], b = [1, 5, 0], cells = 3 }, { a = [1.05, 5, 0], b = [3.05, 5, 0], cells = 4 }] }
impact_rods = { young = 1e7, density = 1000, radius = 0.02, collision = 1 }
start = { velocity = [1, 0, 0], where = "x < 1.01" }
===
title = "driven and pushed"
[run]
seconds = 0.1
fps = "24000/1001"
[body.beam]
mesh = { rectangle = { size = [4, 1], cells = [4, 1], kind = "quad", origin = [0, 0] } }
material = { model = "Corotated", young = 5e6, poisson = 0.4 }
density = 900
thickness = 0.1
fix = "x < 0.01"
start = { stretch = [1.01, 1], bend = { degrees = 4 }, offset = ["0.01*x", "0"], about = [0, 0], at_rest = true }
damping = { model = "StrainRate", phi = 1e3, psi = 1e3 }
[[body.beam.drive]]
where = "x > 3.99"
keyframes = { times = [0, 0.5, 1], offsets = [[0, 0], [0, 0.1], [0, 0]], turns = [[0], [5], [0]], about = [4, 0], ease = "smooth" }
[[body.beam.push]]
traction = [[0, 0], [0, 2e3], [0, 0]]
times = [0.0, 0.2, 0.4]
on = "x > 3.99"
[[body.beam.push]]
pressure = 10
[[body.beam.push]]
total_force = [1, 0]
on = { points = [1, 2] }
===
[body.solid]
mesh = { file = "tet.msh", scale = 0.5, repair = true }
material = { young = 1e5, poisson = 0.3 }
fix = { group = "end" }
surface = "cube.obj"
damping = { model = "EnergyMinimising", tau = 0.1 }
===
[body.sheet]
mesh = { file = "cube.obj", fill = false }
shell = { young = 1e6, poisson = 0.3, density = 1000, thickness = 0.01 }
start = { surface = "cube.obj" }
fix = "x < 0.01"
[[obstacle]]
sphere = { centre = [2, -6, 0.5], radius = 1 }
===
[body.trapezoid]
mesh = { trapezoid = { bottom = 3, rows = 2, edge = 0.5 } }
springs = { stiffness = 10, mass = 0.1, rest = 0.4, pairs = [[0, 1], [1, 2], [2, 3], [0, 3], [1, 4], [2, 4], [3, 4]] }
===
[body.cylinder]
mesh = { cylinder = { radius = 0.2, height = 1, cells = [1, 2] }, turn = [-90, 0, 0] }
material = { model = "Linear", young = 2e5, poisson = 0.4 }
fix = "y < 0.01"
start = { twist = { degrees = 10, along = "y" } }
settle = { rest_in = 0.5 }
"""


def seeds() -> list[dict[str, Any]]:
    """All of them, as data."""
    texts = [path.read_text() for path in sorted(EXAMPLES.glob("*.toml"))] + KINDS.split("===")
    return [made_small(tomllib.loads(text)) for text in texts]


def made_small(tree: Any, counting: bool = False) -> Any:
    """A scene with few cells, and with our own surface for every file."""
    if isinstance(tree, dict):
        return {
            k: "cube.obj" if k == "file" and v != "tet.msh" else made_small(v, k in COUNTS)
            for k, v in tree.items()
        }
    if isinstance(tree, list):
        return [made_small(v, counting) for v in tree]
    return min(tree, 6) if counting else tree
