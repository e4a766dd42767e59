"""Changing one value of a TOML text and leaving the rest, comments too, as it is.

tomlkit edits the text; what comes out is read again, and must be what was asked for.
"""

from __future__ import annotations

import copy
from typing import Any

from .places import Path
from .reading import NotTomlError, parse_toml
from .toml_text import dumps, item, section


def parse_value(text: str) -> Any:
    """A value as TOML writes it; what is none is a word: device=cpu needs no quotes."""
    try:
        found = parse_toml(f"value = {text}")
    except NotTomlError:
        return text.strip()
    return found["value"] if list(found) == ["value"] else text.strip()


def parse_keys(text: str) -> list[str]:
    """A dotted key, parts of it in quotes if they hold dots; empty if it is none."""
    try:
        inner: Any = parse_toml(f"{text} = 0")
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
    expected = changed(parse_toml(text), path, given)
    try:
        edited = _edit(text, path, given)
        if parse_toml(edited) == expected:
            return edited
    except Exception:  # of tomlkit, which raises whatever it raises where it cannot do this
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
    import tomlkit

    document = tomlkit.parse(text)
    inner: Any = document
    for step in path[:-1]:
        if isinstance(step, str) and step not in inner:
            _append(inner, step, {})
        inner = inner[step]
    last = path[-1]
    if isinstance(last, str) and last not in inner:
        _append(inner, last, given)
    else:
        inner[last] = item(given)
    return tomlkit.dumps(document)


def _append(table: Any, key: str, given: Any) -> None:
    """Add a value after the last one of a table, and before the comments that follow it."""
    from tomlkit.container import Container, OutOfOrderTableProxy
    from tomlkit.items import InlineTable

    if isinstance(table, OutOfOrderTableProxy):  # a table whose parts stand in several places
        table[key] = item(given)
        return
    apart = given == {} and not isinstance(table, InlineTable)
    body = table.body if isinstance(table, Container) else table.value.body
    following = []
    while body and body[-1][0] is None:
        following.append(body.pop())
    table.append(key, section({}) if apart else item(given))
    body.extend(reversed(following))
