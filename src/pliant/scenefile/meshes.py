"""`mesh = { ... }`: a generated shape or a file, scaled, turned and moved."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field, StrictBool, model_validator

from pliant.given import rotation
from pliant.mesh import Mesh, generators

from .fields import Count, Table, Vector, refuse
from .lengths import (
    Cells2,
    Cells3,
    Factor as Factor,
    Length,
    Point2,
    Point3,
    Size2,
    Size3,
    Turn as Turn,
)
from .sheets import Plane, lifted
from .strands import CurveMesh, Line, together
from .swept import RibbonMesh, TubeMesh


class Box(Table):
    """A box from its lowest corner."""

    size: Size3 = Field((1.0, 1.0, 1.0), description="width, height and depth [m]")
    cells: Cells3 = Field((4, 4, 4), description="cells along each side")
    kind: Literal["tet", "hex", "tet10", "hex20"] = Field(
        "tet", description="tetrahedra or hexahedra, linear or quadratic"
    )
    origin: Point3 = Field((0.0, 0.0, 0.0), description="lowest corner [m]")


class Cylinder(Table):
    """A cylinder along z, from 0."""

    radius: Length = Field(1.0, description="[m]")
    height: Length = Field(2.0, description="[m]")
    cells: Cells2 = Field((4, 8), description="rings and layers")
    kind: Literal["tet", "tet10"] = Field("tet", description="tetrahedra, linear or quadratic")


class SphereMesh(Table):
    """A ball about the origin."""

    radius: Length = Field(1.0, description="[m]")
    cells: Count = Field(6, description="layers from centre to surface")
    kind: Literal["tet", "tet10"] = Field("tet", description="tetrahedra, linear or quadratic")


class Rectangle(Table):
    """A rectangle (2D) from its lower left corner."""

    size: Size2 = Field((1.0, 1.0), description="width and height [m]")
    cells: Cells2 = Field((8, 8), description="cells along each side")
    kind: Literal["tri", "quad", "tri6", "quad9"] = Field(
        "tri", description="triangles or quads, linear or quadratic"
    )
    origin: Point2 = Field((0.0, 0.0), description="lower left corner [m]")


class Trapezoid(Table):
    """Rows of equilateral triangles (2D), each one edge shorter than the last."""

    bottom: Count = Field(4, description="edges in the bottom row")
    rows: Count = Field(2, description="rows of triangles, at most as many as bottom")
    edge: Length = Field(1.0, description="length of every edge [m]")
    kind: Literal["tri", "tri6"] = Field("tri", description="triangles, linear or quadratic")


class Annulus(Table):
    """A ring (2D) about the origin."""

    inner: Length = Field(5.0, description="inner radius [m]")
    outer: Length = Field(8.0, description="outer radius [m]")
    cells: Cells2 = Field((69, 3), description="cells around and across")
    kind: Literal["tri", "tri6"] = Field("tri", description="triangles, linear or quadratic")


class Disk(Table):
    """A disk (2D) about the origin."""

    radius: Length = Field(1.0, description="[m]")
    rings: Count = Field(8, description="rings of triangles")
    kind: Literal["tri", "tri6"] = Field("tri", description="triangles, linear or quadratic")


PLANE_SHAPES = ("rectangle", "trapezoid", "annulus", "disk")
STRANDS = ("line", "lines", "curve")
SWEPT = ("tube", "ribbon")
GENERATORS = ("box", "cylinder", "sphere", *PLANE_SHAPES)
MESH_SHAPES = (*GENERATORS, *STRANDS, *SWEPT, "file")


class MeshTable(Table):
    """The rest shape of a body: exactly one shape or file."""

    expects: ClassVar[str] = '{ box = { size = [4, 1, 1] } }, { file = "bunny.obj" } or the like'

    box: Box | None = Field(None, description="a box (3D)")
    cylinder: Cylinder | None = Field(None, description="a cylinder along z (3D)")
    sphere: SphereMesh | None = Field(None, description="a ball (3D)")
    rectangle: Rectangle | None = Field(None, description="a rectangle (2D)")
    trapezoid: Trapezoid | None = Field(None, description="a trapezoid of triangles (2D)")
    annulus: Annulus | None = Field(None, description="a ring (2D)")
    disk: Disk | None = Field(None, description="a disk (2D)")
    line: Line | None = Field(None, description="a straight strand")
    lines: Annotated[list[Line], Field(min_length=1)] | None = Field(
        None, description="several straight strands"
    )
    curve: CurveMesh | None = Field(None, description="a strand along a curve, open or closed")
    tube: TubeMesh | None = Field(None, description="a tube along a curve (3D), filled or its wall")
    ribbon: RibbonMesh | None = Field(
        None, description="a sheet along a curve in space, or a strip in the plane"
    )
    file: str | None = Field(
        None,
        description="mesh file, relative to the scene file: closed OBJ, STL or PLY surfaces are "
        "filled with tetrahedra; .vtu, .msh, .vtk and other volume or plane meshes are used as "
        "they are. Of cloth and shell the faces of a surface are the cells",
    )
    fill: StrictBool = Field(
        True, description="false: the faces of a surface file are the cells, of a sheet"
    )
    edge_length: Length | None = Field(
        None, description="length of the tetrahedra's edges [m], for surface files, after `scale`"
    )
    repair: bool = Field(
        False, description="merge duplicate points and mend or drop bad cells of a volume file"
    )
    plane: Plane | None = Field(
        None, description="puts a 2D shape into space, before it is scaled: its two axes there"
    )
    scale: Factor = Field(1.0, description="factor on all lengths [-]: 0.001 for millimetres")
    turn: Turn | None = Field(
        None,
        description="turn about the origin after scaling [degrees]: about x, then y, then z; one "
        "number in 2D",
    )
    move: Vector | None = Field(None, description="shift after turning [m]")

    @model_validator(mode="after")
    def _one_shape(self) -> MeshTable:
        shape = self.only(MESH_SHAPES, nothing="has no shape")
        if self.edge_length is not None and self.file is None:
            refuse("it only beside file: a generated mesh has cells = [...]", field="edge_length")
        if not self.fill and self.file is None:
            refuse("it only beside file", field="fill")
        if self.plane is not None and shape not in (*PLANE_SHAPES, "file"):
            refuse(f"it of {', '.join(PLANE_SHAPES)} only: {shape} is not 2D", field="plane")
        return self

    def generate(self) -> Mesh:
        """The generated mesh, before it is scaled, turned and moved."""
        name = self.only(MESH_SHAPES, nothing="has no shape")
        table = getattr(self, name)
        if name == "lines":
            return together([line.make() for line in table])
        if name in (*STRANDS, *SWEPT):
            made: Mesh = table.make()
            return made
        mesh: Mesh = getattr(generators, name)(**table.model_dump())
        return mesh if self.plane is None else lifted(mesh, self.plane)

    def carry(self, points: np.ndarray) -> np.ndarray:
        """Points scaled, turned and moved [m]."""
        dim = points.shape[1]
        x = self.scale * points
        if self.turn is not None:
            x = x @ rotation(self.turn, dim).T
        if self.move is not None:
            x = x + of_dim(self.move, dim, "move")
        return np.asarray(x)

    @property
    def stays(self) -> bool:
        """Whether `carry` leaves points where they are."""
        return self.scale == 1.0 and self.turn is None and self.move is None


def of_dim(vector: tuple[float, ...], dim: int, name: str) -> np.ndarray:
    """A vector of a 2D or 3D body; in 2D a third number may be there if it is zero."""
    v = np.array(vector)
    if len(v) == 3 and dim == 2 and v[2] == 0.0:
        v = v[:2]
    if len(v) != dim:
        raise ValueError(f"got {name} = {list(vector)}; the body is {dim}D: expected {dim} numbers")
    return v
