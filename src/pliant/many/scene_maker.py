"""A scene file as what makes the scene of a fit."""

from __future__ import annotations

from dataclasses import dataclass

from pliant.scene import Scene
from pliant.scenefile import SceneFile, parse, value_text


@dataclass(frozen=True)
class SceneMaker:
    """Makes the scene of a text with fields changed: `maker(**{"body.material.young": 1e5})`."""

    text: str
    folder: str

    @classmethod
    def of(cls, file: SceneFile) -> SceneMaker:
        """Of a scene file."""
        return cls(file.scene_text, str(file.folder.resolve()))

    def file(self, **values: float) -> SceneFile:
        """The scene file with these values."""
        given = [f"{field}={value_text(value)}" for field, value in values.items()]
        return parse(self.text, folder=self.folder, overrides=given)

    def __call__(self, **values: float) -> Scene:
        """The scene with these values."""
        return self.file(**values).build(progress=False).scene
