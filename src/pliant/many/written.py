"""Values of fields as a command line has them: several, parted by commas, or a range."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pliant.scenefile import parse_value

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_RANGE = re.compile(rf"\s*({_NUMBER})\s*:\s*({_NUMBER})\s*")
_PAIRS = {"[": "]", "{": "}", "(": ")"}


def pieces(text: str) -> list[str]:
    """A text cut at the commas that are outside brackets and quotes."""
    found, inside, quote = [""], list[str](), ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in _PAIRS:
            inside.append(_PAIRS[letter])
        elif inside and letter == inside[-1]:
            inside.pop()
        elif letter == "," and not inside:
            found.append("")
            continue
        found[-1] += letter
    return [piece.strip() for piece in found]


def range_of(text: str) -> tuple[float, float] | None:
    """The ends of a range `1e4:1e6`; None if it is none."""
    found = _RANGE.fullmatch(text)
    return None if found is None else (float(found[1]), float(found[2]))


def fields_of(
    settings: Sequence[str], *, ranges: bool = True, option: str = "--set"
) -> dict[str, Any]:
    """Options `field=value,value` by their fields: lists of values, and ranges as tuples if allowed.

    option: how it is called, for what is refused.
    """
    found: dict[str, Any] = {}
    for given in settings:
        field, equals, text = given.partition("=")
        if not equals or not field.strip() or not all(pieces(text)):
            raise ValueError(
                f"{option} {given[:60]}: expected field=value,value, e.g. "
                f"{option} body.settle.rest_in=0.5,1,2"
            )
        ends = range_of(text)
        if ends is not None and not ranges:
            raise ValueError(
                f"{option} {given[:60]}: a range; expected values, or --sample 100 to draw from it"
            )
        if ends is not None and not ends[0] < ends[1]:
            raise ValueError(
                f"{option} {given[:60]}: expected a range from low to high, e.g. 1e4:1e6"
            )
        found[field.strip()] = ends or [parse_value(piece) for piece in pieces(text)]
    return found


def has_several(setting: str) -> bool:
    """Whether an option has several numbers, words in quotes or tables, which one run cannot have."""
    text = setting.partition("=")[2]
    cut = pieces(text)
    values = [parse_value(piece) for piece in cut]
    plain = [v == piece for v, piece in zip(values, cut, strict=True)]
    return len(cut) > 1 and not any(plain)
