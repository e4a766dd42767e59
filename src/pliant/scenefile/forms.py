"""`form`: curves, surfaces and solids by their fundamental forms."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, create_model

from pliant.bodies import Deformable, FormCurve, FormSolid, FormSurface
from pliant.declared import MISSING, AnyOf, Parameter, parameters_of
from pliant.mesh import Mesh

from .kind_tables import KindTable

FORM_CLASSES: dict[str, type[Any]] = {"curve": FormCurve, "sheet": FormSurface, "solid": FormSolid}

PLURAL = {"curve": "lines", "sheet": "sheets", "solid": "solids"}


class FormBase(KindTable):
    """What keeps its fundamental forms: of lines, of sheets in space, or of solids."""

    makes = FormCurve

    def make(self, mesh: Mesh, *, name: str) -> Deformable:
        """The body of the library that fits the cells."""
        shape = "curve" if mesh.cell_dim == 1 else "sheet" if mesh.cell_dim < mesh.dim else "solid"
        given = {n: getattr(self, n) for n in type(self).model_fields}
        given = {n: v for n, v in given.items() if v is not None}
        for matrix in (v for v in given.values() if isinstance(v, tuple)):
            if len({len(row) for row in matrix} | {len(matrix)}) > 1:
                raise ValueError(
                    f"got a matrix of {len(matrix)} rows; expected as many numbers in each"
                )
        if shape == "curve" and mesh.dim == 2 and "torsion" in given:
            raise ValueError("got torsion of a curve in the plane; expected it left out")
        for name_, owners in FORM_FIELDS.items():
            if name_ in given and shape not in owners:
                only = [PLURAL[owner] for owner in owners]
                whose = f"only {only[0]} have" if len(only) == 1 else f"{PLURAL[shape]} do not have"
                raise ValueError(f"got {name_}, which {whose}; expected it left out")
        made: Deformable = FORM_CLASSES[shape](mesh, **given, name=name)
        return made


def _fields() -> dict[str, dict[str, Parameter]]:
    """The parameters of all three by name, each by the shapes that have it."""
    found: dict[str, dict[str, Parameter]] = {}
    for shape, cls in FORM_CLASSES.items():
        for p in parameters_of(cls):
            found.setdefault(p.name, {})[shape] = p
    return found


def _field(owners: dict[str, Parameter]) -> Any:
    """A field, which has a unit for each shape."""
    first = next(iter(owners.values()))
    units = ", ".join(f"of a {shape} [{p.note.unit}]" for shape, p in owners.items())
    about = f"{first.note.about.split(' over ')[0]}: {units}"
    if any(isinstance(p.note, AnyOf) for p in owners.values()):
        about += "; a number, or of sheets and solids a symmetric matrix as a list of rows"
    # Without units, which differ from shape to shape.
    note: Any = AnyOf(about, notes=tuple(replace(p.note, unit="") for p in owners.values()))
    required = first.default is MISSING
    kind: Any = Annotated[Any, note]
    return kind if required else kind | None, Field(... if required else None, description=about)


FORM_FIELDS = _fields()
if TYPE_CHECKING:
    FormTable = FormBase
else:
    fields = {name: _field(owners) for name, owners in FORM_FIELDS.items()}
    FormTable = create_model("FormTable", __base__=FormBase, __doc__=FormBase.__doc__, **fields)
