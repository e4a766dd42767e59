"""Values and scene files as TOML text, written by tomlkit, which is imported when it is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tomlkit.items import Item, Table


def dumps(data: Mapping[str, Any]) -> str:
    """A scene as text: a section for `run`, one for each body, inline tables below them."""
    import tomlkit

    scene = tomlkit.document()
    for name, given in data.items():
        if not isinstance(given, Mapping):
            scene.append(name, item(given))
    for name, given in data.items():
        if not isinstance(given, Mapping):
            continue
        if name == "body" and given and all(isinstance(v, Mapping) for v in given.values()):
            bodies = tomlkit.table(is_super_table=True)
            for own, body in given.items():
                bodies.append(own, section(body))
            scene.append(name, bodies)
        else:
            scene.append(name, section(given))
    return tomlkit.dumps(scene)


def section(given: Mapping[str, Any]) -> Table:
    """A table with a header of its own."""
    import tomlkit

    table = tomlkit.table()
    for key, inner in given.items():
        table.append(key, item(inner))
    return table


def item(given: Any) -> Item:
    """A value for one line of a document of tomlkit."""
    import tomlkit
    from tomlkit.items import Integer, Trivia

    if isinstance(given, Mapping):
        table = tomlkit.inline_table()
        for key, inner in given.items():
            table.append(key, item(inner))
        return table
    if isinstance(given, Sequence) and not isinstance(given, str):
        array = tomlkit.array()
        for inner in given:
            array.append(item(inner))
        return array
    if isinstance(given, int) and abs(given) >= 10**100:  # Python prints no more than 4300 digits
        return Integer(given, Trivia(), hex(given))
    found: Item = tomlkit.item(given)
    return found


def value_text(given: Any) -> str:
    """A value on one line."""
    from tomlkit.exceptions import ConvertError

    try:
        return item(given).as_string()
    except (ConvertError, ValueError):  # of no type that TOML has
        return str(given)


def short(given: Any, most: int = 60) -> str:
    """A value for an error message: as it would stand in the file, cut if it is long."""
    text = value_text(given) if given is not None else "nothing"
    return text if len(text) <= most else f"{text[: most - 4]} ..."
