"""What pydantic found wrong, in words that name the field, what it got and what was expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from .errors import SceneError
from .places import Path
from .source import Source
from .toml_text import short


def scene_error(error: ValidationError, data: Any, source: Source) -> SceneError:
    """All mistakes that were found, in the order of the file."""
    found: dict[str, int] = {}
    for e in error.errors(include_url=False):
        path, message = _told(e, data)
        found.setdefault(f"{source.locate(path)}: {message}", source.line(path) or 0)
    return SceneError(sorted(found, key=lambda line: found[line]))


def _told(error: Any, data: Any) -> tuple[Path, str]:
    context = error.get("ctx", {})
    path = _in_data(error["loc"], data)
    if error["type"] == "scene":
        name = context["field"]
        path = (*path, name) if name else path
        expected = context["expected"].replace("NAME", _name(path))
        if context["got"]:
            said = context["got"]
            if not expected:
                return path, said
            asks = expected.startswith(("did you", "expected"))
            return path, f"{said}; {expected}" if asks else f"{said}; expected {expected}"
        given = error["input"]
        given = given.get(name) if name and isinstance(given, Mapping) else given
        return path, f"got {short(given)}; expected {expected}"
    return path, f"got {short(error['input'])}; expected {_expected(error, context)}"


def _expected(error: Any, context: Mapping[str, Any]) -> str:
    kind = error["type"]
    if kind == "literal_error":
        return f"one of {context['expected']}".replace("one of one of", "one of")
    if kind in ("union_tag_invalid", "union_tag_not_found", "model_attributes_type"):
        tags = context.get("expected_tags")
        named = f" = one of {tags}" if tags else ""
        return f'a table with model{named}, e.g. {{ model = "Rayleigh", mass = 1.0 }}'
    words = {
        "string_type": "text in quotes",
        "bool_type": "true or false",
        "bool_parsing": "true or false",
        "list_type": "a list, as [ { ... } ]",
        "dict_type": "a table",
        "too_short": "at least one",
    }
    return str(words.get(kind, error["msg"]))


def _in_data(loc: Sequence[str | int], data: Any) -> Path:
    """The place of an error in the data: pydantic also names the branches of unions it took."""
    path: Path = ()
    for step in loc:
        inside = isinstance(data, Mapping) and step in data
        listed = isinstance(data, list) and isinstance(step, int) and step < len(data)
        if inside or listed:
            data = data[step]
            path = (*path, step)
    return path


def _name(path: Path) -> str:
    names = [p for p in path if isinstance(p, str)]
    return names[-1] if names else "it"
