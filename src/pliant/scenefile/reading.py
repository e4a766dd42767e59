"""A TOML text as data, or one mistake with its line."""

from __future__ import annotations

import re
import sys
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

#: Tables and lists inside each other; a scene has about eight.
DEEPEST = 30
#: Characters; what is longer belongs into files that the scene names.
LONGEST_SCENE = 16_000_000


class NotTomlError(ValueError):
    """A text that is no TOML that a scene can be; `line` counts from 1."""

    def __init__(self, what: str, line: int):
        super().__init__(what)
        self.line = line


def parse_toml(text: str) -> dict[str, Any]:
    """The data of a TOML text."""
    if len(text) > LONGEST_SCENE:
        raise NotTomlError(f"{len(text)} characters; expected at most {LONGEST_SCENE}", 1)
    try:
        data: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"\(at line (\d+), column \d+\)", str(error))
        what = re.sub(r"\s*\(at .*\)", "", str(error))
        line = int(at[1]) if at else text.count("\n") + 1
        raise NotTomlError(f"{what[0].lower()}{what[1:]}", line) from None
    except RecursionError:
        raise _too_deep(text) from None
    except ValueError:  # Python reads no integer of more than 4300 digits
        long = re.search(r"\d{1000,}", text.replace("_", ""))
        line = text.count("\n", 0, long.start()) + 1 if long else 1
        raise NotTomlError("a whole number of too many digits", line) from None
    if _depth(data) > DEEPEST:
        raise _too_deep(text)
    return data


def _depth(data: Any) -> int:
    """The depth of nested tables and lists, found level by level: Python recurses only 1000 deep."""
    depth, row = 0, [data]
    while row and depth <= DEEPEST:
        depth += 1
        inner = (v.values() if isinstance(v, dict) else v for v in row)
        row = [v for values in inner for v in values if isinstance(v, (dict, list))]
    return depth


def _too_deep(text: str) -> NotTomlError:
    depth, line = 0, 1
    for line, row in enumerate(text.splitlines(), start=1):  # noqa: B007  (the last one counts)
        depth += sum(row.count(c) for c in "[{") - sum(row.count(c) for c in "]}")
        if max(depth, row.count("["), row.count("{"), row.count(".")) > DEEPEST:
            break
    return NotTomlError(f"tables and lists nested more than {DEEPEST} deep", line)
