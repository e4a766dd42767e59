"""Lists of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from pliant.errors import LARGEST, is_finite, shown
from pliant.given import floats_or_nan

from .quantity import Checked, Quantity, refuse

ANY = Quantity()


@dataclass(frozen=True)
class Numbers(Checked):
    """A list of numbers, as many as one of `counts` says (any if empty).

    each: the range of one. like: how it is written, for errors. lone: whether a single number may stand
    without brackets. increasing: as times are. rows: a list of such lists. spatial: a place or a
    direction, of as many numbers as the scene has dimensions.
    """

    _: KW_ONLY
    each: Quantity = ANY
    counts: tuple[int, ...] = ()
    like: str = ""
    lone: bool = False
    increasing: bool = False
    rows: bool = False
    spatial: bool = False

    file_type = tuple[Any, ...]

    def __post_init__(self) -> None:
        if self.unit and not self.each.unit:
            object.__setattr__(self, "each", replace(self.each, unit=self.unit))

    def __str__(self) -> str:
        counts = " or ".join(str(c) for c in self.counts)
        kind = "whole numbers" if self.each.whole else "numbers"
        what = f"{counts} {kind}" if counts else f"a list of {kind}"
        limits = str(self.each).removeprefix("a whole number, ").replace("NAME", "each")
        if "each" in limits:
            what += f", {limits}"
        elif self.each.unit not in ("", "-"):
            what += f" [{self.each.unit}]"
        what = f"a list of rows of {what}" if self.rows else what
        what += ", increasing" if self.increasing else ""
        return f"{what}, e.g. {self.like}" if self.like else what

    def accept(self, who: str, what: str, value: Any) -> np.ndarray:
        """The numbers that a constructor was given, as a new array; as many as `counts` says."""
        numbers = floats_or_nan(value)
        if numbers.ndim != 1 or len(numbers) not in self.counts or not self.each.holds(numbers):
            raise ValueError(f"{who}: got {what}={shown(value)}; expected {self}")
        return numbers

    def check(self, given: Any) -> tuple[Any, ...]:
        """The numbers as a tuple, or of rows a tuple of tuples."""
        if not self.rows:
            return self._row(given)
        if not isinstance(given, Sequence) or isinstance(given, str) or not given:
            refuse(str(self))
        return tuple(self._row(row) for row in given)

    def _row(self, given: Any) -> tuple[Any, ...]:
        from pydantic_core import PydanticCustomError

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

    def from_file(self, value: Any) -> Any:
        """The numbers for the constructor; a single one without brackets, if that is allowed."""
        return value[0] if self.lone and value is not None and len(value) == 1 else value

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        each = self.each.__get_pydantic_json_schema__(schema, handler)
        row: dict[str, Any] = {"type": "array", "items": each, "minItems": 1}
        if self.counts:
            row |= {"minItems": min(self.counts), "maxItems": max(self.counts)}
        if self.rows:
            row = {"type": "array", "items": row, "minItems": 1}
        return {"anyOf": [each, row]} if self.lone else row
