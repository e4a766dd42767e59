"""The guide to models names every body, and its tables have measured each."""

import inspect
import re
from pathlib import Path

import pytest

import pliant as pl
from pliant.bodies import Deformable

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "which-model.md").read_text(encoding="utf-8")
BODIES = [
    name
    for name in pl.__all__
    if inspect.isclass(cls := getattr(pl, name)) and issubclass(cls, Deformable)
]


def tables():
    """The results that the guide shows."""
    names = re.findall(r"^\[measured\]\(\.\./benchmarks/results/(models-\w+\.md)\)$", GUIDE, re.M)
    assert len(names) == 4
    return "".join((ROOT / "benchmarks" / "results" / name).read_text() for name in names)


@pytest.mark.parametrize("name", BODIES)
def test_the_guide_names_every_body_and_has_measured_it(name):
    rows = [line for line in GUIDE.splitlines() if line.startswith("| ")]
    assert any(f"pl.{name}`" in row for row in rows)
    # A snake lives in pictures, and long elements do not bend; the guide says so.
    measured = re.search(rf"^\| {name}\b", tables(), re.MULTILINE)
    told = {"Snake": "it lives in pictures", "LongElements": "its elements do not bend"}
    assert measured or f"`pl.{name}` is missing: {told[name]}" in GUIDE


def test_steppers_of_their_own_are_measured_too():
    assert "`pl.XPBD()`" in tables() and "pl.Impact()" in GUIDE


def test_tables_have_the_rows_of_the_benchmark():
    from benchmarks import models

    every = [*models.BEAMS, *models.STRANDS, *models.HANGING, *models.SHEETS]
    found = re.findall(r"^\| (?!model|---)(.*?) \| \d", tables(), re.MULTILINE)
    assert found == [entry.name for entry in every]
