"""A shape of a body: a surface elsewhere, or stretched, twisted, bent and displaced."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, model_validator

from pliant.mesh import Mesh

from .body_on_mesh import BodyOnMesh
from .expressions import BOUNDS, COORDINATES
from .fields import Numbers, PerAxis, Quantity, Table, Vector, refuse
from .meshes import of_dim
from .selections import evaluate
from .source import Here

Axis = Literal["x", "y", "z"]
Degrees = Annotated[float, Quantity(unit="degrees")]
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


class Twist(Table):
    """Turned about an axis, more and more along it."""

    degrees: Degrees = Field(description="angle between the two ends [degrees]")
    along: Axis = Field("x", description="the axis")


POSE_SHAPES = ("surface", "stretch", "twist", "bend", "offset")


class Pose(Table):
    """Where the surface of a body lies; or how it is stretched, twisted, bent and then displaced."""

    surface: str | None = Field(
        None,
        description="file (OBJ, STL, PLY) with the points of the surface that the body wears, where "
        "they are in this shape; scaled, turned and moved as the mesh is",
    )
    stretch: Annotated[tuple[float, ...], FACTORS] | None = Field(
        None, description="factor along each axis [-], about `about`"
    )
    twist: Twist | None = Field(None, description="twist about an axis [degrees]")
    bend: BendPose | None = Field(None, description="bend along an arc [degrees]")
    offset: Annotated[tuple[Any, ...], DISPLACEMENT] | None = Field(
        None, description="displacement [m] per axis: numbers or expressions of x, y, z"
    )
    about: Vector | None = Field(
        None,
        description="what stays in stretch, twist and bend [m]; the middle of the fixed points if "
        "left out, or of the mesh",
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
        with here / "stretch":
            if self.stretch is not None:
                factors = np.array(self.stretch)
                if len(factors) == 3 and dim == 2:
                    factors = factors[:2]
                if len(factors) != dim:
                    raise ValueError(f"got {len(factors)} factors; the body is {dim}D")
                x = about + factors * (x - about)
        if self.twist is not None:
            with here / "twist":
                x = _twisted(x, self.twist, about)
        if self.bend is not None:
            with here / "bend":
                x = _bent(x, self.bend, about)
        if self.offset is not None:
            with here / "offset":
                x = x + self._offsets(mesh, on_mesh.body.mesh.points)
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


def _axis(name: str, dim: int) -> int:
    axis = COORDINATES.index(name)
    if axis >= dim:
        raise ValueError(f"got the axis {name!r}; the body is 2D: expected x or y")
    return axis


def _bent(x: np.ndarray, bend: BendPose, about: np.ndarray) -> np.ndarray:
    along, towards = (_axis(name, x.shape[1]) for name in (bend.along, bend.towards))
    if along == towards:
        raise ValueError(f"got along and towards = {bend.along!r}; expected two different axes")
    if bend.degrees == 0.0:
        return x
    radius = float(np.ptp(x[:, along])) / np.radians(bend.degrees)
    turn = (x[:, along] - about[along]) / radius
    arm = radius - (x[:, towards] - about[towards])
    out: np.ndarray = x.copy()
    out[:, along] = about[along] + arm * np.sin(turn)
    out[:, towards] = about[towards] + radius - arm * np.cos(turn)
    return out


def _twisted(x: np.ndarray, twist: Twist, about: np.ndarray) -> np.ndarray:
    if x.shape[1] == 2:
        raise ValueError("a 2D body cannot be twisted; expected bend, stretch or offset")
    axis = _axis(twist.along, 3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    length = float(np.ptp(x[:, axis]))
    angle = np.radians(twist.degrees) * (x[:, axis] - about[axis]) / length
    out: np.ndarray = x.copy()
    u, v = x[:, i] - about[i], x[:, j] - about[j]
    out[:, i] = about[i] + np.cos(angle) * u - np.sin(angle) * v
    out[:, j] = about[j] + np.sin(angle) * u + np.cos(angle) * v
    return out
