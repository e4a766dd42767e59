"""`[[obstacle]]`: fixed things that bodies cannot enter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from pydantic import Field, model_validator

from .fields import Numbers, Quantity, Table, refuse
from .meshes import Length, Vector, of_dim
from .selections import Ball
from .source import Here

if TYPE_CHECKING:
    from pliant.deformable import Deformable
    from pliant.obstacles import Obstacle

SHAPES = ("sphere", "half_space", "capsule")


class HalfSpaceTable(Table):
    """All that is behind a plane."""

    point: Vector = Field(description="any point of the plane [m]")
    normal: Annotated[
        tuple[float, ...], Numbers(each=Quantity(), counts=(2, 3), like="[0, 1, 0]")
    ] = Field(description="where bodies are, of any length [-]")


class CapsuleTable(Table):
    """All that is within a radius of a line."""

    a: Vector = Field(description="where the line begins [m]")
    b: Vector = Field(description="where it ends [m]")
    radius: Length = Field(description="[m]")


class ObstacleTable(Table):
    """One obstacle: exactly one of sphere, half_space and capsule."""

    sphere: Ball | None = Field(None, description="a ball, a disk in 2D: centre and radius [m]")
    half_space: HalfSpaceTable | None = Field(
        None, description="a floor or wall: a point of it [m] and the normal [-]"
    )
    capsule: CapsuleTable | None = Field(None, description="a pole: its ends and radius [m]")
    margin: Annotated[float, Quantity(at_least=0.0, unit="m")] | None = Field(
        None, description="how near points are pushed back [m]; 0.005 of the longest side of a body"
    )
    friction: Annotated[float, Quantity(at_least=0.0)] = Field(0.0, description="Coulomb's [-]")

    @model_validator(mode="after")
    def _one_shape(self) -> ObstacleTable:
        given = [name for name in SHAPES if getattr(self, name) is not None]
        if len(given) != 1:
            got = f"has {' and '.join(given)}" if given else "has no shape"
            refuse(f"exactly one of {', '.join(SHAPES)}", got=got)
        return self

    def make(self, dim: int, here: Here) -> Obstacle:
        """The obstacle of the library."""
        from pliant import obstacles

        near: dict[str, Any] = {"margin": self.margin, "friction": self.friction}
        if self.sphere is not None:
            with here / "sphere":
                centre = of_dim(self.sphere.centre, dim, "centre")
                return obstacles.Sphere(centre, self.sphere.radius, **near)
        if self.half_space is not None:
            with here / "half_space":
                point = of_dim(self.half_space.point, dim, "point")
                normal = of_dim(self.half_space.normal, dim, "normal")
                return obstacles.HalfSpace(point, normal, **near)
        assert self.capsule is not None
        with here / "capsule":
            a, b = of_dim(self.capsule.a, dim, "a"), of_dim(self.capsule.b, dim, "b")
            return obstacles.Capsule(a, b, self.capsule.radius, **near)


def require_clear(body: Deformable, obstacles: Sequence[Obstacle], here: Here) -> None:
    """Refuse a start in which free points are inside an obstacle, in the words of the file."""
    for i, obstacle in enumerate(obstacles):
        inside = int(np.sum((obstacle.nearest(body.positions)[0] < 0.0) & ~body.pinned))
        if inside:
            raise here.error(
                f"{inside} points begin inside obstacle {i}, {obstacle!r}; expected a start outside "
                "of it: move = [...] in mesh, or offset = [...] in start"
            )
