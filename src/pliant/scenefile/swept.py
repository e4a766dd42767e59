"""Meshes along curves: `tube = { points, radius }` and `ribbon = { points, width }`."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from pliant.mesh import Mesh, generators
from pliant.shape import BSpline

from .fields import Count, Table, Vectors, refuse
from .lengths import Cells2, Length, Point3


class Swept(Table):
    """What is swept along a curve of control points."""

    points: Vectors = Field(description="control points of a B-spline, in order [m]")
    degree: Count = Field(3, description="of the spline; of fewer points one less than there are")

    @model_validator(mode="after")
    def _is_a_curve(self) -> Swept:
        if len(self.points) < 2 or len({len(p) for p in self.points}) > 1:
            refuse("two points or more, of 2 numbers each or of 3", field="points")
        return self

    @property
    def curve(self) -> BSpline:
        """The spline."""
        return BSpline(np.array(self.points), min(self.degree, len(self.points) - 1))


class TubeMesh(Swept):
    """A tube around a curve in space."""

    radius: Length = Field(0.1, description="[m]")
    cells: Cells2 = Field(
        (32, 2), description="along it, and rings: each has six cells more around than the last"
    )
    kind: Literal["tet", "tet10", "tri", "quad"] = Field(
        "tet", description="tetrahedra that fill it, or triangles or quads of its wall"
    )

    def make(self) -> Mesh:
        """The mesh."""
        return generators.tube(self.curve, self.radius, self.cells, kind=self.kind)


class RibbonMesh(Swept):
    """A sheet along a curve in space, or a strip along one in the plane."""

    width: Length = Field(0.1, description="[m]")
    cells: Cells2 = Field((32, 2), description="along and across")
    facing: Point3 = Field((0.0, 0.0, 1.0), description="where its normal begins, in space [-]")
    kind: Literal["tri", "quad"] = Field("tri", description="triangles or quads")

    def make(self) -> Mesh:
        """The mesh."""
        return generators.ribbon(
            self.curve, self.width, self.cells, facing=self.facing, kind=self.kind
        )
