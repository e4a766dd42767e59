"""Numbers and nesting that no scene can have: one line each, in the words of the file."""

import pytest

from pliant import scenefile as scene
from pliant.resources import memory
from tests.unit.scene_texts import text

BEAM = text('fix = "x < 0.01"', "density = 1000", "settle = { rest_in = 0.5, bounces = 1 }")
DEEP = "not TOML: tables and lists nested more than 30 deep"


def mistake(told):
    with pytest.raises(scene.SceneError) as caught:
        scene.parse(told, name="a.toml").build()
    assert len(str(caught.value)) < 400
    return str(caught.value)


@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize(
    ("there", "field"),
    [
        ("1000", "body.beam.density"),
        ("5e6", "body.beam.material.young"),
        ("0.5", "body.beam.settle.rest_in"),
        ("8, 2, 2", "body.beam.mesh.box.cells"),
    ],
)
def test_an_integer_of_400_digits(there, field, sign):
    huge = f"{sign}1{'0' * 400}"
    said = mistake(BEAM.replace(there, huge + there[1:] if "," in there else huge, 1))
    assert field in said and "a whole number of 401 digits" in said and "1e20" in said


@pytest.mark.parametrize("number", ["1" + "0" * 5000, "0x" + "f" * 5000])
def test_an_integer_that_python_cannot_print(number):
    assert "a whole number of" in mistake(BEAM.replace("1000", number))


@pytest.mark.parametrize("number", ["1e308", "-1e308", "3e200", "1e400", "1e-320", "nan"])
def test_a_number_that_cannot_be_computed_with(number):
    said = mistake(BEAM.replace("1000", number))
    assert "body.beam.density: got" in said and "density > 0 [kg/m^3]" in said


@pytest.mark.parametrize(
    "value",
    ["[" * 400 + "]" * 400, "[" * 40 + "]" * 40, "{ a = " * 100 + "1" + " }" * 100],
    ids=["400 lists", "40 lists", "100 tables"],
)
def test_nesting(value):
    assert mistake(f"title = {value}\n{BEAM}") == f"a.toml:1: {DEEP}"
    with pytest.raises(scene.SceneError, match="body.beam.density"):
        scene.parse(BEAM, overrides=[f"body.density={value}"])


def test_a_key_of_a_thousand_parts():
    assert mistake(f"{'a.' * 1000}b = 1\n{BEAM}") == f"a.toml:1: {DEEP}"
    with pytest.raises(scene.SceneError, match="expected field=value"):
        scene.parse(BEAM, overrides=[f"{'a.' * 1000}b=1"])


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ("fps = 1e20", "run.fps: 2 s are 2.0e+20 steps of 1e-20 s; expected at most 1e+09 steps"),
        ("dt = 1e-90", "expected at most 1e+09 steps"),
        ("fps = 1e-200", "run.fps: got 1e-200; expected fps > 0 [1/s], from 1e-100 to"),
        ("seconds = 1e99", "run.seconds: 1e+99 s are 6.0e+100 steps"),
    ],
)
def test_a_run_without_end(run, said):
    assert said in mistake(text(run=run))


@pytest.mark.parametrize("cells", ["[3e200, 3, 3]", "[1e20, 3, 3]"])
def test_cells_without_end(cells):
    assert "at most 1e+" in mistake(BEAM.replace("[8, 2, 2]", cells))


@pytest.mark.parametrize(
    "mesh",
    [
        "{ box = { cells = [1000000, 1000000, 3] } }",
        "{ sphere = { cells = 1000000 } }",
        "{ cylinder = { cells = [1000000, 1000000] } }",
        "{ rectangle = { cells = [100000000, 10000] } }",
        "{ disk = { rings = 100000000 } }",
        "{ annulus = { cells = [100000000, 10000] } }",
        "{ trapezoid = { bottom = 100000000, rows = 10000 } }",
        "{ line = { a = [0, 0, 0], b = [1, 0, 0], cells = 1000000000000 } }",
        '{ curve = { at = ["t", "0", "0"], cells = 1000000000000 } }',
    ],
)
def test_more_cells_than_memory(mesh):
    said = mistake(text(mesh=mesh))
    assert "takes at least" in said and f"this machine has {memory() / 1e9:.3g} GB" in said
    assert "expected fewer" in said and "pl." not in said


def test_bounces_have_the_limit_that_steps_set():
    wish = "settle = { rest_in = 0.5, bounces = 1 }"
    said = mistake(BEAM.replace(wish, wish.replace("1 }", "300_000_000 }")))
    assert "bounces: got 300000000; expected at most 250000000: a bounce takes 4 steps" in said
    said = mistake(BEAM.replace(wish, wish.replace("1 }", "1_000_000 }")))
    assert "cannot be drawn with dt=0.0166667 s" in said and "in [run]" in said


def test_a_number_in_an_expression():
    said = mistake(text(f'fix = "x < 1{"0" * 380}"'))
    assert "body.beam.fix: got" in said
