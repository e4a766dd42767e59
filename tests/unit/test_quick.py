"""`make quick` runs some tests of every room, and they are there."""

from pathlib import Path

import pliant
from tests.quick import ROOMS, files

ROOT = Path(__file__).parents[2]


def test_every_room_has_quick_tests():
    package = Path(pliant.__file__).parent
    rooms = {p.name for p in package.iterdir() if (p / "__init__.py").is_file()}
    assert rooms == set(ROOMS), f"change ROOMS in tests/quick.py: {rooms ^ set(ROOMS)}"
    assert all(ROOMS.values())


def test_quick_tests_are_there_and_none_is_slow():
    for name in files():
        lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
        assert any(line.startswith("def test_") for line in lines), name
        assert not any(line.strip().startswith("@pytest.mark.slow") for line in lines), name


def test_make_runs_them():
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8")
    under = recipe.split("\nquick:")[-1].split("\n\n")[0]
    assert "tests.quick" in under and "lint" in under
