"""What a constructor declares can be set in a scene file, arrives, and is in the schema."""

from __future__ import annotations

import inspect
import json
from functools import cache
from typing import Any

import numpy as np
import pytest

from pliant import scenefile as scene
from pliant.boundary import Obstacle
from pliant.declared import MISSING, InPython, Parameter, Quantity, example_of, parameters_of
from pliant.kinds import DAMPINGS, MATERIALS, OBSTACLES, STEPPERS, Sort
from tests.unit.declarations import another, read, same, toml, usual

#: Parameters that say where a body is and how it is called; files have places for them.
ABOUT_THE_BODY = {"mesh", "damping", "name"}
#: What an obstacle makes of a parameter that is left out.
FOUND_OUT = {
    "margin": lambda made: made.scaled,
    "friction": lambda made: made.own_friction is None and made.friction == 0.0,
    "name": lambda made: made.name == made.word,
}
SORTS = (MATERIALS, DAMPINGS, STEPPERS, OBSTACLES)
CLASSES = [(sort, word, cls) for sort in SORTS for word, cls in sort.own().items()]
FILED = [
    pytest.param(sort, word, cls, p, id=f"{word}-{p.name}")
    for sort, word, cls in CLASSES
    for p in parameters_of(cls)
    if p.in_files
]
BODY = """
[body.it]
mesh = {{ box = {{ size = [1, 1, 1], cells = [1, 1, 1] }}, move = [0, 9, 0] }}
material = {{ {material} }}
{damping}
"""


def needed(cls: type, but: str = "") -> dict[str, Any]:
    """What a file must say of a class, with the declared examples."""
    return {
        p.name: p.note.example
        for p in parameters_of(cls)
        if p.in_files and p.name != but and p.file_default is MISSING
    }


def inside(given: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {toml(value)}" for name, value in given.items())


def built(sort: Sort, word: str, given: dict[str, Any]) -> Any:
    """The object that a scene file makes."""
    material, damping, above, below = "young = 1e5", "", "", ""
    if sort is MATERIALS:
        material = inside({"model": word} | given)
    elif word == "Settle":
        damping = f"settle = {{ {inside(given)} }}"
    elif sort is DAMPINGS:
        damping = f"damping = {{ {inside({'model': word} | given)} }}"
    elif sort is STEPPERS:
        rows = {"stepper": word, "dt": 1e-4} | given
        above = "[run]\n" + "\n".join(f"{name} = {toml(value)}" for name, value in rows.items())
    else:
        common = [p.name for p in parameters_of(Obstacle)]
        shared = {name: given.pop(name) for name in common if name in given}
        rows = "\n".join(f"{name} = {toml(value)}" for name, value in shared.items())
        below = f"[[obstacle]]\n{word} = {{ {inside(given)} }}\n{rows}"
    file = scene.parse(above + BODY.format(material=material, damping=damping) + below)
    if sort is STEPPERS:
        return file.run.make_stepper()
    body = file.build().scene
    if sort is OBSTACLES:
        return body.obstacles[0]
    return body.bodies[0].material if sort is MATERIALS else body.bodies[0].damping


@pytest.mark.parametrize("sort, word, cls, p", FILED)
def test_every_parameter_is_set_by_a_file_and_arrives(
    sort: Sort, word: str, cls: type, p: Parameter
) -> None:
    value = another(p)
    made = built(sort, word, needed(cls, but=p.name) | {p.name: value})
    assert type(made) is cls
    expected = read(p, value)
    if sort is OBSTACLES and p.name in ("normal",):
        expected = tuple(np.array(value) / np.linalg.norm(value))
    if p.name == "direction":
        expected = tuple(np.array(value) / np.linalg.norm(value))
    assert same(getattr(made, p.name), expected)


@pytest.mark.parametrize("sort, word, cls", CLASSES, ids=lambda v: v if isinstance(v, str) else "")
def test_what_a_file_leaves_out_is_the_default(sort: Sort, word: str, cls: type) -> None:
    made = built(sort, word, needed(cls))
    for p in parameters_of(cls):
        if sort is OBSTACLES and p.name in FOUND_OUT:
            assert FOUND_OUT[p.name](made), p.name
        elif p.in_files and p.file_default is not MISSING:
            assert same(getattr(made, p.name), usual(p)), p.name


@cache
def schema() -> dict[str, Any]:
    return json.loads(scene.json_schema())["$defs"]


@pytest.mark.parametrize("sort, word, cls, p", FILED)
def test_the_schema_has_its_sentence_unit_and_default(
    sort: Sort, word: str, cls: type, p: Parameter
) -> None:
    shared = sort is OBSTACLES and p.name in FOUND_OUT
    name = "Run" if sort is STEPPERS else "ObstacleTable" if shared else f"{cls.__name__}Table"
    field = schema()[name]["properties"][p.name]
    if sort is STEPPERS:
        assert f"{word} ({p.default:g})" in field["description"]
    else:
        assert field["description"] == p.note.description
        required = p.name in schema()[name].get("required", ())
        assert required == (p.file_default is MISSING)
        if not required:
            assert same(field["default"], p.file_default)
    assert p.note.about or p.note.unit
    if isinstance(p.note, Quantity) and not p.note.whole:
        assert p.note.unit


@pytest.mark.parametrize("sort, word, cls", CLASSES, ids=lambda v: v if isinstance(v, str) else "")
def test_nothing_is_left_undeclared(sort: Sort, word: str, cls: type) -> None:
    """A parameter is declared with what files call it, or with the reason why they do not."""
    if cls.__init__ is object.__init__:
        return
    names = set(inspect.signature(cls.__init__).parameters) - {"self"}
    if sort is not OBSTACLES:
        names -= ABOUT_THE_BODY
    declared = {p.name for p in parameters_of(cls)}
    assert names == declared
    assert all(p.note.about for p in parameters_of(cls) if isinstance(p.note, InPython))


def test_settings_of_other_steppers_are_refused() -> None:
    text = BODY.format(material="young = 1e5", damping="")
    run = '[run]\nstepper = "BDF2"\nbeta = 0.3\n'
    with pytest.raises(
        scene.SceneError, match=r"run.beta: is given; .* stepper = \"Newmark\" only"
    ):
        scene.parse(run + text)
    run = '[run]\nstepper = "LinearisedImplicit"\ntolerance = 0\n'
    with pytest.raises(
        scene.SceneError, match=r"got 0; expected 0 < tolerance < 1 with Linearised"
    ):
        scene.parse(run + text)


def test_a_tolerance_that_is_not_used_is_told(caplog: pytest.LogCaptureFixture) -> None:
    """Files with one have always been read."""
    run = '[run]\nstepper = "SymplecticEuler"\ntolerance = 1e-3\ndt = 1e-4\n'
    scene.parse(run + BODY.format(material="young = 1e5", damping=""), name="a.toml").build()
    assert "a.toml:3: run.tolerance: SymplecticEuler has none; it is not used" in caplog.text


@pytest.mark.parametrize(
    "cls, p",
    [
        pytest.param(cls, p, id=f"{word}-{p.name}")
        for _, word, cls in CLASSES
        for p in parameters_of(cls)
        if isinstance(p.note, Quantity)
    ],
)
def test_true_is_no_number(cls: type, p: Parameter) -> None:
    with pytest.raises(ValueError, match="True"):
        example_of(cls, **{p.name: True})
