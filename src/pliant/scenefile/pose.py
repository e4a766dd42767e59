"""A shape of a body: a surface elsewhere, or stretched, tapered, twisted, bent and displaced."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, model_validator

from pliant.mesh import Mesh
from pliant.shape import Lattice, bend, stretch, taper, twist, warp

from .body_on_mesh import BodyOnMesh
from .expressions import BOUNDS, COORDINATES
from .fields import Numbers, PerAxis, Quantity, Table, Vector, refuse
from .meshes import of_dim
from .selections import evaluate
from .source import Here

Axis = Literal["x", "y", "z"]
Degrees = Annotated[float, Quantity(unit="degrees")]
Factor = Annotated[float, Quantity(above=0.0)]
Length = Annotated[float, Quantity(above=0.0, unit="m")]
FACTORS = Numbers(each=Quantity(above=0.0), counts=(2, 3), like="[1.5, 1, 1]")


#: A displacement: an expression or a number per axis.
DISPLACEMENT = PerAxis(
    COORDINATES + BOUNDS,
    like='["0", "0.05*x**2", "0"]',
    says="one expression per axis [m]",
    parts="numbers or expressions [m]",
)


class BendPose(Table):
    """Rolled along an arc, the middle line unstretched."""

    degrees: Degrees = Field(description="angle between the two ends [degrees]")
    along: Axis = Field("x", description="the long axis")
    towards: Axis = Field("y", description="the axis that it bends towards")


class TaperPose(Table):
    """Thicker at one end than at the other."""

    factor: Factor = Field(description="of cross sections at the far end over the near end [-]")
    along: Axis = Field("x", description="the long axis")


class Twist(Table):
    """Turned about an axis, more and more along it."""

    degrees: Degrees = Field(description="angle between the two ends [degrees]")
    along: Axis = Field("x", description="the axis")


class WarpPose(Table):
    """Dragged: what is at a place goes all the way, and what is around it goes less."""

    at: Vector = Field(description="the place [m]")
    by: Vector = Field(description="how far it goes [m], less than 0.65 of the radius")
    radius: Length = Field(description="how far around it points move [m]")


POSE_SHAPES = ("surface", "stretch", "taper", "twist", "bend", "warp", "lattice", "offset")


class Pose(Table):
    """Where the surface of a body lies; or how it is deformed, in the order of the fields."""

    surface: str | None = Field(
        None,
        description="file (OBJ, STL, PLY) with the points of the surface that the body wears, where "
        "they are in this shape; scaled, turned and moved as the mesh is",
    )
    stretch: Annotated[tuple[float, ...], FACTORS] | None = Field(
        None, description="factor along each axis [-], about `about`"
    )
    taper: TaperPose | None = Field(None, description="thinner or thicker at the far end")
    twist: Twist | None = Field(None, description="twist about an axis [degrees]")
    bend: BendPose | None = Field(None, description="bend along an arc [degrees]")
    warp: WarpPose | None = Field(None, description="drag what is around a place [m]")
    lattice: str | None = Field(
        None,
        description="TOML file of a lattice around the body, with control points that are moved, as "
        "`pl.shape.Lattice.write` writes it",
    )
    offset: Annotated[tuple[Any, ...], DISPLACEMENT] | None = Field(
        None, description="displacement [m] per axis: numbers or expressions of x, y, z"
    )
    about: Vector | None = Field(
        None,
        description="what stays in stretch, taper, twist and bend [m]; the middle of the fixed points "
        "if left out, or of the mesh",
    )

    @property
    def shapes(self) -> list[str]:
        """Which of its shapes are given."""
        return [name for name in POSE_SHAPES if getattr(self, name) is not None]

    @model_validator(mode="after")
    def _surface_alone(self) -> Pose:
        if self.surface is not None and len(self.shapes) > 1:
            refuse("one of the two", field="surface", got=f"stands beside {self.shapes[1]}")
        return self

    def shape(self, on_mesh: BodyOnMesh, pinned: np.ndarray, here: Here) -> np.ndarray:
        """Where the points of the body are [m], (n, d); pinned: points of the mesh that stay."""
        mesh = on_mesh.mesh
        x: np.ndarray = on_mesh.body.mesh.points.copy()
        dim = mesh.dim
        held = mesh.points[pinned] if pinned.any() else mesh.points
        with here / "about":
            middle = 0.5 * (held.min(axis=0) + held.max(axis=0))
            about = middle if self.about is None else of_dim(self.about, dim, "about")
        for name in self.shapes:
            with here / name:
                x = self._deformed(name, x, about, here / name)
        if self.offset is not None:
            with here / "offset":
                x = x + self._offsets(mesh, on_mesh.body.mesh.points)
        return x

    def _deformed(self, name: str, x: np.ndarray, about: np.ndarray, here: Here) -> np.ndarray:
        """Points after one of the shapes but `surface` and `offset`, which need more than points."""
        dim = x.shape[1]
        if self.stretch is not None and name == "stretch":
            planar = len(self.stretch) == 3 and dim == 2
            return stretch(x, self.stretch[:2] if planar else self.stretch, about=about)
        if self.taper is not None and name == "taper":
            return taper(x, self.taper.factor, along=self.taper.along, about=about)
        if self.twist is not None and name == "twist":
            return twist(x, self.twist.degrees, along=self.twist.along, about=about)
        if self.bend is not None and name == "bend":
            given = self.bend
            return bend(x, given.degrees, along=given.along, towards=given.towards, about=about)
        if self.warp is not None and name == "warp":
            at, by = (of_dim(v, dim, "warp") for v in (self.warp.at, self.warp.by))
            return warp(x, at=at, by=by, radius=self.warp.radius)
        if self.lattice is not None and name == "lattice":
            return Lattice.read(here.file(self.lattice), x).positions
        return x

    def _offsets(self, mesh: Mesh, places: np.ndarray) -> np.ndarray:
        assert self.offset is not None
        given = self.offset
        if len(given) == 3 and mesh.dim == 2 and given[2] in (0, "0"):
            given = given[:2]
        if len(given) != mesh.dim:
            raise ValueError(f"got {len(given)} components; the body is {mesh.dim}D")
        moves = np.zeros_like(places)
        for axis, part in enumerate(given):
            moves[:, axis] = evaluate(part, mesh, places) if isinstance(part, str) else part
            if not np.isfinite(moves[:, axis]).all():
                bad = int(np.flatnonzero(~np.isfinite(moves[:, axis]))[0])
                point = [round(float(c), 6) for c in places[bad]]
                raise ValueError(f'got "{part}", which is not a finite number at {point}')
        return moves
