"""`form`: curves, surfaces and solids by their fundamental forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from pydantic import Field

from .fields import Numbers, Quantity, Table

if TYPE_CHECKING:
    from pliant.deformable import Deformable
    from pliant.mesh import Mesh


class _Weights:
    """The annotation of a weight: a number, or a symmetric matrix as a list of rows."""

    def check(self, given: Any) -> Any:
        """The number, or the matrix as a tuple of rows."""
        if isinstance(given, Sequence) and not isinstance(given, str):
            return _ROWS.check(given)
        return _ONE.check(given)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_plain_validator_function(self.check)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        both = (_ONE, _ROWS)
        return {"anyOf": [each.__get_pydantic_json_schema__(schema, handler) for each in both]}


_ONE = Quantity(at_least=0.0)
_ROWS = Numbers(each=Quantity(), counts=(2, 3, 6), like="[[2000, 700], [700, 100]]", rows=True)


class FormTable(Table):
    """What keeps its fundamental forms: of lines, of sheets in space, or of solids."""

    metric: Annotated[Any, _Weights()] = Field(
        description="stiffness of its lengths: of a curve [N], of a sheet [N/m], of a solid [Pa]; a "
        "number, or a symmetric matrix by component as a list of rows"
    )
    curvature: Annotated[Any, _Weights()] = Field(
        None, description="stiffness of its bend: of a curve [N m^2], of a sheet [N m]"
    )
    torsion: Annotated[float, Quantity(at_least=0.0, unit="N m^2")] | None = Field(
        None, description="stiffness of the torsion of a curve in space [N m^2]"
    )
    density: Annotated[float, Quantity(above=0.0)] = Field(
        description="mass over length of a curve [kg/m], area of a sheet [kg/m^2], volume of a solid "
        "[kg/m^3]"
    )

    def make(self, mesh: Mesh, name: str) -> Deformable:
        """The body of the library that fits the cells."""
        given = {n: getattr(self, n) for n in ("metric", "curvature", "torsion")}
        given = {n: _array(v) for n, v in given.items() if v is not None}
        if mesh.cell_dim == 1:
            from pliant.bodies.forms_curve import FormCurve

            if mesh.dim == 2 and "torsion" in given:
                raise ValueError("got torsion of a curve in the plane; expected it left out")
            return FormCurve(mesh, **given, density=self.density, name=name)
        if "torsion" in given:
            raise ValueError("got torsion, which only lines have; expected it left out")
        if mesh.cell_dim < mesh.dim:
            from pliant.bodies.forms_surface import FormSurface

            return FormSurface(mesh, **given, density=self.density, name=name)
        from pliant.bodies.forms_solid import FormSolid

        if "curvature" in given:
            raise ValueError("got curvature, which solids do not have; expected it left out")
        return FormSolid(mesh, **given, density=self.density, name=name)


def _array(value: Any) -> Any:
    rows = isinstance(value, tuple)
    if rows and len({len(row) for row in value} | {len(value)}) > 1:
        raise ValueError(f"got a matrix of {len(value)} rows; expected as many numbers in each")
    return np.array(value) if rows else value
