"""What the constructors of bodies declare can be set in a scene file, arrives, and is in the schema."""

from __future__ import annotations

import inspect
import json
from functools import cache
from typing import Any

import numpy as np
import pytest

import pliant as pl
from pliant import scenefile as scene
from pliant.declared import MISSING, InPython, Parameter, parameters_of
from pliant.kinds import BODIES
from tests.unit.declarations import another, read, same, toml

LINE = "{ line = { a = [0, 0, 0], b = [1, 0, 0], cells = 2 } }"
COIL = "{ curve = { at = ['0.1*cos(t)', '0.1*sin(t)', '0.02*t'], t = [0, 3], cells = 6 } }"
SHEET = '{ rectangle = { size = [1, 1], cells = [2, 2] }, plane = "xz" }'
BOX = "{ box = { size = [1, 1, 1], cells = [1, 1, 1] } }"
#: Not made by a field of their own: a snake needs a picture; examples and modes stand beside a material.
WORDLESS = {"Snake", "ExampleBased", "Modal", "Subspace"}
CLASSES = [cls for cls in BODIES.classes() if cls.word]
FILED = [
    pytest.param(cls, p, id=f"{cls.__name__}-{p.name}")
    for cls in CLASSES
    for p in parameters_of(cls)
    if p.in_files
]


def mesh_of(cls: type) -> str:
    """A mesh that a kind of body can be made of."""
    if cls in (pl.FormCurve, pl.Elastons):
        return COIL
    if cls in (pl.LongElements, pl.BoundaryElements):
        return BOX
    if "line2" in cls.cells:
        return BOX if cls is pl.ConstraintBody else LINE
    return SHEET if cls.in_space or cls is pl.FormSurface else BOX


def beside(cls: type, name: str) -> dict[str, Any]:
    """What a file must say besides one parameter."""
    given = {p.name: p.note.example for p in parameters_of(cls) if p.file_default is MISSING}
    for way in cls.sections[:1] if not any(name in way for way in cls.sections) else cls.sections:
        if name in way or not any(name in other for other in cls.sections):
            given |= {n: 0.02 for n in way}
    if cls is pl.Elastons:
        given["thickness"] = 0.02
    if cls is pl.ConstraintBody:
        given["distance"] = 1.0
    if cls in (pl.Springs, pl.ConstraintBody):
        given["mass"] = 0.1
    return {n: v for n, v in given.items() if n != name}


def table(given: dict[str, Any]) -> str:
    return f"{{ {', '.join(f'{name} = {toml(value)}' for name, value in given.items())} }}"


def taken(
    monkeypatch: pytest.MonkeyPatch, cls: type, text: str
) -> tuple[dict[str, Any], pl.Springs]:
    """The arguments that a constructor was called with while a scene was built, and the body."""
    seen: dict[str, Any] = {}
    whole, signature = cls.__init__, inspect.signature(cls)

    def watched(self: Any, *given: Any, **more: Any) -> None:
        seen.update(signature.bind(*given, **more).arguments)
        whole(self, *given, **more)

    file = scene.parse(text)
    monkeypatch.setattr(cls, "__init__", watched)
    return seen, file.build().scene.bodies[0]


@pytest.mark.parametrize("cls, p", FILED)
def test_every_parameter_of_a_body_is_set_by_a_file_and_arrives(
    monkeypatch: pytest.MonkeyPatch, cls: type, p: Parameter
) -> None:
    value = another(p)
    given = beside(cls, p.name) | {p.name: value}
    text = f"[body.it]\nmesh = {mesh_of(cls)}\n{cls.word} = {table(given)}\n"
    seen, body = taken(monkeypatch, cls, text)
    assert type(body) is cls and body.name == "it"
    found, expected = seen[p.name], read(p, value)
    assert np.array_equal(found, expected) if p.name == "pairs" else same(found, expected)


@pytest.mark.parametrize(
    "line, name, value",
    [
        (f"mesh = {BOX}", "density", 300.0),
        ("mesh = { rectangle = { size = [1, 1], cells = [2, 2] } }", "thickness", 0.2),
        (f"mesh = {LINE}", "section", 2e-4),
    ],
)
def test_what_stands_beside_a_material_arrives(
    monkeypatch: pytest.MonkeyPatch, line: str, name: str, value: float
) -> None:
    text = f"[body.it]\n{line}\nmaterial = {{ young = 1e5 }}\n{name} = {value}\n"
    seen, body = taken(monkeypatch, pl.Body, text)
    assert seen[name] == value == getattr(body, name)
    in_files = {p.name for p in parameters_of(pl.Body) if p.in_files}
    assert in_files == {"density", "thickness", "section"}


def test_examples_arrive(monkeypatch: pytest.MonkeyPatch) -> None:
    poses = "poses = [{ stretch = [1.2, 1, 1] }]"
    examples = f"examples = {{ {poses}, strength = 7, bounds = [0, 1] }}"
    text = f"[body.it]\nmesh = {BOX}\nmaterial = {{ young = 1e5 }}\nfix = 'x < 0.1'\n{examples}\n"
    seen, _ = taken(monkeypatch, pl.ExampleBased, text)
    assert seen["strength"] == 7.0 and seen["bounds"] == (0.0, 1.0)


@cache
def schema() -> dict[str, Any]:
    return json.loads(scene.json_schema())["$defs"]


@pytest.mark.parametrize("cls, p", FILED)
def test_the_schema_has_its_sentence_unit_and_default(cls: type, p: Parameter) -> None:
    name = "FormTable" if cls.word == "form" else f"{cls.__name__}Table"
    field = schema()[name]["properties"][p.name]
    if cls.word == "form":  # three classes, each with its unit
        assert f"[{p.note.unit}]" in field["description"]
        return
    assert field["description"] == p.note.description
    if p.name == "mass":  # or total_mass
        return
    required = p.name in schema()[name].get("required", ())
    assert required == (p.file_default is MISSING)
    assert required or same(field["default"], p.file_default)


@pytest.mark.parametrize(
    "cls", [*CLASSES, pl.Body, pl.ExampleBased, pl.Modal, pl.Subspace], ids=lambda c: c.__name__
)
def test_nothing_is_left_undeclared(cls: type) -> None:
    """A parameter is declared with what files call it, or with the reason why they do not."""
    own = {"self", "mesh", "surface", "curve", "samples", "material", "body", "damping", "name"}
    names = set(inspect.signature(cls.__init__).parameters) - own
    assert names == {p.name for p in parameters_of(cls)}
    assert all(p.note.about for p in parameters_of(cls) if isinstance(p.note, InPython))


def test_only_these_have_no_field() -> None:
    assert {cls.__name__ for cls in BODIES.classes() if not cls.word} == WORDLESS
    assert len(CLASSES) == 12 and len({cls.word for cls in CLASSES}) == 10


TRUSS = """
[run]
seconds = 0.1
dt = 0.02
gravity = [0, -9.81, 0]

[body.truss]
mesh = { lines = [
  { a = [0, 0, 0], b = [1, 0.5, 0], cells = 1 },
  { a = [1, 0.5, 0], b = [2, 0, 0], cells = 1 },
  { a = [0, 0, 0], b = [2, 0, 0], cells = 1 },
] }
material = { model = "Linear", young = 1e9, poisson = 0.3 }
density = 500
section = 1e-3
fix = "x < 0.01 or x > 1.99"
damping = { model = "Rayleigh", mass = 20 }
"""


def test_a_truss_of_bars_is_that_of_python() -> None:
    setup = scene.parse(TRUSS).build()
    body = setup.bodies["truss"]
    assert isinstance(body, pl.Body) and body.section == 1e-3 and body.facts()["section"] == 1e-3
    material = pl.Linear(young=1e9, poisson=0.3)
    same_one = pl.Body(body.mesh, material, density=500.0, section=1e-3)
    assert np.array_equal(same_one.masses, body.masses)
    same_one.fix((body.mesh.points[:, 0] < 0.01) | (body.mesh.points[:, 0] > 1.99))
    same_one.damping = pl.Rayleigh(mass=20.0)
    # A triangle in space may leave its plane, and rests in it: the step needs no rest shape.
    take = setup.run(progress=False)
    again = pl.Scene([same_one], gravity=(0, -9.81, 0)).run(seconds=0.1, dt=0.02, progress=False)
    assert np.array_equal(take.positions, again.positions)
    assert 0.0 < np.abs(take.positions[-1] - take.positions[0]).max() < 1e-3


def test_bars_are_not_halved() -> None:
    """Their halves would be joined by a hinge."""
    file = scene.parse(TRUSS)
    assert len(file.build(refine=2).bodies["truss"]) == len(file.build().bodies["truss"]) == 3


def test_lines_without_a_section_say_what_is_missing() -> None:
    with pytest.raises(scene.SceneError, match=r"section = 1e-4 \[m\^2\] beside it, for bars"):
        scene.parse(TRUSS.replace("section = 1e-3\n", "")).build()
    cloth = "cloth = { stretch = 400, shear = 60, bend = 1e-4, density = 0.25 }\nsection = 1e-4"
    with pytest.raises(scene.SceneError, match=r"body.it.section: is that of a solid"):
        scene.parse(f"[body.it]\nmesh = {SHEET}\n{cloth}\n")
