"""The tables of kinds of bodies, from their constructors: `cloth`, `shell`, `rod` and others."""

from __future__ import annotations

from typing import Any

from pydantic import model_validator

from pliant.bodies import Deformable
from pliant.declared import parameters_of
from pliant.kinds import BODIES
from pliant.materials import Tear
from pliant.mesh import Mesh

from .fields import refuse
from .tables import ClassTable, table_of


class KindTable(ClassTable):
    """What a body is made of."""

    @model_validator(mode="after")
    def _one_section(self) -> KindTable:
        ways = self.makes.sections
        names = [name for way in ways for name in way]
        given = [name for name in names if getattr(self, name) is not None]
        if ways and tuple(sorted(given)) not in [tuple(sorted(way)) for way in ways]:
            got = f"has {' and '.join(given)}" if given else "has no section"
            refuse(f"either {_told(self.makes, ways)}", got=got)
        return self

    def make(self, mesh: Mesh, *, name: str) -> Deformable:
        """The body of the library."""
        made: Deformable = self.makes(mesh, **self.arguments(), name=name)
        return made

    def make_tearing(self, mesh: Mesh, tear: Tear, *, name: str) -> Deformable:
        """The body of the library, which tears."""
        made: Deformable = self.makes(mesh, **self.arguments(), tear=tear, name=name)
        return made


def _told(cls: type[Any], ways: tuple[tuple[str, ...], ...]) -> str:
    """The ways to give a section, with their units."""
    unit = {p.name: p.note.unit for p in parameters_of(cls)}
    units = [unit[way[0]] for way in ways]
    if len(set(units)) == 1:
        return ", or ".join(" and ".join(way) for way in ways) + f" [{units[0]}]"
    return " or ".join(f"{' and '.join(way)} [{u}]" for way, u in zip(ways, units, strict=True))


def words() -> dict[str, list[type[Any]]]:
    """The fields of scene files that make bodies on a mesh, each with the classes that it may make."""
    found: dict[str, list[type[Any]]] = {}
    for cls in BODIES.classes():
        if cls.word:
            found.setdefault(cls.word, []).append(cls)
    return found


def kind_table(cls: Any) -> type[KindTable]:
    """The table of a class of bodies."""
    return table_of(cls, base=KindTable)  # type: ignore[return-value]
