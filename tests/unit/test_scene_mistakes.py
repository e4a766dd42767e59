"""Mistakes in scene files: each gets one line with file, line, field and fix."""

import re

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from pliant import scenefile as scene
from pliant.scenefile.toml_text import value_text

GOOD = """\
title = "A bent beam"

[run]
seconds = 1.0
fps = 24

[body.beam]
mesh = { box = { size = [4, 1, 1], cells = [4, 1, 1] } }
material = { model = "StableNeoHookean", young = 5e6, poisson = 0.4 }
settle = { rest_in = 0.75, bounces = 2 }
fix = "x < 0.01"
start = { bend = { degrees = 60 } }
"""
MESH = "{ box = { size = [4, 1, 1], cells = [4, 1, 1] } }"
RANGES = "the mesh has x 0 to 4, y 0 to 1, z 0 to 1 [m]"
SHAPES = (
    "box, cylinder, sphere, rectangle, trapezoid, annulus, disk, line, lines, curve, tube, "
    "ribbon, file"
)
NUMBERS = "expected 3 numbers, each > 0 [m], e.g. [4, 1, 1]"
SELECTION = (
    'expected an expression as "x < 0.01", a table as { box = [[0, 0, 0], [1, 1, 1]] }, '
    "or a list of them"
)

#: what stands there, what is written instead, and the line that must come out
MISTAKES = [
    ("poisson = 0.4", "poisson = 0.6",
     "beam.toml:9: body.beam.material.poisson: got 0.6; expected -1 < poisson < 0.5"),
    ("poisson = 0.4", 'poisson = "soft"',
     'beam.toml:9: body.beam.material.poisson: got "soft"; expected -1 < poisson < 0.5'),
    ("young = 5e6", "yung = 5e6",
     "beam.toml:9: body.beam.material.yung: is not a field here; did you mean 'young'?"),
    ("young = 5e6, ", "",
     "beam.toml:9: body.beam.material.young: is missing; expected Young's modulus [Pa]: "
     "jelly 1e4, rubber 1e6, wood 1e10"),
    ("young = 5e6", "young = true",
     "beam.toml:9: body.beam.material.young: got true; expected young > 0 [Pa]"),
    ("young = 5e6", "young = inf",
     "beam.toml:9: body.beam.material.young: got inf; expected young > 0 [Pa]"),
    ('"StableNeoHookean"', '"Rubber"',
     "beam.toml:9: body.beam.material.model: got \"Rubber\"; expected one of 'StableNeoHookean', "
     "'Corotated', 'FibreReinforced', 'Hencky', 'Linear', 'NeoHookean', 'StVenantKirchhoff'"),
    ("rest_in = 0.75, ", "",
     "beam.toml:10: body.beam.settle.rest_in: is missing; expected seconds from release to rest "
     "[s]"),
    ("rest_in = 0.75", "rest_in = -1",
     "beam.toml:10: body.beam.settle.rest_in: got -1; expected rest_in > 0 [s]"),
    ("bounces = 2", "bounces = 1.5",
     "beam.toml:10: body.beam.settle.bounces: got 1.5; expected a whole number, bounces >= 0"),
    ("bounces = 2", "bouncs = 2",
     "beam.toml:10: body.beam.settle.bouncs: is not a field here; did you mean 'bounces'?"),
    ("bounces = 2", "within = 1",
     "beam.toml:10: body.beam.settle.within: got 1; expected 0 < within < 1"),
    ("fix =", "fixx =", "beam.toml:11: body.beam.fixx: is not a field here; did you mean 'fix'?"),
    ('"x < 0.01"', '"x < w"',
     "beam.toml:11: body.beam.fix: got 'w' in \"x < w\"; expected x, y, z, xmin, xmax, ymin, "
     "ymax, zmin, zmax, pi"),
    ('"x < 0.01"', '"x"',
     'beam.toml:11: body.beam.fix: got "x" is a number; expected a condition such as "x < 0.01"'),
    ('"x < 0.01"', '"x = 0"', 'beam.toml:11: body.beam.fix: got "x = 0"; expected "==" to compare'),
    ('"x < 0.01"', '"x < -5"', f'beam.toml:11: body.beam.fix: "x < -5" selects no point; {RANGES}'),
    ('"x < 0.01"', "5", f"beam.toml:11: body.beam.fix: got 5; {SELECTION}"),
    ('"x < 0.01"', "[]", "beam.toml:11: body.beam.fix: got []; expected at least one"),
    ('"x < 0.01"', "{ box = [[0, 0, 0]] }",
     "beam.toml:11: body.beam.fix.box: got [[0, 0, 0]]; expected two corners, "
     "[[0, 0, 0], [1, 1, 1]]"),
    ('"x < 0.01"', "{ box = [[0, 0], [1, 1]] }",
     "beam.toml:11: body.beam.fix: got box = [0.0, 0.0]; the body is 3D: expected 3 numbers"),
    ('"x < 0.01"', '{ group = "foot" }',
     "beam.toml:11: body.beam.fix: got group 'foot'; the mesh has none at all"),
    ('"x < 0.01"', "{ points = [0, 99] }",
     "beam.toml:11: body.beam.fix: got point 99; the mesh has 0 to 19"),
    ('"x < 0.01"', '["x < 0.01",\n{ sphere = { radius = 1 } }]',
     "beam.toml:12: body.beam.fix.1.sphere.centre: is missing; expected its centre [m]"),
    ('"x < 0.01"', '["x < 0.01",\n"y > 7"]',
     f'beam.toml:12: body.beam.fix.1: "y > 7" selects no point; {RANGES}'),
    ('"x < 0.01"', "{ }",
     "beam.toml:11: body.beam.fix: is empty; expected exactly one of box, sphere, group, points, "
     'surface, or an expression as "x < 0.01"'),
    ("size = [4, 1, 1]", "size = [4, 1]",
     f"beam.toml:8: body.beam.mesh.box.size: got [4, 1]; {NUMBERS}"),
    ("size = [4, 1, 1]", "size = [4, 1, 0]",
     f"beam.toml:8: body.beam.mesh.box.size: got [4, 1, 0]; {NUMBERS}"),
    ("cells = [4, 1, 1]", "cells = [4, 1.5, 1]",
     "beam.toml:8: body.beam.mesh.box.cells: got [4, 1.5, 1]; expected 3 whole numbers, each >= 1, "
     "e.g. [16, 4, 4]"),
    (MESH, "{}",
     f"beam.toml:8: body.beam.mesh: has no shape; expected exactly one of {SHAPES}"),
    (MESH, "{ disk = {}, sphere = {} }",
     f"beam.toml:8: body.beam.mesh: has sphere and disk; expected exactly one of {SHAPES}"),
    (MESH, '"bunny.obj"',
     'beam.toml:8: body.beam.mesh: got "bunny.obj"; expected { box = { size = [4, 1, 1] } }, '
     '{ file = "bunny.obj" } or the like'),
    (MESH, '{ file = "bunny.obj" }',
     "beam.toml:8: body.beam.mesh.file: got 'bunny.obj'; there is no such file in the folder '.'"),
    (MESH, "{ box = {}, edge_length = 1 }",
     "beam.toml:8: body.beam.mesh.edge_length: got 1; expected it only beside file: a generated "
     "mesh has cells = [...]"),
    (MESH, "{ box = {}, turn = 90 }",
     "beam.toml:8: body.beam.mesh: got [90.0] [degrees]; the body is 3D: expected three, about x, "
     "y and z"),
    (f"mesh = {MESH}\n", "",
     "beam.toml:7: body.beam.mesh: is missing; expected the rest shape [m]: { box = {...} }, "
     "{ file = ... }"),
    ("[body.beam]", "[[body]]",
     "beam.toml:7: body: got [[body]]; expected a section with a name for each, e.g. [body.beam]"),
    ("[body.beam]", "[body]",
     "beam.toml:7: body: got 'mesh' directly in [body]; expected the name of a body before it, "
     "e.g. [body.beam] with mesh in it"),
    ("[body.beam]", "[bodies.beam]",
     "beam.toml:7: bodies: is not a field here; did you mean 'body'?"),
    ("[body.beam]", "[body.beam",
     "beam.toml:7: not TOML: expected ']' at the end of a table declaration"),
    ("fps = 24", "fps = 24\nfps = 25", "beam.toml:6: not TOML: cannot overwrite a value"),
    ("seconds = 1.0", "seconds = 0",
     "beam.toml:4: run.seconds: got 0; expected seconds > 0 [s]"),
    ("fps = 24", 'fps = 24\ndt = "1/60"',
     "beam.toml:6: run.dt: got 0.0166667 with fps = 24; expected frames that fall on steps, e.g. "
     'dt = "1/72"'),
    ("fps = 24", 'dt = "1/0"', 'beam.toml:5: run.dt: got "1/0"; expected dt > 0 [s]'),
    ("fps = 24", "gravity = -9.81",
     "beam.toml:5: run.gravity: got -9.81; expected 2 or 3 numbers [m/s^2], e.g. [0, -9.81, 0]"),
    ("fps = 24", "gravity = [0, -9.81]",
     "beam.toml:5: run.gravity: got gravity = [0.0, -9.81]; the body is 3D: expected 3 numbers"),
    ("fps = 24", 'stepper = "RK4"',
     "beam.toml:5: run.stepper: got \"RK4\"; expected one of 'Implicit', 'AverageVelocity', "
     "'BDF2', 'ExplicitEuler', 'Impact', 'LinearisedImplicit', 'Newmark', 'QuasiStatic', "
     "'RungeKutta4', 'SymplecticEuler' or 'XPBD'"),
    ("degrees = 60", 'degrees = "60"',
     'beam.toml:12: body.beam.start.bend.degrees: got "60"; expected a number [degrees]'),
    ("degrees = 60", 'degrees = 60, towards = "x"',
     "beam.toml:12: body.beam.start.bend: got along and towards = 'x'; expected two different "
     "axes"),
    ("bend = { degrees = 60 }", 'offset = ["0", "x", "1/y"]',
     'beam.toml:12: body.beam.start.offset: got "1/y", which is not a finite number at '
     "[0.0, 0.0, 0.0]"),
    ("bend = { degrees = 60 }", 'offset = ["0", "x > 1", "0"]',
     'beam.toml:12: body.beam.start.offset: got ["0", "x > 1", "0"]; expected a length [m], not '
     'the condition "x > 1"'),
    ("bend = { degrees = 60 }", "spin = 90",
     "beam.toml:12: body.beam.start.spin: got [90.0]; the body is 3D: expected three numbers"),
    ("bend = { degrees = 60 }", "at_rest = true, stretch = [2, 1, 1]",
     "beam.toml:12: body.beam.start.at_rest: stands beside stretch; expected one of the two"),
    ("start =", 'drive = [{ where = "x > 3" }]\nstart =',
     "beam.toml:12: body.beam.drive.0: has no path; expected keyframes = { times, offsets } or usd "
     "= FILE with prim = PATH"),
    ("start =", 'drive = [{ where = "x > 3", keyframes = { times = [0, 1], '
     "offsets = [[0, 0, 0]] } }]\nstart =",
     "beam.toml:12: body.beam.drive.0.keyframes.offsets: has 1; expected 2, one for each time"),
    ("start =", 'drive = [{ where = "x > 3", keyframes = { times = [1, 0], '
     "offsets = [[0, 0, 0], [1, 0, 0]] } }]\nstart =",
     "beam.toml:12: body.beam.drive.0.keyframes.times: got [1, 0]; expected a list of numbers [s], "
     "increasing, e.g. [0, 0.5, 1]"),
    ("start =", 'drive = [{ where = "x < 3", keyframes = { times = [0], '
     "offsets = [[0, 0, 0]] } }]\nstart =",
     "beam.toml:12: body.beam.drive.0.where: 4 of its points are also in fix; expected each point "
     "in one of the two"),
    ("start =", 'drive = [{ where = "x > 3", usd = "a.usda" }]\nstart =',
     "beam.toml:12: body.beam.drive.0.prim: is missing; expected usd = \"anim.usda\" together with "
     'prim = "/World/Hand"'),
    ("start =", "push = [{ force = [0, 1, 0] }]\nstart =",
     "beam.toml:12: body.beam.push.0.on: is missing; expected the points that force acts on, e.g. "
     'on = "x > 3.99"'),
    ("start =", "push = [{ pressure = [1, 2] }]\nstart =",
     "beam.toml:12: body.beam.push.0.times: is missing; expected times = [...] [s], one for each "
     "pressure"),
    ("start =", "push = [{ pressure = 5, times = [0, 1] }]\nstart =",
     "beam.toml:12: body.beam.push.0.pressure: has one value; expected 2, one for each time"),
    ("start =", 'push = [{ traction = [0, 1, 0], on = "1.9 < x < 2.1" }]\nstart =',
     "beam.toml:12: body.beam.push.0.on: selects 4 points but no face of the boundary between "
     "them; a traction needs whole faces: expected a wider selection"),
    ("start =", 'damping = { model = "Rayleigh", mass = 1 }\nstart =',
     "beam.toml:12: body.beam.damping: stands beside settle; expected one of the two"),
    ("settle = { rest_in = 0.75, bounces = 2 }", 'damping = { model = "rayleigh" }',
     'beam.toml:10: body.beam.damping: got {model = "rayleigh"}; expected a table with model = '
     "one of 'ConditionDamping', 'EnergyMinimising', 'IterativeSpringDamping', 'PointDamping', "
     "'Rayleigh', 'RelativeDamping', 'SpringDamping', 'StrainRate', 'none', e.g. "
     '{ model = "Rayleigh", mass = 1.0 }'),
    ("settle = { rest_in = 0.75, bounces = 2 }", 'damping = { model = "Rayleigh", mas = 1 }',
     "beam.toml:10: body.beam.damping.mas: is not a field here; did you mean 'mass'?"),
    ("start =", 'surface = "fine.obj"\nstart =',
     "beam.toml:12: body.beam.surface: got 'fine.obj'; there is no such file in the folder '.'"),
    ("bend = { degrees = 60 }", 'surface = "start.obj"',
     "beam.toml:12: body.beam.start.surface: got 'start.obj'; there is no such file in the folder '.'"),
    ("bend = {", 'surface = "start.obj", bend = {',
     "beam.toml:12: body.beam.start.surface: stands beside bend; expected one of the two"),
    ("bend = { degrees = 60 }", 'surface = "start.obj", at_rest = true',
     "beam.toml:12: body.beam.start.at_rest: stands beside surface; expected one of the two"),
    ("bend = { degrees = 60 }", "surface = [0, 1]",
     "beam.toml:12: body.beam.start.surface: got [0, 1]; expected text in quotes"),
    ('"x < 0.01"', "{ surface = [0, 99] }",
     "beam.toml:11: body.beam.fix: got vertex 99; the surface has 0 to 19"),
    ('"x < 0.01"', "{ surface = [-1] }",
     "beam.toml:11: body.beam.fix.surface: got [-1]; expected a list of whole numbers, each >= 0, "
     "e.g. [0, 1, 5]"),
    ('"x < 0.01"', '{ surface = "start.obj" }',
     'beam.toml:11: body.beam.fix.surface: got "start.obj"; expected a list of whole numbers, '
     "each >= 0, e.g. [0, 1, 5]"),
    ("title = ", "title = 5 # ", "beam.toml:1: title: got 5; expected text in quotes"),
]  # fmt: skip


@pytest.mark.parametrize(("there", "instead", "expected"), MISTAKES, ids=lambda v: v[:40])
def test_mistakes(there, instead, expected):
    assert there in GOOD
    with pytest.raises(scene.SceneError) as error:
        scene.parse(GOOD.replace(there, instead, 1), name="beam.toml").build()
    assert str(error.value) == expected


@pytest.mark.parametrize(
    ("ignore", "expected"),
    [
        ('[["beam", "ground"]]', "got the name 'ground'; expected one of 'beam'"),
        ('["beam", "sphere"]',
         'got ["beam", "sphere"]; expected pairs of names, as [["a", "b"]]'),
    ],
)  # fmt: skip
def test_mistakes_in_names_of_what_passes_are_told_with_their_place(ignore, expected):
    text = f"{GOOD}\n[contact]\nignore = {ignore}\n"
    with pytest.raises(scene.SceneError, match=r"beam.toml:\d+: contact.ignore: ") as error:
        scene.parse(text, name="beam.toml").build()
    assert expected in str(error.value)


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ("body.settle.rest_in=-1",
         "--set body.beam.settle.rest_in: got -1; expected rest_in > 0 [s]"),
        ("body.setle.rest_in=1",
         "--set body.beam.setle: is not a field here; did you mean 'settle'?"),
        ("body.settle.rest_in",
         "--set body.settle.rest_in: expected field=value, e.g. --set body.settle.rest_in=1.2"),
        ("rest_in=1", "--set rest_in: is not a field here; expected one of title, run, body, "
         "obstacle, contact, tie"),
        ("body.mesh.box.size.7=1", "--set body.beam.mesh.box.size.7: there is no "
         "body.beam.mesh.box.size.7"),
        ("title.deep=1", "--set title.deep: there is no title.deep"),
    ],
)  # fmt: skip
def test_mistakes_in_overrides(override, expected):
    with pytest.raises(scene.SceneError) as error:
        scene.parse(GOOD, name="beam.toml", overrides=[override])
    assert str(error.value) == expected


def test_all_mistakes_are_listed_in_the_order_of_the_file():
    text = GOOD.replace("5e6", "-1").replace("seconds = 1.0", "seconds = 0")
    with pytest.raises(scene.SceneError) as error:
        scene.parse(text, name="beam.toml")
    assert [m.split(": ")[1] for m in error.value.mistakes] == [
        "run.seconds",
        "body.beam.material.young",
    ]
    assert str(error.value).endswith("(and 1 more)")


def test_with_several_bodies_an_override_needs_a_name():
    text = GOOD + GOOD[GOOD.index("[body.beam]") :].replace("body.beam", "body.other")
    with pytest.raises(scene.SceneError, match=r"the bodies beam, other; expected the name of one"):
        scene.parse(text, overrides=["body.settle.rest_in=1"])
    with pytest.raises(scene.SceneError) as long:
        scene.parse(text, overrides=[f"body.{'b' * 5000}={'a' * 5000}"])
    assert len(str(long.value)) < 400
    changed = scene.parse(text, overrides=["body.other.settle.rest_in=1"])
    assert [b.settle.rest_in for b in changed.body.values()] == [0.75, 1.0]


def test_names_with_dots_are_quoted():
    text = GOOD.replace("[body.beam]", '[body."a.b"]')
    for name in ('body."a.b".settle.rest_in', "body.settle.rest_in"):
        assert scene.parse(text, overrides=[f"{name}=2"]).body["a.b"].settle.rest_in == 2.0


def test_a_file_that_is_not_there_or_no_text(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no scene file .*; did you mean x.toml"):
        scene.read(tmp_path / "x")
    (tmp_path / "x.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="is not text in UTF-8"):
        scene.read(tmp_path / "x.toml")


LEAF = st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | st.text(max_size=5)
ANY = st.recursive(
    LEAF.filter(lambda v: v is not None),
    lambda v: (
        st.lists(v, max_size=3)
        | st.dictionaries(st.sampled_from(["box", "size", "model", "x", "0"]), v, max_size=2)
    ),
    max_leaves=5,
)
FIELDS = [
    "mesh", "mesh.box", "mesh.box.size", "mesh.turn", "mesh.scale", "material", "material.young",
    "material.model", "density", "settle", "settle.rest_in", "settle.bounces", "damping", "fix",
    "drive", "push", "start", "start.surface", "start.offset", "start.bend", "start.stretch",
    "surface", "thickness", "springs", "cloth", "rod", "preserving", "mesh.line", "mesh.curve",
    "mesh.plane", "mesh.fill", "start.noise",
]  # fmt: skip


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(FIELDS), ANY)
def test_any_value_in_any_field_is_taken_or_refused_in_one_line(name, given_value):
    try:
        text = value_text(given_value)
        text.encode()
    except UnicodeEncodeError:
        return
    try:
        scene.parse(GOOD, name="beam.toml", overrides=[f"body.{name}={text}"])
    except scene.SceneError as error:
        for line in error.mistakes:
            assert re.match(r"(--set |beam.toml)", line)
            assert "\n" not in line and len(line) < 500
            assert "pydantic" not in line
