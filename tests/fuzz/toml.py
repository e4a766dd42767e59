"""Data as TOML text, whatever it is: also what a scene may not hold."""

from __future__ import annotations

import json
from typing import Any


def dumps(tree: dict[str, Any]) -> str:
    """Top-level tables as sections, all below them inline."""
    plain = [f"{_key(k)} = {value(v)}\n" for k, v in tree.items() if not isinstance(v, dict)]
    for name, table in tree.items():
        if isinstance(table, dict):
            plain.append(f"[{_key(name)}]\n")
            plain += [f"{_key(k)} = {value(v)}\n" for k, v in table.items()]
    return "".join(plain)


def _key(name: Any) -> str:
    return json.dumps(str(name), ensure_ascii=False).replace("\x7f", "\\u007f")


def value(given: Any) -> str:
    """One value, inline."""
    if isinstance(given, dict):
        return "{" + ", ".join(f"{_key(k)} = {value(v)}" for k, v in given.items()) + "}"
    if isinstance(given, (list, tuple)):
        return "[" + ", ".join(map(value, given)) + "]"
    if isinstance(given, str):
        return json.dumps(given, ensure_ascii=False).replace("\x7f", "\\u007f")
    if given is None:
        return '"nothing"'  # TOML has no word for it
    return json.dumps(given).replace("Infinity", "inf").replace("NaN", "nan")
