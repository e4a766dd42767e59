"""Which points are meant: an expression, a box, a ball, a group, numbers, a surface; or several."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from pliant.mesh import Mesh

from .body_on_mesh import BodyOnMesh
from .expressions import COORDINATES, Expression
from .fields import Numbers, Quantity, Table, Vector, Vectors, refuse
from .meshes import of_dim
from .source import Here

Indices = Annotated[
    tuple[int, ...], Numbers(each=Quantity(at_least=0, whole=True), counts=(), like="[0, 1, 5]")
]
FORMS = ("box", "sphere", "group", "points", "surface")


def _is_condition(text: str) -> str:
    try:
        wrong = None if Expression(text).is_condition else f'"{text}" is a number'
    except ValueError as error:
        refuse("", got=str(error))
    if wrong:
        refuse(f'a condition such as "{text} < 0.01"', got=f"got {wrong}")
    return text


class Ball(Table):
    """All points no farther than the radius from the centre."""

    centre: Vector = Field(description="its centre [m]")
    radius: Annotated[float, Quantity(above=0.0, unit="m")] = Field(description="its radius [m]")


class Region(Table):
    """Points by place, name or number: exactly one."""

    expects: ClassVar[str] = (
        'an expression as "x < 0.01", a table as { box = [[0, 0, 0], [1, 1, 1]] }, or a list of them'
    )

    box: Vectors | None = Field(None, description="lowest and highest corner [m]")
    sphere: Ball | None = Field(None, description="centre and radius [m]")
    group: str | None = Field(None, description="a group of points that the mesh file names")
    points: Indices | None = Field(None, description="numbers of points of the mesh, from 0")
    surface: Indices | None = Field(
        None,
        description="numbers of vertices of the surface that the body wears, from 0: the points of "
        "the mesh that carry them, with the faces between them",
    )

    @model_validator(mode="after")
    def _one_form(self) -> Region:
        self.only(FORMS, nothing="is empty", otherwise=', or an expression as "x < 0.01"')
        if self.box is not None and len(self.box) != 2:
            refuse("two corners, [[0, 0, 0], [1, 1, 1]]", field="box")
        return self

    def mask(self, on_mesh: BodyOnMesh) -> np.ndarray:
        """The points of the body's mesh that are meant."""
        mesh, x = on_mesh.mesh, on_mesh.mesh.points
        if self.surface is not None:
            return on_mesh.carriers(np.array(self.surface))
        if self.box is not None:
            low, high = (of_dim(corner, mesh.dim, "box") for corner in self.box)
            return np.asarray(((x >= low) & (x <= high)).all(axis=1))
        if self.sphere is not None:
            centre = of_dim(self.sphere.centre, mesh.dim, "centre")
            return np.asarray(np.linalg.norm(x - centre, axis=1) <= self.sphere.radius)
        chosen: Any = self.points
        if self.group is not None:
            if self.group not in mesh.groups:
                known = ", ".join(mesh.groups) or "none at all"
                raise ValueError(f"got group {self.group!r}; the mesh has {known}")
            chosen = mesh.groups[self.group]
        numbers = np.array(chosen)
        if numbers.max(initial=0) >= len(mesh):
            raise ValueError(f"got point {numbers.max()}; the mesh has 0 to {len(mesh) - 1}")
        mask = np.zeros(len(mesh), dtype=bool)
        mask[numbers] = True
        return mask


def _form(given: Any) -> str:
    return "text" if isinstance(given, str) else "list" if isinstance(given, list) else "table"


Condition = Annotated[str, AfterValidator(_is_condition)]
One = Annotated[
    Annotated[Condition, Tag("text")] | Annotated[Region, Tag("table")],
    Discriminator(lambda v: "text" if isinstance(v, str) else "table"),
]
Selection = Annotated[
    Annotated[Condition, Tag("text")]
    | Annotated[Region, Tag("table")]
    | Annotated[list[One], Field(min_length=1), Tag("list")],
    Discriminator(_form),
]


def select(selection: Any, on_mesh: BodyOnMesh, here: Here) -> np.ndarray:
    """The mask of a selection, shape (n,); refused if it is empty."""
    if isinstance(selection, list):
        masks = [select(s, on_mesh, here / i) for i, s in enumerate(selection)]
        return np.asarray(np.logical_or.reduce(masks))
    mesh = on_mesh.mesh
    with here:
        if isinstance(selection, str):
            mask: np.ndarray = np.broadcast_to(evaluate(selection, mesh), (len(mesh),)).copy()
        else:
            mask = selection.mask(on_mesh)
        if not mask.any():
            said = f'"{selection}"' if isinstance(selection, str) else "it"
            raise ValueError(f"{said} selects no point; the mesh has {ranges(mesh)}")
    return mask


def evaluate(text: str, mesh: Mesh, at: np.ndarray | None = None) -> Any:
    """The value of an expression at places [m], by default the points of a mesh at rest."""
    expression = Expression(text)
    axes = COORDINATES[: mesh.dim]
    values: dict[str, Any] = {}
    places = mesh.points if at is None else at
    for axis, column, own in zip(axes, places.T, mesh.points.T, strict=True):
        values |= {axis: column, f"{axis}min": own.min(), f"{axis}max": own.max()}
    strange = expression.used - set(values)
    if strange:
        raise ValueError(f'got {min(strange)!r} in "{text}"; the body is 2D: expected x and y')
    return expression(values)


def ranges(mesh: Mesh) -> str:
    """`x 0 to 4, y 0 to 1, z 0 to 1 [m]`."""
    low, high = mesh.points.min(axis=0) + 0.0, mesh.points.max(axis=0) + 0.0
    axes = zip(COORDINATES, low, high, strict=False)
    return ", ".join(f"{c} {a:.4g} to {b:.4g}" for c, a, b in axes) + " [m]"
