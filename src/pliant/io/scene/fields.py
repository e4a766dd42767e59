"""The kinds of fields a scene file has: numbers with a range and a unit, vectors, tables."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, NoReturn

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from pliant.errors import LARGEST, SMALLEST, is_finite

from .expressions import Expression


def refuse(expected: str, *, field: str = "", got: str = "") -> NoReturn:
    """Refuse a field. `field` is one below the table that is checked; NAME stands for its name.

    Without `got` the error shows the value that was given.
    """
    raise PydanticCustomError(
        "scene", "refused", {"expected": expected, "field": field, "got": got}
    )


class Table(BaseModel):
    """A table of named fields; a name that is not known is refused with the nearest that is."""

    expects: ClassVar[str] = ""  # said where something else than a table is given

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=False)

    @model_validator(mode="before")
    @classmethod
    def _names(cls, data: Any) -> Any:
        if isinstance(data, cls):
            return data
        if not isinstance(data, dict):
            refuse(cls.expects or f"a table of {', '.join(cls.model_fields)}, in braces {{ }}")
        for name in data:
            if name not in cls.model_fields:
                near = difflib.get_close_matches(str(name), cls.model_fields, 1, cutoff=0.6)
                known = ", ".join(cls.model_fields)
                hint = f"did you mean {near[0]!r}?" if near else f"expected one of {known}"
                refuse(hint, field=str(name), got="is not a field here")
        for name, info in cls.model_fields.items():
            if info.is_required() and name not in data:
                refuse(info.description or "a value", field=name, got="is missing")
        return data


@dataclass(frozen=True)
class Range:
    """A number within limits; `fraction` also takes one written as text, "1/60"."""

    above: float | None = None
    at_least: float | None = None
    below: float | None = None
    at_most: float | None = None
    unit: str = ""
    whole: bool = False
    fraction: bool = False

    def __str__(self) -> str:
        low = f"{self.above:g} < " if self.above is not None else ""
        low = f"{self.at_least:g} <= " if self.at_least is not None else low
        high = f" < {self.below:g}" if self.below is not None else ""
        high = f" <= {self.at_most:g}" if self.at_most is not None else high
        middle = f"{low}NAME{high}"
        if low and not high:  # "NAME > 0" reads better than "0 < NAME"
            middle = f"NAME {'>' if self.above is not None else '>='} {low.split()[0]}"
        kind = "a whole number" if self.whole else "a number"
        unit = f" [{self.unit}]" if self.unit else ""
        if not (low or high):
            return f"{kind}{unit}"
        return f"{kind + ', ' if self.whole else ''}{middle}{unit}"

    def check(self, given: Any) -> float:
        """The number, or an error that says what was expected."""
        number = self._fraction(given) if self.fraction and isinstance(given, str) else given
        if isinstance(number, bool) or not is_finite(number):
            refuse(str(self))
        if abs(number) > LARGEST or (self.above == 0.0 and 0.0 < number < SMALLEST):
            refuse(f"{self}, from {SMALLEST:g} to {LARGEST:g}")
        within = (
            (self.above is None or number > self.above)
            and (self.at_least is None or number >= self.at_least)
            and (self.below is None or number < self.below)
            and (self.at_most is None or number <= self.at_most)
        )
        if not within or (self.whole and number != int(number)):
            refuse(str(self))
        return int(number) if self.whole else float(number)

    def _fraction(self, text: str) -> Any:
        try:
            return float(Expression(text, ())({}))
        except ValueError:
            return None

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.check)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        limits = {
            "exclusiveMinimum": self.above,
            "minimum": self.at_least,
            "exclusiveMaximum": self.below,
            "maximum": self.at_most,
        }
        number: dict[str, Any] = {"type": "integer" if self.whole else "number"}
        number |= {k: v for k, v in limits.items() if v is not None}
        return {"anyOf": [number, {"type": "string"}]} if self.fraction else number


@dataclass(frozen=True)
class Numbers:
    """A list of numbers, as many as one of `counts` says (any if empty).

    `lone`: a single number may stand without brackets. `increasing`: as times are. `rows`: a list of
    such lists.
    """

    each: Range = Range()
    counts: tuple[int, ...] = ()
    example: str = ""
    lone: bool = False
    increasing: bool = False
    rows: bool = False

    def __str__(self) -> str:
        counts = " or ".join(str(c) for c in self.counts)
        kind = "whole numbers" if self.each.whole else "numbers"
        what = f"{counts} {kind}" if counts else f"a list of {kind}"
        limits = str(self.each).removeprefix("a whole number, ").replace("NAME", "each")
        what += (
            f", {limits}" if "each" in limits else f" [{self.each.unit}]" if self.each.unit else ""
        )
        what = f"a list of rows of {what}" if self.rows else what
        what += ", increasing" if self.increasing else ""
        return f"{what}, e.g. {self.example}" if self.example else what

    def check(self, given: Any) -> tuple[Any, ...]:
        """The numbers as a tuple, or of rows a tuple of tuples."""
        if not self.rows:
            return self._row(given)
        if not isinstance(given, Sequence) or isinstance(given, str) or not given:
            refuse(str(self))
        return tuple(self._row(row) for row in given)

    def _row(self, given: Any) -> tuple[Any, ...]:
        row = [given] if self.lone and is_finite(given) else given
        if not isinstance(row, Sequence) or isinstance(row, str) or not row:
            refuse(str(self))
        if self.counts and len(row) not in self.counts:
            refuse(str(self))
        try:
            found = tuple(self.each.check(v) for v in row)
        except PydanticCustomError:
            far = any(is_finite(v) and abs(v) > LARGEST for v in row)
            refuse(f"{self}, and at most {LARGEST:g}" if far else str(self))
        if self.increasing and any(b <= a for a, b in pairwise(found)):
            refuse(str(self))
        return found

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.check)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        each = self.each.__get_pydantic_json_schema__(schema, handler)
        row: dict[str, Any] = {"type": "array", "items": each, "minItems": 1}
        if self.counts:
            row |= {"minItems": min(self.counts), "maxItems": max(self.counts)}
        if self.rows:
            row = {"type": "array", "items": row, "minItems": 1}
        return {"anyOf": [each, row]} if self.lone else row
