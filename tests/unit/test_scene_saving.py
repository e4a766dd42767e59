"""Scene files that are changed, written again, and made of scenes."""

import pytest

import pliant as pl
from pliant import scenefile as scene

COMMENTED = """# by hand
[run]
seconds = 0.1   # short

[body.beam]
mesh = { file = "parts/part.vtu" }  # from the mesher
material = { young = 5e6 }
settle = { rest_in = 1.0 }
"""


@pytest.fixture
def on_disk(tmp_path):
    (tmp_path / "parts").mkdir()
    pl.meshes.box(cells=(2, 1, 1)).write(tmp_path / "parts" / "part.vtu")
    (tmp_path / "a.toml").write_text(COMMENTED)
    return tmp_path


def test_overrides_change_the_text_and_keep_the_comments(on_disk):
    file = scene.read(on_disk / "a.toml", ["body.settle.rest_in=1.2", "body.settle.bounces=1"])
    assert file.scene_text == COMMENTED.replace("rest_in = 1.0", "rest_in = 1.2, bounces = 1")
    assert scene.read(on_disk / "a.toml").scene_text == COMMENTED
    assert file.override(["run.seconds=3"]).run.seconds == 3.0
    assert file.run.seconds == 0.1  # it never changes itself
    with pytest.raises(ValueError):
        file.run = None


def test_a_saved_scene_finds_its_files_from_anywhere(on_disk, monkeypatch):
    file = scene.read(on_disk / "a.toml", ["body.settle.bounces=2"])
    saved = file.save(on_disk / "deep" / "er" / "b.toml")
    assert "../../parts/part.vtu" in saved.read_text() and "# by hand" in saved.read_text()
    monkeypatch.chdir(on_disk / "parts")
    again = scene.read("../deep/er/b.toml")
    assert again.body["beam"].settle.bounces == 2
    assert len(again.build().bodies["beam"].mesh) == 12
    assert file.save(on_disk / "c.toml").read_text() == file.scene_text


def test_the_text_of_a_take_makes_the_scene_again(on_disk):
    file = scene.read(on_disk / "a.toml")
    again = scene.parse(file.scene_text, folder=file.folder)
    assert again.model_dump() == file.model_dump()
    moved = file.moved_to(on_disk / "parts")
    assert moved.body["beam"].mesh.file == "part.vtu"
    moved.build()


def test_a_scene_made_in_python_can_be_saved(tmp_path):
    made = scene.SceneFile.model_validate(
        {
            "title": "made",
            "run": {"gravity": [0, -1, 0]},
            "body": {
                "my beam": {
                    "mesh": {"box": {"cells": [1, 1, 1]}},
                    "material": {"young": 1e6},
                    "fix": ["x < 0.1", {"points": [7]}],
                }
            },
        }
    )
    again = scene.read(made.save(tmp_path / "made.toml"))
    assert again.model_dump() == made.model_dump()
    assert again.build().names == ["my beam"]
