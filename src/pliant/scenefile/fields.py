"""The tables of a scene file, and fractions as text."""

from __future__ import annotations

import difflib
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, model_validator

from pliant.declared import AnyOf, Numbers, Quantity, refuse

from .expressions import Expression

__all__ = ["AnyOf", "Fraction", "Numbers", "Quantity", "Table", "refuse"]


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


class Fraction(Quantity):
    """A number that may also be written as text, "1/60"."""

    def check(self, given: Any) -> float:
        """The number, or an error that says what was expected."""
        if not isinstance(given, str):
            return float(super().check(given))
        try:
            number = float(Expression(given, ())({}))
        except ValueError:
            refuse(str(self))
        return float(super().check(number))

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        number = super().__get_pydantic_json_schema__(schema, handler)
        return {"anyOf": [number, {"type": "string"}]}
