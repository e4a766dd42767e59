"""`[body.NAME]`: all that makes one body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np
from pydantic import Field, model_validator

from .damping_tables import DampingTable
from .drive import Drive
from .fields import Range, Table, refuse
from .matter import MaterialTable, SettleTable
from .mesh_files import make_mesh, read_surface
from .meshes import MeshTable
from .push import Push
from .selections import Selection, select
from .source import Here
from .start import Start
from .telling import Tell, tell_nobody

if TYPE_CHECKING:
    from pliant.body import Body


class BodyTable(Table):
    """One body."""

    mesh: MeshTable = Field(description="the rest shape [m]: { box = {...} }, { file = ... }")
    material: MaterialTable = Field(
        description="what it is made of: { model, young [Pa], poisson [-] }"
    )
    density: Annotated[float, Range(above=0.0, unit="kg/m^3")] = Field(
        1000.0, description="[kg/m^3]"
    )
    thickness: Annotated[float, Range(above=0.0, unit="m")] = Field(
        1.0, description="of 2D bodies [m]"
    )
    settle: SettleTable | None = Field(
        None, description="when it rests [s] and how often it bounces"
    )
    damping: DampingTable | None = Field(None, description="another damping instead of settle")
    fix: Selection | None = Field(
        None, description='points that are held, in the rest shape [m]: "x < 0.01", { box = ... }'
    )
    drive: list[Drive] = Field([], description="points that are led along a path")
    push: list[Push] = Field([], description="loads")
    start: Start | None = Field(None, description="the shape and motion it begins with")
    surface: str | None = Field(
        None,
        description="fine surface (OBJ, STL, PLY) that the body carries and that is drawn and "
        "exported; scaled, turned and moved as the mesh is. A body filled from a surface file "
        "wears that file if this is left out",
    )

    @model_validator(mode="after")
    def _one_damping(self) -> BodyTable:
        if self.settle is not None and self.damping is not None and self.damping.model != "none":
            refuse("one of the two", field="damping", got="stands beside settle")
        return self

    def make(
        self,
        name: str,
        here: Here,
        *,
        progress: bool | None = None,
        tell: Tell = tell_nobody,
        refine: int = 0,
    ) -> Body:
        """The body, with its pins, loads and start; `refine`: how often its cells are halved."""
        from pliant.body import Body
        from pliant.mesh.refinement import refined

        mesh, worn = make_mesh(self.mesh, here / "mesh", progress=progress, tell=tell)
        if refine:
            with here / "mesh":
                mesh = refined(mesh, refine)
        with here / "material":
            material = self.material.make()
        with here:
            body = Body(mesh, material, density=self.density, thickness=self.thickness, name=name)
        if self.surface is not None:
            worn = read_surface(self.surface, self.mesh, here / "surface")
        if worn is not None:
            with here / ("surface" if self.surface is not None else "mesh"):
                body.wear(worn)
        fixed = np.zeros(len(mesh), dtype=bool)
        if self.fix is not None:
            fixed = select(self.fix, body, here / "fix")
            if fixed.all():
                raise (here / "fix").error("holds every point; expected some that can move")
        led = [
            select(drive.where, body, here / "drive" / i / "where")
            for i, drive in enumerate(self.drive)
        ]
        if self.start is not None:
            there = here / "start"
            pinned = np.logical_or.reduce([fixed, *led])
            with there:
                if self.start.surface is not None:
                    tell(f"putting {name} where {self.start.surface} is")
                    body.place(self._posed(body, self.start.surface, there / "surface"))
                else:
                    body.place(self.start.shape(mesh, pinned, there))
                body.velocity = self.start.velocities(body.positions, body.masses, there)
        if self.fix is not None:
            body.fix(fixed)
        for i, (drive, where) in enumerate(zip(self.drive, led, strict=True)):
            there = here / "drive" / i
            if (fixed & where).any():
                count = int((fixed & where).sum())
                raise (there / "where").error(
                    f"{count} of its points are also in fix; expected each point in one of the two"
                )
            with there:
                body.move(where, drive.path(body.positions[where], there))
        for i, push in enumerate(self.push):
            push.act(body, here / "push" / i)
        with here / ("settle" if self.settle is not None else "damping"):
            damping = self.settle or self.damping
            body.damping = None if damping is None else damping.make()
        return body

    def _posed(self, body: Body, name: str, here: Here) -> np.ndarray:
        """The shape [m] in which the surface that the body wears lies where a file has it."""
        from pliant.mesh.posing import pose

        there = read_surface(name, self.mesh, here)
        with here, here.warnings():
            return pose(body.mesh, body.skin.surface, there.points)
