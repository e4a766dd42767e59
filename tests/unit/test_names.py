"""Names of bodies stand in tables and messages of one line; names of classes are unique."""

import ast
from collections import Counter
from pathlib import Path

import pytest

import pliant
from pliant import scenefile as scene
from tests.unit.scene_texts import MATERIAL


@pytest.mark.parametrize("name", ["a\\nb", "a\\u0000b", "x" * 101])
def test_odd_names_in_scene_files_are_refused_on_one_line(name):
    text = f'[body."{name}"]\nmesh = {{ box = {{}} }}\n{MATERIAL}\n'
    with pytest.raises(scene.SceneError, match="names of at most 100 characters") as caught:
        scene.parse(text, name="a.toml")
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 250


def test_names_with_brackets_are_shown_whole(capsys, monkeypatch):
    """What is in brackets is a colour to rich, unless it is told."""
    from pliant.take import progress_bar

    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar(1, "beam[red].obj", show=True) as advance:
        advance()
    assert "beam[red].obj" in capsys.readouterr().err


def test_two_classes_never_share_a_name():
    source = Path(pliant.__file__).parent
    found = [
        node.name
        for path in source.rglob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    ]
    assert not [name for name, count in Counter(found).items() if count > 1]
