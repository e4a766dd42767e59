"""`material` and `damping`: tables whose `model` says which class their fields belong to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from pydantic_core import core_schema

from pliant.declared import parameters_of
from pliant.kinds import DAMPINGS, MATERIALS, BrokenPluginError, Sort

from .fields import refuse
from .materials import material_table, refuse_flow
from .tables import ClassTable, table_of


@dataclass(frozen=True)
class Model:
    """The annotation of such a field. usual: the model of a table that names none.

    apart: a class that has a field of its own. made: the table of a class, if it is no plain one.
    """

    sort: Sort
    usual: str = ""
    apart: str = ""
    example: str = ""
    made: Callable[[Any, str, bool], type[ClassTable]] | None = None

    def check(self, given: Any) -> ClassTable:
        """The table of the class that `model` names."""
        if isinstance(given, ClassTable):
            return given
        given = _as_written_today(given)
        name = given.get("model", self.usual) if isinstance(given, dict) else ""
        found = self._find(name)
        if found is None:
            self._refuse(given)
        table = self._table(name, found)
        for field in sorted(set(given) - {"model"} - table.model_fields.keys(), key=str):
            if field not in {p.name for p in parameters_of(found)}:
                self._refuse_field(field)
        return table.model_validate(given)

    def _find(self, name: Any) -> type[Any] | None:
        if not isinstance(name, str) or not name or name == self.apart:
            return None
        try:
            return self.sort.find(name)
        except BrokenPluginError as error:
            refuse("", field="model", got=str(error))

    def _table(self, name: str, cls: Any) -> type[ClassTable]:
        make = self.made
        if make is not None:
            return make(cls, name, name == self.usual)
        return table_of(cls, model=name, usual=name == self.usual)

    def _every(self) -> dict[str, type[Any]]:
        """All by name, the usual one first."""
        found = self.sort.every()
        found.pop(self.apart, None)
        return {name: found[name] for name in sorted(found, key=lambda n: n != self.usual)}

    def _refuse(self, given: Any) -> NoReturn:
        known = ", ".join(repr(n) for n in self._every())
        if not isinstance(given, dict):
            refuse(f"a table with model, e.g. {self.example}")
        if self.usual:
            refuse(f"one of {known}", field="model")
        refuse(f"a table with model = one of {known}, e.g. {self.example}")

    def _refuse_field(self, field: str) -> None:
        """Say which other model has a field."""
        refuse_flow(field)
        owners = [
            name
            for name, cls in self.sort.own().items()
            if any(p.name == field and p.in_files for p in parameters_of(cls))
        ]
        if len(owners) == 1:
            refuse(f'it beside model = "{owners[0]}" only', field=field, got="is given")

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        return core_schema.no_info_plain_validator_function(self.check)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        tables = [self._table(name, cls) for name, cls in self._every().items()]
        return {"anyOf": [table.model_json_schema() for table in tables]}


def _as_written_today(given: Any) -> Any:
    """`SpringDamping` with `iterations` was once how a file asked for the iterated one."""
    if isinstance(given, dict) and given.get("model") == "SpringDamping" and "iterations" in given:
        return {"projected": True} | given | {"model": "IterativeSpringDamping"}
    return given


MATERIAL_FIELD = Model(
    MATERIALS,
    usual="StableNeoHookean",
    example="{ young = 1e6, poisson = 0.4 }",
    made=material_table,
)
DAMPING_FIELD = Model(DAMPINGS, apart="Settle", example='{ model = "Rayleigh", mass = 1.0 }')
