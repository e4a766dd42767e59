"""The study of the oscillator: its claims are what is measured, and its page is whole."""

import importlib
import re
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "studies"))
claims, study, runs, theory = (
    importlib.import_module(f"oscillator.{n}") for n in ("claims", "study", "runs", "theory")
)


def verdicts(found):
    return [claim.verdict.name for claim in found]


def test_lecture():
    assert verdicts(claims.lecture_claims()) == ["HOLDS", "HOLDS"]


@pytest.mark.slow
def test_spring_meshes():
    """The printed step does not blow up; explicit Euler does; the average of velocities halves."""
    found = claims.mesh_claims()
    assert verdicts(found) == ["FAILS", "HOLDS", "HOLDS", "PARTLY"]
    # (1 + omega^2 dt^2)^10000 = 1.001^10000.
    assert f"{1.001**10000:.0f} times" in found[0].found
    # ln(1 + omega^2 dt^2)/dt with omega^2 = 1000.
    assert (
        ", ".join(f"{np.log1p(1000 * d**2) / d:.3f}" for d in (1e-3, 5e-4, 2.5e-4))
        in found[1].found
    )


def test_explicit_euler_beyond_critical_damping():
    s = theory.limit("ExplicitEuler", 1.107)
    assert (
        theory.growth("ExplicitEuler", 0.999 * s, 1.107)
        < 1
        < theory.growth("ExplicitEuler", 1.001 * s, 1.107)
    )


@pytest.mark.slow
def test_page(tmp_path):
    text = study.main(tmp_path).read_text(encoding="utf-8")
    assert text.count("data:image/svg") == 3 and not re.search(r'(src|href)="https?://', text)
    rows = re.findall(r"<tr><td><code>(\w+)</code></td>(.*?)</tr>", text)
    assert [name for name, _ in rows] == list(runs.STEPPERS)
    for _, cells in rows:
        order, *limits, energy = (
            tuple(w.strip("()") for w in cell.split("\u00a0"))
            for cell in re.findall(r"<td>(.*?)</td>", cells)
        )
        assert float(order[0]) == pytest.approx(float(order[1]), abs=0.04)
        for found, expected in limits:
            assert found == expected or float(found) == pytest.approx(float(expected), rel=2e-3)
        assert float(energy[0]) == pytest.approx(float(energy[1]), rel=1e-3)
    kinds = re.findall(r'class="verdict (\w+)"', text)
    assert kinds == ["HOLDS"] * 5 + ["FAILS", "HOLDS", "HOLDS", "PARTLY"]
