"""Chains of bones in Blender: so many bounces, still at a frame, keyed onto the chosen bones only."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

SCRIPT = Path(__file__).parent / "blender_addon" / "chains.py"
STOPS, STILL = 13, 37


@pytest.fixture(scope="module")
def seen(blender):
    return blender(SCRIPT)


def beside(seen, which):
    """How far the end of the tail is beside where it is animated, to the side."""
    return (np.array(seen[which]) - np.array(seen["led"]))[:, 0]


def test_the_end_lags_behind_bounces_and_is_still_on_cue(seen):
    x = beside(seen, "swung")
    assert np.abs(x[:5]).max() < 1e-6  # until it is released it goes as animated
    assert x[5:STOPS].min() < -0.1 and x[STOPS - 1 :].max() > 0.15
    # The envelope of two bounces in a second; float32 of the pose.
    assert np.abs(x[STILL - 1 :]).max() < 0.0105 * np.abs(x[STOPS - 1 :]).max()
    turns = np.flatnonzero(np.diff(np.sign(x[STOPS:STILL])))
    assert len(turns) == 4  # two bounces pass zero four times
    assert turns[2] - turns[0] == pytest.approx((STILL - STOPS) / 2, abs=1)


def test_only_the_chosen_bones_have_keys_and_all_is_as_before_afterwards(seen):
    assert "No bone is selected" in seen["nothing"]
    assert seen["keyed"] == sorted(f"tail{i}" for i in range(20)) and seen["body"]
    assert seen["removed"] == [True, True, 1]


def test_a_changed_number_is_baked_at_once(seen):
    x = beside(seen, "live")[STOPS:STILL]
    assert len(np.flatnonzero(np.diff(np.sign(x)))) == 6


def test_it_is_let_go_from_its_pose_and_goes_home(seen):
    # Home is straight up, above the body, which has gone to the side by 0.8 m.
    end, body = (np.array(x) for x in seen["home"])
    assert end[0] - body[0] > 0.15
    assert end[-1] - body[-1] == pytest.approx(0.0, abs=2e-3)


def test_a_loop_has_no_seam(seen):
    x = np.array(seen["loop"])
    swing = np.ptp(x, axis=0).max()
    assert swing > 2.1  # wider than the body, which goes 2 m
    assert np.abs(x[-1] - x[0]).max() < 1e-3 * swing  # the promise; it is rounding


def test_twenty_bones_take_less_than_a_millisecond_a_frame(seen):
    assert seen["speed"] < 1.0
