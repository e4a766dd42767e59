"""A parameter that is declared in several ways."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from typing import Any

from .quantity import Checked


@dataclass(frozen=True)
class AnyOf(Checked):
    """A value that at least one of several declarations allows."""

    _: KW_ONLY
    notes: tuple[Any, ...] = ()

    def check(self, given: Any) -> Any:
        """The value of a file; refused in the words of the first declaration, lists of the last."""
        from pydantic_core import PydanticCustomError

        first = -1 if isinstance(given, (list, tuple)) else 0
        for note in self.notes:
            with suppress(PydanticCustomError):
                return note.check(given)
        return self.notes[first].check(given)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        found: list[dict[str, Any]] = []
        for note in self.notes:
            one = note.__get_pydantic_json_schema__(schema, handler)
            found += [part for part in one.get("anyOf", [one]) if part not in found]
        return {"anyOf": found} if len(found) > 1 else found[0]
