"""The tables of a scene file, and fractions as text."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic_core import CoreSchema, core_schema

from pliant.declared import (
    AnyOf as AnyOf,
    Numbers as Numbers,
    Quantity as Quantity,
    refuse as refuse,
)

from .expressions import Expression

COUNT = Quantity(at_least=1, whole=True)
Count = Annotated[int, COUNT]
Vector = Annotated[
    tuple[float, ...], Numbers(each=Quantity(unit="m"), counts=(2, 3), like="[0, 1, 0]")
]
Vectors = Annotated[
    tuple[tuple[float, ...], ...],
    Numbers(each=Quantity(unit="m"), counts=(2, 3), like="[[0, 0, 0], [1, 1, 1]]", rows=True),
]


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

    def only(self, names: Iterable[str], *, nothing: str, otherwise: str = "") -> str:
        """The one of some fields that is given; refused if none is, or several."""
        given = [name for name in names if getattr(self, name) is not None]
        if len(given) != 1:
            got = f"has {' and '.join(given)}" if given else nothing
            refuse(f"exactly one of {', '.join(names)}{otherwise}", got=got)
        return given[0]


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


@dataclass(frozen=True)
class PerAxis:
    """The annotation of two or three numbers or expressions, one per axis.

    names: which variables expressions may have. like: an example. says: what is meant if it is no list
    of so many; parts: if it is one of something else. what: if it is a condition.
    """

    names: tuple[str, ...]
    like: str
    says: str
    parts: str
    what: str = "a length [m]"

    def check(self, given: Any) -> tuple[Any, ...]:
        """Two or three of them."""
        if not isinstance(given, (list, tuple)) or len(given) not in (2, 3):
            refuse(f"{self.says}, e.g. {self.like}")
        for part in given:
            if isinstance(part, bool) or not isinstance(part, (str, int, float)):
                refuse(f"{self.parts}, e.g. {self.like}")
            try:
                condition = isinstance(part, str) and Expression(part, self.names).is_condition
            except ValueError as error:
                refuse("", got=str(error))
            if condition:
                refuse(f'{self.what}, not the condition "{part}"')
        return tuple(given)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.check)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        part = {"anyOf": [{"type": "number"}, {"type": "string"}]}
        return {"type": "array", "items": part, "minItems": 2, "maxItems": 3}
