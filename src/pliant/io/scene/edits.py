"""Changing one value of a TOML text and leaving the rest, comments too, as it is."""

from __future__ import annotations

import copy
from typing import Any

from .places import Path, find_places
from .reading import NotTomlError, parse
from .toml_text import dumps, key, value


def parse_value(text: str) -> Any:
    """A value as TOML writes it; what is none is a word: device=cpu needs no quotes."""
    try:
        found = parse(f"value = {text}")
    except NotTomlError:
        return text.strip()
    return found["value"] if list(found) == ["value"] else text.strip()


def parse_keys(text: str) -> list[str]:
    """A dotted key, parts of it in quotes if they hold dots; empty if it is none."""
    try:
        inner: Any = parse(f"{text} = 0")
    except NotTomlError:
        return []
    keys = []
    while isinstance(inner, dict):
        if len(inner) != 1:
            return []
        ((step, inner),) = inner.items()
        keys.append(step)
    return keys


def set_value(text: str, path: Path, given: Any) -> str:
    """The text with one value changed or added."""
    expected = changed(parse(text), path, given)
    edited = _edit(text, path, given)
    try:
        if parse(edited) == expected:
            return edited
    except NotTomlError:
        pass
    return dumps(expected)  # an unusual layout: right, if without its comments


def changed(data: dict[str, Any], path: Path, given: Any) -> dict[str, Any]:
    """A copy of the data with one value changed; tables on the way are made."""
    whole = copy.deepcopy(data)
    inner: Any = whole
    for i, step in enumerate(path[:-1]):
        if isinstance(inner, dict):
            inner = inner.setdefault(step, {})
        elif isinstance(inner, list) and isinstance(step, int) and step < len(inner):
            inner = inner[step]
        else:
            raise LookupError(".".join(map(str, path[: i + 1])))
    if isinstance(inner, list) and not (isinstance(path[-1], int) and path[-1] < len(inner)):
        raise LookupError(".".join(map(str, path)))
    if not isinstance(inner, (dict, list)):
        raise LookupError(".".join(map(str, path)))
    inner[path[-1]] = given  # type: ignore[index]
    return whole


def _edit(text: str, path: Path, given: Any) -> str:
    places = find_places(text)
    there = places.get(path)
    if there is not None and there.kind == "value":
        return text[: there.start] + value(given) + text[there.end :]
    for depth in range(len(path) - 1, 0, -1):
        above = places.get(path[:depth])
        pair = f"{'.'.join(key(str(k)) for k in path[depth:])} = {value(given)}"
        if above is None or above.kind == "implied":
            continue
        if above.kind == "header":
            end = text.find("\n", above.end)
            end = len(text) if end < 0 else end
            return f"{text[:end]}\n{pair}{text[end:]}"
        inside = text[above.start + 1 : above.end - 1].rstrip()
        comma = ", " if inside.strip() else " "
        return f"{text[: above.start + 1]}{inside}{comma}{pair} }}{text[above.end :]}"
    pair = f"{'.'.join(key(str(k)) for k in path)} = {value(given)}"
    return f"{pair}\n{text}"
