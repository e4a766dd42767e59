"""Values and scene files as TOML text."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

BARE = re.compile(r"[A-Za-z0-9_-]+\Z")


def dumps(data: Mapping[str, Any]) -> str:
    """A scene as text: a section for `run`, one for each body, inline tables below them."""
    plain = {k: v for k, v in data.items() if not isinstance(v, Mapping)}
    sections = [_pairs(plain)] if plain else []
    for name, table in data.items():
        if not isinstance(table, Mapping):
            continue
        if name == "body" and all(isinstance(v, Mapping) for v in table.values()):
            sections += [f"[body.{key(k)}]\n{_pairs(v)}" for k, v in table.items()]
        else:
            sections.append(f"[{key(name)}]\n{_pairs(table)}")
    return "\n".join(sections)


def _pairs(table: Mapping[str, Any]) -> str:
    return "".join(f"{key(k)} = {value(v)}\n" for k, v in table.items())


def key(name: str) -> str:
    """A key, quoted where it has to be."""
    return name if BARE.match(name) else _string(name)


def value(given: Any) -> str:
    """A value on one line."""
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, str):
        return _string(given)
    if isinstance(given, int):
        return str(given) if abs(given) < 10**100 else hex(given)  # Python prints no more digits
    if isinstance(given, float):
        if math.isfinite(given):
            return repr(given)
        return "nan" if math.isnan(given) else "inf" if given > 0 else "-inf"
    if isinstance(given, Mapping):
        inside = ", ".join(f"{key(k)} = {value(v)}" for k, v in given.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(given, Sequence):
        return f"[{', '.join(value(v) for v in given)}]"
    return str(given)  # dates and times, as TOML writes them


def short(given: Any, most: int = 60) -> str:
    """A value for an error message: as it would stand in the file, cut if it is long."""
    text = value(given) if given is not None else "nothing"
    return text if len(text) <= most else f"{text[: most - 4]} ..."


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
