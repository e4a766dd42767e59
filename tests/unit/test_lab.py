"""The laboratory: what it measures on a case whose answers are known, and its page."""

import math
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

import pliant as pl
from pliant.cli.app import app
from pliant.lab import Case, compare, report
from pliant.lab.candidates import candidates
from pliant.lab.wish import Wish
from pliant.take import AT_REST

SCENE = """
[run]
seconds = 1.2
dt = "1/60"
[body.bar]
mesh = { rectangle = { size = [2, 0.5], cells = [4, 1] } }
material = { model = "StableNeoHookean", young = 2e5, poisson = 0.3 }
fix = "x < 0.01"
start = { bend = { degrees = 15, along = "x", towards = "y" } }
settle = { rest_in = 0.8, bounces = 2 }
"""


@pytest.fixture(scope="module")
def scene_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("lab") / "bar.toml"
    path.write_text(SCENE)
    return path


@pytest.fixture(scope="module")
def found(scene_file):
    names = [
        "Settle",
        "Settle, 2 bounces",
        "none",
        "Rayleigh, mass",
        "StrainRate",
        "RelativeDamping",
    ]
    return compare(Case.of(str(scene_file)), only=[*names, "ConditionDamping"], progress=False)


def test_the_laboratory_says_what_rest_is_and_can_measure_by_the_farthest_point(scene_file, found):
    assert all(words in report(found) for words in AT_REST.split("`within`"))
    case = replace(Case.of(str(scene_file)), measure="farthest", refines=False)
    far = compare(case, only=["Settle"], progress=False)
    assert far.of("Settle").rest_time != pytest.approx(found.of("Settle").rest_time, rel=1e-6)
    assert "Here the farthest point counts." in report(far)


def test_settle_rests_when_asked_at_every_step_and_mesh(found):
    for name in ("Settle", "Settle, 2 bounces"):
        f = found.of(name)
        times = [f.rest_time, f.halved, f.doubled, f.finer]
        assert times == pytest.approx([0.8] * 4, rel=0.03)
        assert f.flight.fall == pytest.approx(1.0, abs=1e-9)
        assert f.flight.spin == pytest.approx(1.0, abs=1e-6)
        assert f.shift < 1e-9
        assert math.isnan(f.longest_dt)
    assert found.of("Settle, 2 bounces").bounces == pytest.approx(2.0, abs=0.5)
    assert found.of("Settle").bounces == 0


def test_drag_slows_the_fall_as_theory_says(found):
    """v' = -g - c v by steps v <- (v - g dt)/(1 + c dt), over the fall without drag."""
    f = found.of("Rayleigh, mass")
    c, dt, steps = 2 * min(np.log(100) / 0.8, found.modes["bar"].omega), 1 / 60, 30
    v = x = 0.0
    for _ in range(steps):
        v = (v + 9.81 * dt) / (1 + c * dt)
        x += dt * v
    assert f.flight.fall == pytest.approx(x / (9.81 * dt**2 * steps * (steps + 1) / 2), rel=1e-6)
    assert f.flight.spin < 0.2
    assert f.cost > 0.0


def test_strain_rate_limits_the_step_and_none_does_not_rest(found):
    assert found.of("none").rest_time == math.inf
    assert found.of("StrainRate").longest_dt < 0.1 * found.of("none").longest_dt
    assert found.of("StrainRate").flight.fall == pytest.approx(1.0, abs=1e-6)
    assert "does not apply" in found.of("ConditionDamping").trouble


def test_curves_begin_at_one(found):
    for f in found.findings:
        if len(f.amplitude):
            assert f.amplitude[0] == pytest.approx(1.0)
            assert len(f.amplitude) == len(f.times) == 73


def test_bodies_of_springs_and_cloth_are_cases_too():
    def make(level):
        mesh = pl.meshes.refined(pl.meshes.rectangle((1, 1), (2, 2)), level)
        springs = pl.Springs(mesh, stiffness=200.0, mass=0.1)
        springs.fix(mesh.points[:, 0] < 1e-9)
        springs.place(mesh.points * [1.1, 1.0])
        return pl.Scene(springs, contact=False)  # thrown, it would fold onto itself for long

    case = Case("net", make, seconds=0.8, dt=1 / 60, rest_in=0.5)
    f = compare(case, only=["Settle", "SpringDamping"], progress=False).of("Settle")
    assert [f.rest_time, f.halved, f.doubled, f.finer] == pytest.approx([0.5] * 4, rel=0.03)


def test_command_writes_one_page(scene_file, tmp_path):
    page = tmp_path / "page.html"
    arguments = ["damping", str(scene_file), "-o", str(page), "--no-mesh"]
    ran = CliRunner().invoke(app, [*arguments, "--only", "Settle", "--only", "none"])
    assert ran.exit_code == 0, ran.output
    assert "rests after 0.8 s" in ran.output
    text = page.read_text()
    assert text.count("<table") == 3 and "<svg" not in text.split("base64")[0]
    assert "Every damping on bar" in text and "http://" not in text and "https://" not in text


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["-o", "page.pdf"], "expected a page"),
        (["-o", "nowhere/page.html"], "no folder"),
        (["--only", "magic"], "expected some of"),
    ],
)
def test_mistakes_are_told(scene_file, arguments, words):
    ran = CliRunner().invoke(app, ["damping", str(scene_file), *arguments])
    assert ran.exit_code != 0
    assert words in str(ran.exception)


def test_every_damping_of_the_library_has_a_place_in_the_laboratory():
    from pliant.kinds import DAMPINGS

    names = [c.name for c in candidates([Wish(1.0, 2)])]
    assert names[:3] == ["Settle", "Settle, 2 bounces", "none"] and len(names) == 14
    assert set(DAMPINGS.own()) == {name.partition(",")[0] for name in names}


def test_bodies_of_one_name_are_refused():
    def make(level):
        mesh = pl.meshes.rectangle((1, 1), (2, 2))
        return pl.Scene([pl.Springs(mesh, stiffness=10.0), pl.Springs(mesh, stiffness=20.0)])

    with pytest.raises(ValueError, match="expected names that differ"):
        compare(Case("two", make, seconds=0.1, dt=1 / 60, rest_in=0.5))
