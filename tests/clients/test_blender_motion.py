"""Secondary motion in Blender: what is animated drives the body, which lags behind and rests on cue."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

import pliant as pl

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).parent / "blender_addon" / "animated.py"
RELEASE, STOPS, REST = 101, 109, 133
RATE = 30 / 1.001


def animated(blender, folder, *ways):
    """What Blender shows of each way, as arrays (frames, root and tip, 3), and the takes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT / "src"))
        seen = blender(SCRIPT, folder=folder, python=sys.executable, ways=ways)
    for way, found in seen.items():
        found["posed"], found["baked"] = np.array(found["posed"]), np.array(found["baked"])
        found["take"] = pl.Take.read(folder / f"{way}_pliant" / "ear" / "take.npz")
    return seen


def check(found, *, stops):
    """Pins go where Blender has them; what is free is elsewhere on the way, and rests on cue."""
    posed, baked = found["posed"], found["baked"]
    # Cells that a pinned vertex has little of are free: the root is flat to a hundredth of a cell.
    assert np.abs(baked[:, 0] - posed[:, 0]).max() < 5e-3
    behind = np.linalg.norm(baked[:, 1] - posed[:, 1], axis=1)
    assert behind.max() > 0.1, behind
    left = found["take"].distance()
    written = round(1.0 / (RATE * (found["take"].times[1] - found["take"].times[0])))
    at_rest = left[written * (REST - RELEASE)]
    assert at_rest <= 0.0105 * left[written * (stops - RELEASE) :].max()
    asked = float(re.search(r"rest_in = ([\d.]+)", found["scene"])[1])
    assert asked == pytest.approx(((REST - stops) / RATE - 0.5 / RATE) / (1 + 1 / 8))


def test_an_armature_leads_its_ear(blender, tmp_path):
    found = animated(blender, tmp_path, "armature")["armature"]
    check(found, stops=STOPS)
    # At rest it has the shape that it was modelled in, turned as the bone is.
    np.testing.assert_allclose(found["baked"][-1], found["posed"][-1], atol=5e-3)


@pytest.mark.slow
def test_keyframes_a_parent_and_shape_keys_do(blender, tmp_path):
    seen = animated(blender, tmp_path, "keyframes", "parent", "thrown")
    check(seen["keyframes"], stops=STOPS)
    check(seen["parent"], stops=STOPS)
    # Keys in both directions: behind what speeds up, beyond what stops.
    beside = (seen["keyframes"]["baked"] - seen["keyframes"]["posed"])[:, 1, 0]
    assert beside.min() < -0.1 and beside.max() > 0.1
    # The lean of 18 mm a frame goes on, though the way home slows it at once: from standing it would
    # have gone back.
    thrown = seen["thrown"]["baked"]
    assert 1e-4 < thrown[1, 1, 0] - thrown[0, 1, 0] < 0.018
    left = seen["thrown"]["take"].distance()
    assert left[REST - RELEASE] <= 0.0105 * left.max()


@pytest.mark.slow
def test_what_falls_on_a_moving_object_and_on_each_other_is_still_on_cue(blender, tmp_path):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT / "src"))
        seen = blender(SCRIPT.with_name("company.py"), folder=tmp_path, python=sys.executable)
    assert "released at one frame; got High/1 at 3, Low at 1" in seen["apart"]
    # The floor rises to 0.3 m, and nothing goes through: within the gap of contact, 1 mm.
    assert min(seen["lowest"]) > 0.3 - 1e-6 and max(seen["lowest"]) < 0.302
    # They fall onto each other and stay there; the soft faces are hollow by a centimetre.
    assert seen["between"][0] > 0.19 and -0.02 < seen["between"][-1] < 1e-3
    assert seen["still"] < 5e-3
    assert {"cache-Low.pc2", "cache-High_1.pc2", "obstacle0.pc2"} <= set(seen["files"])
