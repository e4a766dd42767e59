"""The study of relative damping: what it measures is true, and its page is whole."""

import importlib
import re
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "studies"))
dampings, measured, onestep, pair, results, runs, scenes, search, study, tremble = (
    importlib.import_module(f"schmedding-2009.{n}")
    for n in (
        "dampings",
        "measured",
        "onestep",
        "pair",
        "results",
        "runs",
        "scenes",
        "search",
        "study",
        "tremble",
    )
)
KINDS, CASES = dampings.KINDS, tuple(scenes.CASES)


@pytest.mark.parametrize("name", CASES)
def test_scenes(name):
    """Meshes are sound, and the slowest vibration is one: force = omega^2 m v."""
    case = search.case_of(name)
    assert case.parts.mesh.measures["tet4"].min() > 0.0 and len(case.parts.tetrahedra) < 500
    omega, v = case.slowest
    assert 1.0 < omega < 0.1 * 2.0 / case.limit  # far from the fastest
    system = case.body.system()
    small = 1e-8 / np.abs(v).max()
    force = system.assembly.gradient(system.undeformed + small * v)[system.free] / small
    wanted = omega**2 * (system.masses[:, None] * v)[system.free]
    # 1e-8 m is 1e-6 of the shortest edge, and edges are 1e4 times as stiff as this vibration.
    assert force == pytest.approx(wanted, abs=0.02 * np.abs(wanted).max())


@pytest.mark.parametrize("name", ["point", "spring, iterated", "local, rotation", dampings.PAPER])
def test_strengths(name):
    """The strength for a visible damping gives it."""
    case, kind = search.case_of("sneaker"), KINDS[name]
    dt = 0.2 * case.limit
    s = kind.strength_for(case, 0.02, dt)
    assert 0.0 < s <= 1.0
    if s < 1.0:
        assert kind.visible(case, s, dt) == pytest.approx(0.02, rel=1e-3)


def test_steps_keep_what_they_should():
    found = {n: onestep.one_step(KINDS[n], trials=3) for n in KINDS if KINDS[n].make}
    for name, step in found.items():
        if name != "point":
            assert step.momentum < 1e-12, name
        if name not in ("point", "spring, iterated, not projected") and "torque left" not in name:
            assert step.spin < 1e-12, name
        if "programme" not in name:
            assert step.worst < 1.0, name
    assert found["global, programme"].worst > 1.0  # knows nothing of energy
    assert found["global, torque left"].spin == pytest.approx(1.0)
    assert found["local, torque left"].spin > 0.01
    assert found["global, rotation"].worst < 1e-20
    # What the paper's eliminations leave in, the rotation takes out.
    for way in ("distances", "directions"):
        assert found[f"global, {way}"].vibration > 0.3
        assert found[f"local, {way}"].vibration > 1.3 * found["local, rotation"].vibration


def test_a_pair_stretches_itself_past_half_of_the_bound():
    assert pair.stretch(0.5) < 1e-3 and pair.stretch(0.9) < 1.0
    assert pair.stretch(1.5) > 5.0


def test_the_fall():
    """Spring damping leaves a fall alone to rounding; point damping does not."""
    case = search.case_of("sneaker")
    fallen = {n: runs.fallen(case, measured.flight("sneaker", n, 0.9)) for n in ("point", "spring")}
    assert fallen["spring"] == pytest.approx(1.0, abs=1e-9)
    assert fallen["point"] < 0.8


def test_iterations_converge():
    left = measured.iterated((1, 10, 1000))
    assert left[1] > left[10] > 0.01 > 1e-3 > left[1000]


@pytest.mark.parametrize("gamma", [0.0, 0.8])
def test_the_law_of_8(gamma):
    """The largest step by sqrt((2 - g)/(2 - 2 g)), to the 2 % of the search."""
    (ratio,) = tremble.law((gamma,)).values()
    assert ratio == pytest.approx(tremble.predicted(gamma), rel=0.03)


def test_largest_steps_of_the_sneaker():
    def stable(name, strength, ratio):
        return search.stable(KINDS[name], "sneaker", strength, ratio)

    assert stable("none", 0.0, 0.9) and not stable("none", 0.0, 1.05)
    assert stable("global, torque left", 1.0, search.MOST)
    assert stable("spring, iterated", 1.0, 1.5) and not stable("spring", 1.0, 1.5)
    assert stable("local, torque left", 1.0, 1.5) and not stable("local, directions", 1.0, 1.5)
    assert not stable(dampings.PAPER, 1.0, 1.5) and stable("both, rotation", 1.0, 5.0)


def test_a_line_of_the_table():
    """The best strength holds a longer step than the visible damping, and the fall stays free."""
    found = results.found(KINDS["local, torque left"], "sneaker")
    assert 0.8 < found.matched.ratio < 1.2 and 0.0 < found.matched.strength < 0.1
    assert found.best.ratio > 1.3 and found.best.strength == 1.0
    assert found.left == pytest.approx(1.0, abs=1e-9)


@pytest.mark.slow
def test_page(tmp_path):
    text = study.main(tmp_path).read_text(encoding="utf-8")
    assert text.count("data:image/svg") == 6 and not re.search(r'(src|href)="https?://', text)
    for name in KINDS:
        assert len(re.findall(rf"<tr><td>{re.escape(name)}(?: \(ours\))?</td>", text)) >= 3
    kinds = re.findall(r'class="verdict (\w+)"', text)
    assert len(kinds) == 21 and kinds.count("MISPRINT") == 3
    assert not re.search(r">nan<", text)
