"""Every example runs, stays short, and leaves a picture."""

import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
#: Those that take over eight seconds of processor time; what they show has tests of its own.
LONG = {
    "beam_is_played_from_a_table",
    "cake_is_cut_in_three",
    "ducks_fall_into_a_box",
    "flag_flutters_in_the_wind",
    "rod_shell_and_solid_hang_by_one_rule",
    "wire_springs_back_into_its_spiral",
}


def test_long_examples_are_there():
    assert {path.stem for path in EXAMPLES} >= LONG


@pytest.mark.parametrize(
    "example",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.slow] if path.stem in LONG else [])
        for path in EXAMPLES
    ],
)
def test_example_leaves_a_picture(example, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(example), run_name="__main__")
    picture = tmp_path / "out" / f"{example.stem}.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size > 10_000  # an empty page is about 4 kB


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_is_short(example):
    assert len(example.read_text(encoding="utf-8").splitlines()) < 60


def test_there_are_examples():
    assert len(EXAMPLES) >= 3
