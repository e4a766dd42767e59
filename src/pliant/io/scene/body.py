"""`[body.NAME]`: all that makes one body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from pydantic import Field, model_validator

from pliant.damping import Settle

from .drive import Drive
from .examples import ExamplesTable
from .fields import Quantity, Table, refuse
from .fitting import KINDS, SHEETS, require_fit
from .forms import FormTable
from .grown import Grown
from .impact import ImpactRodsTable
from .mesh_files import make_mesh, read_surface
from .meshes import MeshTable
from .models import DAMPING, MATERIAL
from .pose import Pose
from .push import Push
from .selections import Selection, select
from .source import Here
from .springs import PreservingTable, SpringsTable
from .start import Start
from .tables import table_of
from .telling import Tell, tell_nobody
from .thin import ClothTable, ElastonsTable, RodTable, ShellTable

if TYPE_CHECKING:
    from pliant.deformable import Deformable
    from pliant.mesh import Mesh


class BodyTable(Table):
    """One body."""

    mesh: MeshTable = Field(description="the rest shape [m]: { box = {...} }, { file = ... }")
    material: Annotated[Any, MATERIAL] | None = Field(
        None, description="a solid: { model, young [Pa], poisson [-] }"
    )
    springs: SpringsTable | None = Field(
        None, description="springs on the edges: { stiffness [N/m], mass [kg], ... }"
    )
    cloth: ClothTable | None = Field(
        None, description="a woven sheet: { stretch, shear [N/m], bend [N m], density [kg/m^2] }"
    )
    shell: ShellTable | None = Field(
        None, description="a thin shell: { young [Pa], poisson, thickness [m], density [kg/m^3] }"
    )
    rod: RodTable | None = Field(
        None, description="a thin rod: { young [Pa], poisson, density [kg/m^3], radius [m] }"
    )
    preserving: PreservingTable | None = Field(
        None, description="keeps lengths, areas, volumes: { distance, area, volume [J], mass [kg] }"
    )
    elastons: ElastonsTable | None = Field(
        None, description="points without elements: { young [Pa], poisson, density, thickness }"
    )
    form: FormTable | None = Field(
        None, description="a curve, sheet or solid by its forms: { metric, curvature, density }"
    )
    impact_rods: ImpactRodsTable | None = Field(
        None, description="rods that collide: { young [Pa], density [kg/m^3], radius [m] }"
    )
    examples: ExamplesTable | None = Field(
        None, description="poses that a solid prefers, beside material: { poses, strength }"
    )
    density: Annotated[float, Quantity(above=0.0, unit="kg/m^3")] = Field(
        1000.0, description="of a solid [kg/m^3]"
    )
    thickness: Annotated[float, Quantity(above=0.0, unit="m")] = Field(
        1.0, description="of 2D solids [m]"
    )
    settle: table_of(Settle) | None = Field(  # type: ignore[valid-type]
        None, description="when it rests [s] and how often it bounces"
    )
    damping: Annotated[Any, DAMPING] | None = Field(
        None, description="another damping instead of settle"
    )
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
    def _one_kind(self) -> BodyTable:
        given = [kind for kind in KINDS if getattr(self, kind) is not None]
        if len(given) != 1:
            got = f"has {' and '.join(given)}" if given else "is made of nothing"
            refuse(f"exactly one of {', '.join(KINDS)}", got=got)
        for name in ("density", "thickness"):
            if given[0] != "material" and name in self.model_fields_set:
                table = type(getattr(self, given[0]))
                own = name if name in table.model_fields else "mass"
                where = f"{own} in {given[0]} = {{ ... }}"
                where = "it left out" if own not in table.model_fields else where
                refuse(where, field=name, got="is that of a solid")
        if given[0] != "material" and self.examples is not None:
            refuse("it beside material only", field="examples", got="is that of a solid")
        return self

    @model_validator(mode="after")
    def _one_damping(self) -> BodyTable:
        if self.settle is not None and self.damping is not None and self.damping.model != "none":
            refuse("one of the two", field="damping", got="stands beside settle")
        return self

    @property
    def kind(self) -> str:
        """What it is made of: the field that says it."""
        return next(kind for kind in KINDS if getattr(self, kind) is not None)

    def grow(
        self,
        name: str,
        here: Here,
        *,
        progress: bool | None = None,
        tell: Tell = tell_nobody,
        refine: int = 0,
    ) -> Grown:
        """The body, with its pins, loads and start, and the mesh it grew from.

        refine: how often its cells are halved.
        """
        grown = self._grow(name, here, progress=progress, tell=tell, refine=refine)
        fixed = np.zeros(len(grown.mesh), dtype=bool)
        if self.fix is not None:
            fixed = select(self.fix, grown, here / "fix")
            if fixed.all():
                raise (here / "fix").error("holds every point; expected some that can move")
        led = [
            select(drive.where, grown, here / "drive" / i / "where")
            for i, drive in enumerate(self.drive)
        ]
        pinned = np.logical_or.reduce([fixed, *led])
        if self.examples is not None:
            grown = self._shown(self.examples, grown, pinned, here / "examples")
        body = grown.body
        if self.start is not None:
            there = here / "start"
            with there:
                if self.start.surface is not None:
                    tell(f"putting {name} where {self.start.surface} is")
                body.place(self._posed(grown, self.start, pinned, there))
                body.velocity = self.start.velocities(grown, there)
        if self.fix is not None:
            body.fix(grown.points(fixed))
        for i, (drive, where) in enumerate(zip(self.drive, led, strict=True)):
            there = here / "drive" / i
            if (fixed & where).any():
                count = int((fixed & where).sum())
                raise (there / "where").error(
                    f"{count} of its points are also in fix; expected each point in one of the two"
                )
            with there:
                points = grown.points(where)
                body.move(points, drive.path(body.positions[points], there))
        for i, push in enumerate(self.push):
            push.act(grown, here / "push" / i)
        with here / ("settle" if self.settle is not None else "damping"):
            damping = self.settle or self.damping
            body.damping = None if damping is None else damping.make()
        return grown

    def _grow(
        self, name: str, here: Here, *, progress: bool | None, tell: Tell, refine: int
    ) -> Grown:
        """The body in its rest shape, wearing what it shows."""
        from pliant.mesh.refinement import refined

        sheet = self.kind in SHEETS
        mesh, worn = make_mesh(self.mesh, here / "mesh", sheet=sheet, progress=progress, tell=tell)
        require_fit(self.kind, mesh, here / "mesh")
        if refine and not (self.springs is not None and self.springs.pairs is not None):
            with here / "mesh":
                mesh = refined(mesh, refine)
        body = self._matter(mesh, name, here)
        if self.surface is not None:
            worn = read_surface(self.surface, self.mesh, here / "surface")
        if worn is not None:
            with here / ("surface" if self.surface is not None else "mesh"):
                body.wear(worn)
        return Grown(body, mesh)

    def _shown(
        self, examples: ExamplesTable, grown: Grown, pinned: np.ndarray, here: Here
    ) -> Grown:
        """The body after it was shown its examples."""
        from pliant.body import Body

        plain = grown.body
        assert isinstance(plain, Body)  # `_one_kind` sees to it
        poses = [
            self._posed(grown, pose, pinned, here / "poses" / i)
            for i, pose in enumerate(examples.poses)
        ]
        with here:
            body = examples.make(plain, poses)
        body.wear(plain.skin)
        return Grown(body, grown.mesh)

    def _matter(self, mesh: Mesh, name: str, here: Here) -> Deformable:
        if self.material is None:
            with here / self.kind:
                return getattr(self, self.kind).make(mesh, name)
        from pliant.body import Body

        with here / "material":
            material = self.material.make()
        with here:
            return Body(mesh, material, density=self.density, thickness=self.thickness, name=name)

    def _posed(self, grown: Grown, pose: Pose, pinned: np.ndarray, here: Here) -> np.ndarray:
        """Where the points of the body are [m] in a shape, or when its surface lies there."""
        if pose.surface is None:
            return pose.shape(grown, pinned, here)
        here = here / "surface"
        there = read_surface(pose.surface, self.mesh, here)
        with here, here.warnings():
            return grown.posed(there)
