"""Painted and keyed wishes in Blender, and the files that a bake can be."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).parent / "blender_addon" / "outputs.py"


@pytest.fixture(scope="module")
def seen(blender, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT / "src"))
        folder = tmp_path_factory.mktemp("outputs")
        return blender(SCRIPT, folder=folder, python=sys.executable)


@pytest.mark.slow
@pytest.mark.parametrize(("output", "suffix"), [("MDD", ".mdd"), ("USD", ".usdc"), ("ABC", ".abc")])
def test_writes_its_file_and_shows_the_same(seen, output, suffix):
    assert suffix in seen[f"{output} files"]
    assert np.array_equal(seen[output], seen["MDD"])
    assert seen[f"{output} selected"] == ["Torus"]
    assert seen.get(f"{output} back", 192) == 192


@pytest.mark.slow
def test_weights_are_shares_of_the_time_to_rest(seen):
    numbers = re.search(r"rest_in = \[([^]]+)\]", seen["painted"])[1]
    asked = np.array([float(n) for n in numbers.split(",")])
    assert len(asked) == 192 and set(asked.round(6)) == {1.0, 0.3}  # frames 5 to 29 at 24 a second


@pytest.mark.slow
def test_a_keyed_wish_counts_from_its_key_on(seen):
    assert f"then = [{{ at = {10 / 24!r}, settle = {{ rest_in = {14 / 24!r}" in seen["keyed"]
    start, key, rest = seen["away"]
    assert key > 0.5 * start  # on its way to frame 90
    assert rest < 0.0105 * max(start, key)
