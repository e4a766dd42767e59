"""The text a scene came from, and how its errors name file, line and field."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path as FilePath
from typing import Any

from pliant.errors import in_scene, shown
from pliant.resources import require_file

from .edits import changed, parse_keys, parse_value, set_value
from .errors import SceneError
from .places import Path, find_lines
from .reading import NotTomlError, parse_toml

log = logging.getLogger("pliant")


@dataclass(frozen=True)
class Source:
    """A TOML text, the name and folder of its file, and what `--set` changed in it.

    `lines` are those of the file as it was written: lines in errors are lines the user can go to.
    """

    text: str
    name: str = "scene"
    folder: FilePath = field(default_factory=FilePath)
    lines: dict[Path, int] = field(default_factory=dict)
    overridden: tuple[Path, ...] = ()

    @classmethod
    def of(cls, text: str, *, name: str, folder: FilePath) -> Source:
        """The source of a text; a mistake in its syntax is told with its line."""
        try:
            parse_toml(text)
        except NotTomlError as error:
            raise SceneError([f"{name}:{error.line}: not TOML: {error}"]) from None
        return cls(text, name, folder, find_lines(text))

    @property
    def data(self) -> dict[str, Any]:
        """The text as a nested dictionary."""
        return parse_toml(self.text)

    def refuse_long_integers(self) -> None:
        """Refuse integers that TOML does not have, of more than 64 bits."""
        stack: list[tuple[Path, Any]] = [((), self.data)]
        while stack:
            path, value = stack.pop()
            if isinstance(value, dict):
                stack += [((*path, key), inner) for key, inner in value.items()]
            elif isinstance(value, list):
                stack += [((*path, i), inner) for i, inner in enumerate(value)]
            elif isinstance(value, int) and abs(value) >= 2**63:
                raise self.here(*path).error(
                    f"got {shown(value)}; expected at most 18 digits, or a number such as 1e20"
                )

    def override(self, overrides: Sequence[str]) -> Source:
        """The source with `field=value` lines applied in order."""
        source = self
        for given in overrides:
            name, equals, text = given.partition("=")
            keys = parse_keys(name)
            if not equals or not keys or not text.strip():
                raise SceneError(
                    [
                        f"--set {given[:60]}: expected field=value, e.g. "
                        "--set body.settle.rest_in=1.2"
                    ]
                )
            path = _full_path(source.data, keys, given)
            source = source.put(path, parse_value(text))
        return source

    def put(self, path: Path, given: Any) -> Source:
        """The source with one value changed."""
        try:
            changed(self.data, path, given)
        except LookupError as error:
            raise SceneError([f"--set {_dotted(path)}: there is no {error.args[0]}"]) from None
        return replace(
            self, text=set_value(self.text, path, given), overridden=(*self.overridden, path)
        )

    def here(self, *path: str | int) -> Here:
        """A field of this source, to raise errors about."""
        return Here(self, path)

    def locate(self, path: Path) -> str:
        """`beam.toml:7: body.beam.density`, or the option that set it."""
        for given in self.overridden:
            if path[: len(given)] == given or given[: len(path)] == path:
                return f"--set {_dotted(path)}"
        line = self.line(path)
        name = f"{self.name}:{line}" if line else self.name
        return f"{name}: {_dotted(path)}" if path else name

    def line(self, path: Path) -> int | None:
        """The line of a field, or of the nearest table around it that is in the file."""
        for depth in range(len(path), 0, -1):
            if path[:depth] in self.lines:
                return self.lines[path[:depth]]
        return None


@dataclass(frozen=True)
class Here:
    """A field of a source. As a context it gives the errors of its block their place."""

    source: Source
    path: Path = ()

    def __truediv__(self, step: str | int) -> Here:
        return Here(self.source, (*self.path, step))

    def error(self, message: str) -> SceneError:
        """An error about this field."""
        return SceneError([f"{self.source.locate(self.path)}: {' '.join(message.split())}"])

    def file(self, name: str) -> FilePath:
        """A file that the scene names, relative to the scene's own folder; refused if absent."""
        path = self.source.folder / name
        try:
            require_file(path, "file")
        except FileNotFoundError:
            folder = os.path.relpath(path.parent)
            raise self.error(
                f"got {shown(name)}; there is no such file in the folder {folder!r}"
            ) from None
        except ValueError as error:
            raise self.error(str(error)) from None
        return path

    @contextmanager
    def warnings(self) -> Iterator[None]:
        """Log the warnings of a block with this place, instead of the line of our code."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        for warning in caught:
            said = " ".join(str(warning.message).split())
            log.warning("%s: %s", self.source.locate(self.path), said)

    def __enter__(self) -> Here:
        return self

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, (ValueError, OSError)) and not isinstance(error, SceneError):
            raise self.error(in_scene(error)) from error


def _full_path(data: dict[str, Any], keys: list[str], given: str) -> Path:
    """The path of an override; `body.settle` means the only body's."""
    bodies = data.get("body")
    if keys[0] == "body" and isinstance(bodies, dict) and keys[1:2] and keys[1] not in bodies:
        if len(bodies) != 1:
            names = ", ".join(bodies)[:500]
            rest = ".".join(keys[1:])[:60]
            raise SceneError(
                [
                    f"--set {given[:60]}: the scene has the bodies {names}; expected the name of one, "
                    f"e.g. --set body.{next(iter(bodies), 'NAME')}.{rest}=..."
                ]
            )
        keys = ["body", next(iter(bodies)), *keys[1:]]
    path: Path = ()
    inner: Any = data
    for k in keys:
        step: str | int = int(k) if isinstance(inner, list) and k.isdigit() else k
        path = (*path, step)
        try:
            inner = inner[step]
        except (KeyError, IndexError, TypeError):
            inner = None
    return path


def _dotted(path: Path) -> str:
    parts = [str(p) for p in path]
    return ".".join(p if p.isprintable() and len(p) <= 60 else shown(p) for p in parts)
