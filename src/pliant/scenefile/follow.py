"""`follow = { cache = "pose.pc2", fps = 24 }`: an animated pose of the surface that a body wears."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import Field, StrictBool

from pliant.io import read_point_cache
from pliant.shape import PoseMotion

from .body_on_mesh import BodyOnMesh
from .fields import Quantity, Table
from .meshes import MeshTable
from .selections import Selection, select
from .source import Here


class Follow(Table):
    """An animation that leads pins, throws what is let go, and pulls at what is free."""

    cache: str = Field(
        description="point cache (.pc2, .mdd) of the surface that the body wears, or of the points of "
        "a mesh of lines, animated; scaled, turned and moved as the mesh is"
    )
    fps: Annotated[float, Quantity(above=0.0, unit="1/s")] | None = Field(
        None, description="frames per second [1/s] of a .pc2 file, which does not say; .mdd does"
    )
    first: Annotated[float, Quantity(unit="s", at_most=0.0)] = Field(
        0.0,
        description="time of its first sample [s]; samples before time 0 tell how fast the body is when "
        "it is let go",
    )
    where: Selection | None = Field(
        None,
        description="points that go on with the animation, in the rest shape [m]; none if left out",
    )
    pull: Annotated[float, Quantity(at_least=0.0)] = Field(
        1.0,
        description="how far what is free lags behind the animation under settle [-]: 1 as its own "
        "weight would in that time, 0 not",
    )
    drift: StrictBool = Field(
        True,
        description="whether the body keeps the momentum and the spin of the pose; false: only its "
        "deformation follows through",
    )

    def read(self, on_mesh: BodyOnMesh, table: MeshTable, here: Here) -> PoseMotion:
        """The poses of the points of the body."""
        there = here / "cache"
        file = there.file(self.cache)
        with there, there.warnings():
            times, x = read_point_cache(file, self.fps)
            placed = np.stack([table.carry(frame) for frame in x])
            return PoseMotion(times + self.first, on_mesh.poses(placed))

    def led(self, on_mesh: BodyOnMesh, fixed: np.ndarray, here: Here) -> np.ndarray:
        """The mask of the points of the mesh that go on with the animation."""
        led = select(self.where, on_mesh, here / "where")
        if (fixed & led).any():
            raise (here / "where").error(
                f"{(fixed & led).sum()} of its points are also in fix; expected each point in one of "
                "the two"
            )
        if led.all():
            raise (here / "where").error("leads every point; expected some that can move")
        return led

    def act(self, on_mesh: BodyOnMesh, gravity: np.ndarray, here: Here) -> None:
        """Let the animation pull at what is free."""
        if on_mesh.motion is not None and self.pull:
            with here / "pull":
                on_mesh.motion.pull(on_mesh.body, self.pull, gravity=gravity)
