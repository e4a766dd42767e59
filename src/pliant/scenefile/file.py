"""The whole scene file."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field, PrivateAttr, ValidationError, model_validator

from pliant.backend import check_device
from pliant.errors import shown
from pliant.given import path_of
from pliant.resources import require_file
from pliant.scene import Scene

from .body import BodyTable
from .contact import ContactTable
from .fields import Table, refuse
from .meshes import of_dim
from .mistakes import scene_error
from .obstacles import ObstacleTable, require_clear
from .reading import LONGEST_SCENE
from .run import Run
from .setup import Setup, check_stepper, check_wish, hang_as_drawn, lay_to_rest
from .source import Source
from .status import Status, silent
from .ties import TieTable
from .toml_text import dumps

log = logging.getLogger("pliant")


class SceneFile(Table):
    """A scene, validated: `pliant.scenefile.read("beam.toml")`.

    It never changes: `override` makes another. `save` writes it again, comments included.
    """

    title: str = Field("", description="what is seen, in a few words")
    run: Run = Field(Run.model_validate({}), description="how long, how finely, and where")
    body: dict[str, BodyTable] = Field(
        description="bodies by name: a section for each, as [body.beam]"
    )

    obstacle: list[ObstacleTable] = Field(
        [], description="fixed things that bodies cannot enter, each as [[obstacle]]"
    )

    contact: ContactTable | None = Field(
        None,
        description="how bodies touch each other, themselves and obstacles, as [contact]; by default "
        "with friction 0.3",
    )

    tie: list[TieTable] = Field(
        [], description="points of one body tied to points of another, each as [[tie]]"
    )

    _source: Source | None = PrivateAttr(None)

    @model_validator(mode="before")
    @classmethod
    def _named_bodies(cls, data: Any) -> Any:
        bodies = data.get("body") if isinstance(data, dict) else None
        if isinstance(bodies, list):
            refuse("a section with a name for each, e.g. [body.beam]", field="body",
                   got="got [[body]]")  # fmt: skip
        if isinstance(bodies, dict):
            if not bodies:
                refuse("at least one section [body.NAME]", field="body", got="has no bodies")
            for name, table in bodies.items():
                if len(name) > 100 or not name.isprintable():
                    refuse("names of at most 100 characters that can be printed", field="body",
                           got=f"got the name {shown(name)}")  # fmt: skip
                if name in BodyTable.model_fields:
                    if isinstance(table, dict) and "mesh" in table:
                        refuse(
                            f"another name, e.g. [body.my_{name}]",
                            field="body",
                            got=f"a body is called {name!r}, which is the name of a field of bodies",
                        )
                    refuse(
                        f"the name of a body before it, e.g. [body.beam] with {name} in it",
                        field="body",
                        got=f"got {name!r} directly in [body]",
                    )
        return data

    @property
    def source(self) -> Source:
        """The text it came from; of a scene made in Python, the text that says the same."""
        if self._source is not None:
            return self._source
        return Source(dumps(self.model_dump(exclude_none=True, exclude_unset=True)))

    @property
    def scene_text(self) -> str:
        """The text after overrides. `parse(text, folder=...)` makes the scene again.

        Files that it names are relative to `folder`: pass the same, or `moved_to` another first.
        """
        return self.source.text

    @property
    def folder(self) -> Path:
        """Where relative files are looked for."""
        return self.source.folder

    def override(self, overrides: Sequence[str]) -> SceneFile:
        """The scene with fields changed, each as `body.settle.rest_in=1.2`."""
        return validate(self.source.override(overrides))

    def files(self) -> dict[tuple[str | int, ...], str]:
        """The files it names, by the path of the field."""
        found: dict[tuple[str | int, ...], str] = {}
        for name, body in self.body.items():
            if body.mesh.file is not None:
                found["body", name, "mesh", "file"] = body.mesh.file
            if body.surface is not None:
                found["body", name, "surface"] = body.surface
            if body.start is not None and body.start.surface is not None:
                found["body", name, "start", "surface"] = body.start.surface
            if body.follow is not None:
                found["body", name, "follow", "cache"] = body.follow.cache
            for i, pose in enumerate(body.examples.poses if body.examples else ()):
                if pose.surface is not None:
                    found["body", name, "examples", "poses", i, "surface"] = pose.surface
            for i, drive in enumerate(body.drive):
                if drive.usd is not None:
                    found["body", name, "drive", i, "usd"] = drive.usd
        return found

    def moved_to(self, folder: str | Path) -> SceneFile:
        """The scene as it reads from another folder: relative files are named from there."""
        source, there = self.source, Path(folder)
        for path, name in self.files().items():
            if not Path(name).is_absolute():
                file = (self.folder / name).resolve()
                source = source.put(path, Path(os.path.relpath(file, there.resolve())).as_posix())
        return validate(Source.of(source.text, name=source.name, folder=there))

    def save(self, path: str | Path) -> Path:
        """Write it as TOML; files it names are found from there too."""
        path = Path(path)
        text = self.moved_to(path.parent).scene_text if self.files() else self.scene_text
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def build(
        self, *, progress: bool | None = None, tell: Status = silent, refine: int = 0
    ) -> Setup:
        """Make the meshes, bodies and scene.

        progress: of filling surfaces; on a terminal if None. tell: a function that is told what is
        being done, before each part that can take long. refine: how often cells are halved.
        """

        source = self.source
        with source.here("run", "device"):
            check_device(self.run.device)
        made = {
            name: table.build(
                name, source.here("body", name), progress=progress, tell=tell, refine=refine
            )
            for name, table in self.body.items()
        }
        bodies = [one.body for one in made.values()]
        with source.here("body"):
            scene = Scene(bodies)
        with source.here("run", "gravity"):
            if self.run.gravity is not None:
                scene.gravity = of_dim(self.run.gravity, scene.dim, "gravity")
        with source.here("contact"):
            scene.contact = None if self.contact is None else self.contact.rule()
        for i, obstacle in enumerate(self.obstacle):
            scene.add(obstacle.make(scene.dim, source.here("obstacle", i)))
        if self.contact is not None:
            self.contact.check_names(scene, source.here("contact"))
        for i, tie in enumerate(self.tie):
            scene.add(tie.make(made, source.here("tie", i)))
        self._begin(made, scene, tell)
        for name in self.run.unused():
            log.warning(
                "%s: %s has none; it is not used", source.locate(("run", name)), self.run.stepper
            )
        setup = Setup(
            scene=scene,
            seconds=self.run.seconds,
            dt=self.run.step,
            fps=self.run.fps,
            device=self.run.device,
            stepper=self.run.make_stepper(),
            loop=self.run.loop,
        )
        check_stepper(setup, source.here("run", "stepper"))
        with source.here("contact"):
            scene.has_contact(setup.stepper)
        for name in self.body:
            check_wish(setup, name, source.here("body", name))
        return setup

    def _begin(self, made: Mapping[str, Any], scene: Scene, tell: Status) -> None:
        """Bring bodies that begin at rest, as drawn or in motion there."""
        for name, table in self.body.items():
            body = made[name].body
            if table.start is not None and table.start.at_rest:
                tell(f"finding where {name} rests")
                lay_to_rest(body, scene, self.source.here("body", name, "start", "at_rest"))
            if table.start is not None and table.start.as_drawn:
                tell(f"finding the rest shape with which {name} hangs as drawn")
                hang_as_drawn(body, scene, self.source.here("body", name, "start", "as_drawn"))
            require_clear(body, scene.obstacles, self.source.here("body", name))
        for name, table in self.body.items():
            if table.follow is not None:
                table.follow.act(
                    made[name], scene.gravity, self.source.here("body", name, "follow")
                )


def read(path: str | Path, overrides: Sequence[str] = ()) -> SceneFile:
    """Read a scene file; files it names are relative to it.

    overrides: fields to change, each as `body.settle.rest_in=1.2`; with several bodies
    `body.NAME.settle.rest_in=1.2`.
    """
    path = path_of("scene", path)
    try:
        require_file(path, "scene file")
    except FileNotFoundError:
        near = "" if path.suffix else f"; did you mean {path.name}.toml?"
        raise FileNotFoundError(f"there is no scene file {str(path)!r}{near}") from None
    if path.stat().st_size > 4 * LONGEST_SCENE:  # bytes of a character, at most
        raise ValueError(
            f"{path.name} is longer than {LONGEST_SCENE} characters; expected a scene file"
        )
    try:
        text = path.read_text(encoding="utf-8-sig")  # Windows editors begin with a mark
    except UnicodeDecodeError:
        raise ValueError(
            f"{path.name} is not text in UTF-8; expected a scene file in TOML"
        ) from None
    return parse(text, folder=path.parent, name=path.name, overrides=overrides)


def parse(
    text: str, *, folder: str | Path = "", name: str = "scene", overrides: Sequence[str] = ()
) -> SceneFile:
    """The scene that a text describes; files it names are relative to `folder`."""
    source = Source.of(text, name=name, folder=Path(folder))
    return validate(source.override(overrides))


def validate(source: Source) -> SceneFile:
    """The scene of a source, or a SceneError that names each mistake."""
    data = source.data
    source.refuse_long_integers()
    try:
        scene = SceneFile.model_validate(data)
    except ValidationError as error:
        raise scene_error(error, data, source) from None
    scene._source = source
    return scene


def json_schema() -> str:
    """The JSON schema of scene files, for editors that check as one types."""
    about = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A scene file of pliant",
    }
    schema = SceneFile.model_json_schema()
    return json.dumps(_named(schema, schema["$defs"]) | about, indent=2) + "\n"


def _named(schema: Any, found: dict[str, Any]) -> Any:
    """A schema whose inner tables are all under "$defs", by their titles."""
    if isinstance(schema, list):
        return [_named(part, found) for part in schema]
    if not isinstance(schema, dict):
        return schema
    for part, inner in list(schema.items()):
        schema[part] = _named(inner, found)
    options = schema.get("anyOf", [])
    for i, option in enumerate(options if isinstance(options, list) else ()):
        if "properties" in option:
            found[option["title"]] = option
            options[i] = {"$ref": f"#/$defs/{option['title']}"}
    return schema
