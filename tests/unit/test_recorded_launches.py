"""Launches that are recorded, and what happens if Warp has recorded none."""

import pytest
import warp as wp

from pliant.backend import Recorded
from pliant.resources import require_file


def test_what_cannot_be_replayed_is_launched_as_it_is(monkeypatch):
    made = []

    def replay(graph):
        raise RuntimeError("CPU graph replay failed: no operations recorded")

    monkeypatch.setattr(wp, "capture_launch", replay)
    recorded = Recorded(lambda: made.append(1), [], wp.get_device("cpu"))
    recorded("one", None)
    first = len(made)
    recorded("one", None)
    assert first >= 1 and len(made) == first + 1  # once for the recording, then each time for real


def test_a_name_with_a_null_character_is_refused_in_our_words(tmp_path):
    with pytest.raises(ValueError, match="its name has a character that no name can have"):
        require_file(tmp_path / "x\0y", "file")
