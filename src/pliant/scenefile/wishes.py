"""`settle = { ... }`: when a body rests, or each of its points."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from pydantic import Field
from scipy.spatial import cKDTree

from pliant.control import Settle
from pliant.declared import Checked, parameters_of
from pliant.errors import is_finite, shown
from pliant.mesh import Mesh, in_space

from .body_on_mesh import BodyOnMesh
from .expressions import Expression
from .fields import refuse
from .selections import evaluate
from .tables import ClassTable, table_of

#: The name of all points that are in none of the groups of a table.
ELSEWHERE = "elsewhere"
SECONDS: Any = next(p.note for p in parameters_of(Settle) if p.name == "rest_in")
EXPECTED = (
    'seconds > 0, an expression as "0.5 + 1.5*(x - xmin)/(xmax - xmin)", or seconds for groups of '
    "points as { tail = 2, elsewhere = 0.5 }, or a list with one for each vertex of its surface"
)


class RestIn(Checked):
    """Seconds for the body, or for each point by an expression or by groups."""

    def check(self, given: Any) -> Any:
        """A number, a text or a table."""
        if isinstance(given, str):
            return _number_text(given)
        if isinstance(given, dict):
            if not given:
                refuse(EXPECTED)
            return {name: _seconds(value, name) for name, value in given.items()}
        if isinstance(given, list):
            if not given:
                refuse(EXPECTED)
            return tuple(_seconds(value, str(i)) for i, value in enumerate(given))
        return SECONDS.check(given)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        number = SECONDS.__get_pydantic_json_schema__(schema, handler)
        text = {"type": "string", "description": "for each point, in x, y, z at rest [m]"}
        groups = {
            "type": "object",
            "description": f"for groups of the mesh, and {ELSEWHERE}",
            "additionalProperties": number,
            "minProperties": 1,
        }
        painted = {
            "type": "array",
            "description": "for each vertex of the surface that the body wears",
            "items": number,
            "minItems": 1,
        }
        return {"anyOf": [number, text, groups, painted]}


def _number_text(text: str) -> str:
    try:
        condition = Expression(text).is_condition
    except ValueError as error:
        refuse("", got=str(error))
    if condition:
        refuse(EXPECTED, got=f'got "{text}", a condition')
    return text


def _seconds(given: Any, name: str) -> float:
    if not (is_finite(given) and given > 0.0):
        refuse("seconds > 0", field=name, got=f"is {shown(given)}")
    return float(given)


class SettleBase(ClassTable):
    """When it rests and how often it bounces."""

    rest_in: Annotated[Any, RestIn(SECONDS.about, SECONDS.unit)] = Field(
        description=SECONDS.description
    )

    def wish(self, on_mesh: BodyOnMesh) -> Settle:
        """The damping of a body."""
        arguments = {name: value for name, value in self.arguments().items() if name != "rest_in"}
        return Settle(self._seconds(on_mesh), **arguments)

    def _seconds(self, on_mesh: BodyOnMesh) -> Any:
        """One number, or one for each point of the body."""
        if isinstance(self.rest_in, str):
            each = _evaluated(self.rest_in, on_mesh.mesh)
        elif isinstance(self.rest_in, dict):
            each = _of_groups(self.rest_in, on_mesh.mesh)
        elif isinstance(self.rest_in, tuple):
            each = _of_vertices(np.array(self.rest_in), on_mesh)
        else:
            return self.rest_in
        return each[on_mesh.body.owners]


def _evaluated(text: str, mesh: Mesh) -> np.ndarray:
    """The seconds of every point of a mesh, by an expression."""
    value = np.asarray(evaluate(text, mesh), dtype=float)
    each = np.array(np.broadcast_to(value, (len(mesh),)))
    wrong = ~(np.isfinite(each) & (each > 0.0))
    if wrong.any():
        raise ValueError(
            f'rest_in = "{text}" is {each[wrong][0]:g} at {int(wrong.sum())} of {len(mesh)} points; '
            "expected seconds > 0 at each"
        )
    return each


def _of_groups(seconds: dict[str, float], mesh: Mesh) -> np.ndarray:
    """The seconds of every point of a mesh, by its groups; of several groups the last one counts."""
    each = np.full(len(mesh), seconds.get(ELSEWHERE, 0.0))
    for name, value in seconds.items():
        if name != ELSEWHERE:
            if name not in mesh.groups:
                known = ", ".join(mesh.groups) or "none at all"
                raise ValueError(f"rest_in: got group {name!r}; the mesh has {known}")
            each[mesh.groups[name]] = value
    if not each.all():
        raise ValueError(
            f"rest_in: {int((each == 0.0).sum())} of {len(mesh)} points are in none of its groups; "
            "expected elsewhere = seconds for them"
        )
    return each


def _of_vertices(seconds: np.ndarray, on_mesh: BodyOnMesh) -> np.ndarray:
    """The seconds of every point of a mesh: those of the vertex of the surface that is nearest."""
    surface = on_mesh.body.skin.surface
    if len(seconds) != len(surface.points):
        raise ValueError(
            f"rest_in: got {len(seconds)} numbers; expected {len(surface.points)}, one for each vertex "
            "of the surface that the body wears"
        )
    x = in_space(on_mesh.mesh.points)
    return np.asarray(seconds[cKDTree(surface.points).query(x)[1]])


SettleTable = table_of(Settle, but=("rest_in",), base=SettleBase)
