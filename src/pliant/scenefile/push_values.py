"""Values of loads: one, or one for each of `times`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic_core import CoreSchema, core_schema

from pliant.errors import LARGEST, is_finite

from .fields import refuse


class Over:
    """The annotation of a load: one value, or a list with one for each of `times`."""

    def __init__(self, unit: str, *, vector: bool):
        self.unit, self.vector = unit, vector

    def check(self, given: Any) -> Any:
        """Numbers as tuples."""
        if self._single(given):
            return tuple(float(v) for v in given) if self.vector else float(given)
        if isinstance(given, Sequence) and given and all(self._single(v) for v in given):
            return tuple(tuple(map(float, v)) if self.vector else float(v) for v in given)
        one = "2 or 3 numbers" if self.vector else "a number"
        refuse(f"{one} [{self.unit}], or a list of them with times = [...]")

    def _single(self, given: Any) -> bool:
        if not self.vector:
            return _number(given)
        row = isinstance(given, Sequence) and not isinstance(given, str) and len(given) in (2, 3)
        return row and all(map(_number, given))

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.check)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        one: dict[str, Any] = {"type": "number"}
        if self.vector:
            one = {"type": "array", "items": one, "minItems": 2, "maxItems": 3}
        return {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}


def _number(given: Any) -> bool:
    return not isinstance(given, bool) and is_finite(given) and abs(given) <= LARGEST
