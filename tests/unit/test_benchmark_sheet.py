"""The sheet of the benchmarks: what is measured of it, by ours on a small one. No times."""

import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks import cloth, sheet


def test_the_sheet_is_regular_and_held_at_two_corners():
    case = sheet.Sheet(5)
    assert case.triangles.shape == (32, 3)
    sides = case.points[case.triangles[:, 1:]] - case.points[case.triangles[:, :1]]
    areas = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1) / 2
    assert areas == pytest.approx(1 / 32)
    assert np.array_equal(case.points[case.held], [[0, 0, 0], [1, 0, 0]])
    assert np.array_equal(case.start[case.held], case.points[case.held])
    assert case.stretches(case.points) == pytest.approx((0.0, 0.0), abs=1e-15)
    # Along x alone: edges along x by a tenth, those along z by nothing.
    mean, largest = case.stretches(case.points * [1.1, 1.0, 1.0])
    assert largest == pytest.approx(0.1) and 0.0 < mean < 0.1


def test_both_steppers_are_measured_and_stretch_alike_at_rest(monkeypatch):
    monkeypatch.setattr(sheet, "REST_FRAMES", 120)
    found = {
        who: sheet.measure(partial(cloth.Ours, linearised=who == "linearised"), 8, rest=True)
        for who in cloth.OURS
    }
    for result in found.values():
        assert result["frames"] == sheet.FRAMES
        assert 0.8 < result["half"] < 1.3  # it has swung down
    # Forces taken at the start of a step let a sheet that turns stretch, until it rests.
    one, all_of_it = (np.array(found[who]["rest"]) for who in cloth.OURS)
    assert one == pytest.approx(all_of_it, rel=0.1)
    assert found["linearised"]["stretch"][0] > 1.5 * found["implicit"]["stretch"][0]


def test_rows_say_what_failed_and_how_much_faster_the_rest_is():
    good = {"setup": 0.1, "frame": 0.01, "cpu": 0.01, "stretch": [0.001, 0.02], "half": 0.9}
    good |= {"end": None, "memory": 0.2, "settings": "any"}
    assert " 4.00 " in cloth.row("40", "linearised", good, {**good, "frame": 0.04})
    assert cloth.row("40", "MuJoCo", {"failed": "blew up"}, None).endswith("blew up")
