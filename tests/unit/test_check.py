"""`pliant check` and `pliant new`."""

import json
import re

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

import pliant as pl
from pliant import scenefile as scene
from pliant.cli import check, new
from pliant.problem import System

APP = typer.Typer()
APP.command("check")(check.check)
APP.command("new")(new.new)

BEAM = """\
[run]
seconds = 1.0
dt = 0.02
fps = 25

[body.beam]
mesh = { box = { size = [4, 1, 1], cells = [6, 2, 2] } }
material = { young = 5e6, poisson = 0.4 }
settle = { rest_in = 0.75, bounces = 2 }
fix = "x < 0.01"
"""
HEAVY = BEAM.replace("[run]", "[run]\ngravity = [0, -9.81, 0]")


def called(*arguments):
    return CliRunner().invoke(APP, [str(a) for a in arguments], catch_exceptions=True)


@pytest.fixture
def beam(tmp_path):
    path = tmp_path / "beam.toml"
    path.write_text(BEAM)
    return path


def test_a_good_scene_is_reported_and_ready(beam):
    result = called("check", beam)
    assert result.exit_code == 0, result.output
    for words in ("63 points, 144 tet4", "4 x 1 x 1 m, 4000 kg", "9 of 63 points", "2 bounces",
                  "50 steps of 0.02 s", "26 frames", "ready"):  # fmt: skip
        assert words in result.output, result.output
    body = scene.read(beam).build().bodies["beam"]
    period = 2 * np.pi / np.sqrt(body.system().modes(body.mesh.points, 1)[0][0])
    assert f"{period:.3g}," in result.output
    assert f"{body.damping.longest_dt:.4g} s; asked 0.02 s" in result.output
    # Positions and velocities of 63 points in 26 frames, 8 bytes each.
    assert f"{26 * 2 * 63 * 3 * 8 / 1000:.3g} kB" in result.output


@pytest.mark.parametrize(
    "reduce, told",
    [
        ("{ modes = 12 }", "of the rest shape by the modes alone"),
        ("{ modes = 4, size = 9 }", "of the way to the rest shape of the full body"),
    ],
    ids=["modal", "subspace"],
)
def test_few_coordinates_are_told_with_their_error_and_cost(tmp_path, reduce, told):
    path = tmp_path / "beam.toml"
    path.write_text(HEAVY + f"reduce = {reduce}\n")
    result = called("check", path)
    assert result.exit_code == 0, result.output
    share, size = re.search(r"left out +│ (\S+) of", result.output), r"frames, ([\d.]+) kB as .zarr"
    assert 0.0 < float(share[1]) < 0.1 and told in result.output
    # Twelve columns of 189 numbers or more, once, and some hundred numbers a frame.
    assert float(re.search(size, result.output)[1]) > 8e-3 * 12 * 189


def test_weight_leaves_nothing_out_of_a_free_body(tmp_path):
    path = tmp_path / "beam.toml"
    path.write_text(HEAVY.replace('fix = "x < 0.01"', "reduce = { modes = 12 }"))
    assert "0 of the rest shape by the modes alone" in called("check", path).output


def test_a_mistake_gives_two_and_every_mistake_its_line(beam):
    beam.write_text(BEAM.replace("5e6", "-1").replace("2, 2]", "2, 0]"))
    result = called("check", beam)
    assert result.exit_code == 2
    lines = result.output.strip().splitlines()
    assert [line.split(": ")[1] for line in lines] == ["beam.toml:7", "beam.toml:8"]


def test_an_impossible_wish_says_the_longest_dt(beam):
    result = called("check", beam, "--set", "body.settle.bounces=20")
    assert result.exit_code == 2
    assert re.search(r"--set body.beam.settle: 20 bounces .*: set dt = 0.00638\d in \[run\]",
                     result.output)  # fmt: skip


def test_a_wish_needs_the_implicit_step(beam):
    result = called("check", beam, "--set", "run.stepper=SymplecticEuler")
    assert result.exit_code == 2 and "Settle needs the implicit step" in result.output


def test_the_explicit_step_has_a_limit_and_it_is_the_real_one(tmp_path):
    text = BEAM.replace("settle = { rest_in = 0.75, bounces = 2 }", "").replace("fps = 25\n", "")
    path = tmp_path / "free.toml"
    path.write_text(text.replace("[run]", '[run]\nstepper = "SymplecticEuler"'))
    result = called("check", path)
    assert result.exit_code == 2 and "too long for the explicit step" in result.output
    body = scene.read(path).build().bodies["beam"]
    limit = pl.SymplecticEuler().longest_dt(body.system())
    # An estimate within a per cent: five either side are clear of it.
    x = body.mesh.points + 1e-4 * np.random.default_rng(0).standard_normal((63, 3))
    x[body.pinned] = body.mesh.points[body.pinned]
    steady, fast = (
        {"seconds": 300 * limit, "dt": share * limit, "stepper": pl.SymplecticEuler()}
        for share in (0.95, 1.05)
    )
    body.place(x)
    take = pl.Scene([body]).run(**steady)
    assert np.abs(take.positions - body.mesh.points).max() < 1e-2
    body.reset()
    body.place(x)
    with np.errstate(all="ignore"), pytest.raises(pl.SolverError, match="blew up"):
        pl.Scene([body]).run(**fast)


def test_a_body_without_rest_is_a_problem_only_for_settle(beam):
    # A column too soft for its weight: by Greenhill it buckles below young = 9.6e5.
    beam.write_text(BEAM.replace("5e6", "3e5").replace("[run]", "[run]\ngravity = [-9.81, 0, 0]"))
    result = called("check", beam)
    assert result.exit_code == 2, result.output
    assert "beam.toml:10: body.beam.settle: no rest shape was found" in result.output
    beam.write_text(beam.read_text().replace("settle = ", "# settle = "))
    result = called("check", beam)
    assert result.exit_code == 0 and "no rest shape was found" in result.output


@pytest.mark.filterwarnings("error")
def test_a_shape_that_is_not_stable_has_no_periods(beam, monkeypatch):
    # As a free body of almost no stiffness has by rounding: its eigenvalues are -1e-20 instead of 1e-18.
    modes = System.modes
    monkeypatch.setattr(System, "modes", lambda *a, **k: (-modes(*a, **k)[0], None))
    result = called("check", beam)
    assert result.exit_code == 2 and "is not stable" in result.output, result.output


def test_quasi_static_frames_need_no_wish(beam):
    settings = ("run.stepper=QuasiStatic", "body.settle.bounces=20")
    result = called("check", beam, *(part for s in settings for part in ("--set", s)))
    assert result.exit_code == 0 and "every frame is an equilibrium" in result.output


def test_a_run_that_ends_too_early_is_noted(beam):
    result = called("check", beam, "--set", "body.settle.rest_in=3")
    assert result.exit_code == 0 and "but the run ends after 1 s" in result.output


def test_what_will_swing_on_is_noted(beam):
    hinge = 'fix = "x < 0.01 and y > 0.99"'
    text = BEAM.replace('fix = "x < 0.01"', hinge).replace(
        "[run]", "[run]\ngravity = [0, -9.81, 0]"
    )
    beam.write_text(text)
    result = called("check", beam)
    assert result.exit_code == 0 and "swings on" in result.output, result.output
    still = called("check", beam, "--set", "body.settle.swing=false")
    assert still.exit_code == 0 and "swings on" not in still.output, still.output


@pytest.mark.parametrize(("spin", "told"), [(20.0, False), (60.0, True)])
def test_what_spins_too_fast_is_noted(tmp_path, spin, told):
    file = tmp_path / "bar.toml"
    soft = BEAM.replace("5e6", "1e5").replace(
        'fix = "x < 0.01"', f"start = {{ spin = [0, 0, {spin}] }}"
    )
    file.write_text(soft)
    found = " ".join(called("check", file).output.split())
    assert "at rest in 0.75 s" in found
    assert ("lowest natural frequency" in found) is told


def test_the_schema_is_printed():
    result = called("check", "--schema")
    assert result.exit_code == 0
    assert json.loads(result.output)["properties"].keys() == {
        "title",
        "run",
        "body",
        "obstacle",
        "contact",
        "tie",
    }


def test_no_scene_at_all():
    result = called("check")
    assert isinstance(result.exception, ValueError)


def test_new_writes_a_scene_that_checks_and_refuses_to_overwrite(tmp_path):
    result = called("new", tmp_path / "first")
    path = tmp_path / "first.toml"
    assert result.exit_code == 0 and path.exists()
    file = scene.read(path, ["run.seconds=0.05", "body.mesh.box.cells=[4,1,1]"])
    assert len(file.build().run()) == 4
    again = called("new", tmp_path / "first.toml")
    assert isinstance(again.exception, ValueError) and "is there already" in str(again.exception)


#: Kinds of bodies that the starter shows; it need not show all there will ever be.
KINDS = [
    "material",
    "springs",
    "cloth",
    "shell",
    "rod",
    "preserving",
    "elastons",
    "form",
    "impact_rods",
]


def test_every_alternative_of_the_starter_is_valid(tmp_path):
    """Each commented field, put in the place of what it is an alternative to, is accepted."""
    text = new.starter()
    data = scene.parse(text)
    tried = set()
    for line in text.splitlines():
        found = re.match(r"# (\w+) = (.*)", line)
        if not found:
            continue
        name, value = found[1], re.sub(r"\s{2,}#.*", "", found[2]).strip()
        where = "run" if name in data.run.__class__.model_fields else "body"
        lines = [
            other for other in text.splitlines() if not re.match(rf"{name} = ", other)
            and not (name == "damping" and other.startswith("settle = "))
            and not (name == "dt" and other.startswith("fps"))
            and not (name in KINDS and other.startswith(("material", "density")))
        ]  # fmt: skip
        changed = scene.parse("\n".join(lines), overrides=[f"{where}.{name}={value}"])
        assert name in (changed.run if where == "run" else changed.body["beam"]).model_fields_set
        tried.add(name)
    others = "dt device mesh settle damping fix start drive push surface thickness stepper examples"
    assert tried >= {*others.split(), "tolerance", *KINDS} - {"material"}


TWO = """
[run]
seconds = 1
dt = 0.02
gravity = [0, -9.81, 0]

[body.upper]
mesh = { box = { size = [1, 1, 1], cells = [1, 1, 1], origin = [0, 2, 0] } }
material = { model = "StableNeoHookean", young = 1e5, poisson = 0.3 }

[body.lower]
mesh = { box = { size = [1, 1, 1], cells = [1, 1, 1], origin = [HERE, 0, 0] } }
material = { model = "StableNeoHookean", young = 1e5, poisson = 0.3 }
fix = "y < 0.01"
"""


@pytest.mark.parametrize(
    ("place", "contact", "meets"),
    [("0.5", "[contact]\nbodies = false\n", True), ("5", "", False), ("0.5", "", False)],
)
def test_bodies_that_will_pass_through_each_other_are_named(tmp_path, place, contact, meets):
    path = tmp_path / "two.toml"
    path.write_text(TWO.replace("HERE", place) + contact)
    result = called("check", path)
    assert result.exit_code == 0, result.output
    assert ("upper: it may meet lower: bodies do not touch each other" in result.output) is meets


@pytest.mark.parametrize(("radius", "thin"), [(0.1, True), (0.9, False)])
def test_obstacles_between_points_are_named(tmp_path, radius, thin):
    path = tmp_path / "one.toml"
    ball = f"[[obstacle]]\nsphere = {{ centre = [0.5, -3, 0.5], radius = {radius} }}\n"
    matter = 'material = { model = "StableNeoHookean", young = 1e5, poisson = 0.3 }'
    springs = TWO.replace(matter, "springs = { stiffness = 100.0, mass = 0.01 }").replace(
        "HERE", "5"
    )
    path.write_text(springs.replace("dt = 0.02", 'dt = 0.02\nstepper = "XPBD"') + ball)
    result = called("check", path)
    assert result.exit_code == 0, result.output
    assert ("is thinner than its cells" in " ".join(result.output.split())) is thin


HOPS = """
[run]
seconds = 1.5
gravity = [0, -9.81, 0]
[contact]
friction = 0.3
[body.ball]
mesh = {{ box = {{ size = [0.2, 0.2, 0.2], cells = [1, 1, 1], origin = [0, 0.5, 0] }} }}
material = {{ model = "StableNeoHookean", young = 1e6, poisson = 0.4 }}
density = 1000.0
settle = {{ rest_in = {rest_in}, bounces = {bounces} }}
[body.stone]
mesh = {{ box = {{ size = [0.2, 0.2, 0.2], cells = [1, 1, 1], origin = [1, 0, 0] }} }}
material = {{ model = "StableNeoHookean", young = 1e6, poisson = 0.4 }}
density = 1000.0
[[obstacle]]
half_space = {{ point = [0, -0.1, 0], normal = [0, 1, 0] }}
"""


def test_what_falls_hops_and_the_check_says_how_often(tmp_path):
    found = {}
    for rest_in, bounces in ((0.9, 2), (0.2, 9), (1.4, 1)):
        scene = tmp_path / "hops.toml"
        scene.write_text(HOPS.format(rest_in=rest_in, bounces=bounces))
        found[bounces] = " ".join(called("check", scene).output.replace("│", " ").split())
    assert "2 hops" in found[2] and "falls 0.6 m and touches after 0.35 s" in found[2]
    assert "lands with 3.43 m/s" in found[2] and "bounces" not in found[2]
    assert "of 9 hops in 0.2 s" in found[9]
    assert "rests before the 1.4 s are over" in found[1]
    assert "if it touches stone, without settle, its time to rest is not promised" in found[2]


def test_keys_are_told_and_those_that_come_too_late(beam):
    keys = "{ at = 0.6, settle = { rest_in = 0.4, bounces = 1 } }, { at = 1, settle = { rest_in = 1 } }"
    beam.write_text(beam.read_text() + f"then = [{keys}]\n")
    told = " ".join(called("check", beam).output.replace("│", " ").split())
    assert "from 0.6 s at rest in 0.4 s (0.01 left), 1 bounce" in told
    assert "before its key at 1 s" in told and "before its key at 0.6 s" not in told
