"""`start = { ... }`: the shape and motion a body begins with."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import Field, StrictBool, model_validator

from .body_on_mesh import BodyOnMesh
from .fields import Numbers, Quantity, refuse
from .meshes import Turn, of_dim
from .pose import Pose
from .selections import Selection, select
from .source import Here

SPEEDS = Numbers("", "m/s", counts=(2, 3), like="[0, 1, 0]")


class Start(Pose):
    """A shape, at rest or not, and a motion."""

    at_rest: StrictBool = Field(
        False,
        description="begin where gravity and loads at time 0 let the body rest, not in the shape "
        "of the mesh",
    )
    as_drawn: StrictBool = Field(
        False,
        description="hang in this shape: the rest shape is found with which gravity and loads at time 0 "
        "let the body rest here",
    )
    noise: Annotated[float, Quantity(at_least=0.0, unit="m")] = Field(
        0.0,
        description="moves every free point by up to this [m], always alike: a sheet that is flat to "
        "the last digit cannot tell which way to fold",
    )
    velocity: Annotated[tuple[float, ...], SPEEDS] | None = Field(
        None, description="velocity of all points [m/s], or of those `where` says"
    )
    where: Selection | None = Field(
        None, description="points that have the velocity, in the rest shape [m]; all if left out"
    )
    spin: Turn | None = Field(
        None,
        description="spin about the centre of mass [degrees/s]: about x, y, z; one number in 2D",
    )

    @model_validator(mode="after")
    def _one_beginning(self) -> Start:
        if self.at_rest and self.shapes:
            refuse("one of the two", field="at_rest", got=f"stands beside {self.shapes[0]}")
        for other in ("at_rest", "noise"):
            if self.as_drawn and getattr(self, other):
                refuse("one of the two", field="as_drawn", got=f"stands beside {other}")
        if self.surface is not None and self.noise:
            refuse("one of the two", field="noise", got="stands beside surface")
        if self.where is not None and self.velocity is None:
            refuse("it beside velocity = [...] only", field="where", got="is given")
        return self

    def shape(self, on_mesh: BodyOnMesh, pinned: np.ndarray, here: Here) -> np.ndarray:
        """The start shape [m], (n, d); pinned: points of the mesh that are held or led."""
        x = super().shape(on_mesh, pinned, here)
        if not self.noise:
            return x
        rough = np.random.default_rng(0).uniform(-self.noise, self.noise, on_mesh.mesh.points.shape)
        rough[pinned] = 0.0
        return np.asarray(x + rough[on_mesh.body.owners])

    def velocities(self, on_mesh: BodyOnMesh, here: Here) -> np.ndarray:
        """The velocities of the start [m/s], (n, d), of a body in its start shape."""
        x, masses = on_mesh.body.positions, on_mesh.body.masses
        dim = x.shape[1]
        v = np.zeros_like(x)
        if self.velocity is not None:
            every = np.ones(len(on_mesh.mesh), dtype=bool)
            moving = every if self.where is None else select(self.where, on_mesh, here / "where")
            with here / "velocity":
                v[on_mesh.body.points_at(moving)] += of_dim(self.velocity, dim, "velocity")
        if self.spin is not None:
            with here / "spin":
                arm = x - masses @ x / masses.sum()
                rate = np.radians(self.spin)
                if len(rate) != (1 if dim == 2 else 3):
                    raise ValueError(f"got {list(self.spin)}; the body is {dim}D: expected "
                                     f"{'one number' if dim == 2 else 'three numbers'}")  # fmt: skip
                v += rate * arm[:, ::-1] * [-1, 1] if dim == 2 else np.cross(rate, arm)
        return v
