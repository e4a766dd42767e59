"""`[body.NAME]`: all that makes one body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from pydantic import Field, create_model, model_validator

from pliant.bodies import Body, Deformable
from pliant.declared import parameters_of, sentence_of
from pliant.materials import Tear
from pliant.mesh import Mesh, Skin, Surface, refined

from .body_on_mesh import BodyOnMesh
from .cut import CutTable
from .drive import Drive
from .examples import ExamplesTable
from .fields import Table, refuse
from .fitting import BODY_FIELDS, BODY_WORDS, of_faces, require_fit
from .follow import Follow
from .forms import FormTable
from .kind_tables import kind_table
from .mesh_files import make_mesh, read_surface
from .meshes import MeshTable
from .models import DAMPING_FIELD, MATERIAL_FIELD
from .pose import Pose
from .push import Push
from .reduce import ReduceTable
from .selections import Selection, select
from .source import Here
from .springs import ConstraintBodyTable, SpringsTable
from .start import Start
from .status import Status, silent
from .tables import annotation_of, field_of
from .tear import TEARABLE, TearTable
from .then import Then
from .wishes import SettleTable


class BodyBase(Table):
    """One body."""

    mesh: MeshTable = Field(description="the rest shape [m]: { box = {...} }, { file = ... }")
    material: Annotated[Any, MATERIAL_FIELD] | None = Field(
        None, description="a solid: { model, young [Pa], poisson [-] }"
    )
    examples: ExamplesTable | None = Field(
        None, description="poses that a solid prefers, beside material: { poses, strength }"
    )
    reduce: ReduceTable | None = Field(
        None,
        description="a solid moves in its modes, beside material: { modes } in small deformation, "
        "{ modes, size } in large",
    )
    tear: TearTable | None = Field(
        None, description="how a solid, cloth or a shell tears: { strength [Pa], energy [J/m^2] }"
    )
    settle: SettleTable | None = Field(  # type: ignore[valid-type]
        None, description="when it rests [s] and how often it bounces"
    )
    damping: Annotated[Any, DAMPING_FIELD] | None = Field(
        None, description="another damping instead of settle"
    )
    fix: Selection | None = Field(
        None, description='points that are held, in the rest shape [m]: "x < 0.01", { box = ... }'
    )
    drive: list[Drive] = Field([], description="points that are led along a path")
    follow: Follow | None = Field(
        None, description="an animated pose that it starts in, and that leads pins"
    )
    push: list[Push] = Field([], description="loads")
    then: list[Then] = Field([], description="other dampings from a time on, as keys of a wish")
    cut: list[CutTable] = Field([], description="cuts along surfaces, each at a time [s]")
    start: Start | None = Field(None, description="the shape and motion it begins with")
    surface: str | None = Field(
        None,
        description="fine surface (OBJ, STL, PLY) that the body carries and that is drawn and "
        "exported; scaled, turned and moved as the mesh is. A body filled from a surface file "
        "wears that file if this is left out",
    )

    @model_validator(mode="after")
    def _one_kind(self) -> BodyBase:
        kind = self.kind
        for name in (p.name for p in OF_SOLIDS):
            if kind != "material" and name in self.model_fields_set:
                table = type(getattr(self, kind))
                own = name if name in table.model_fields else "mass"
                where = f"{own} in {kind} = {{ ... }}"
                where = "it left out" if own not in table.model_fields else where
                refuse(where, field=name, got="is that of a solid")
        if kind != "material" and self.examples is not None:
            refuse("it beside material only", field="examples", got="is that of a solid")
        if self.tear is not None and (kind not in TEARABLE or self.examples or self.reduce):
            also = ", without examples and reduce" if kind == "material" else ""
            refuse(f"it beside {', '.join(TEARABLE[:-1])} or {TEARABLE[-1]}{also}", field="tear",
                   got="is of what tears")  # fmt: skip
        if self.reduce is not None and (kind != "material" or self.examples is not None):
            refuse("it beside material, without examples", field="reduce", got="is that of a solid")
        return self

    @model_validator(mode="after")
    def _one_start(self) -> BodyBase:
        for name in ("start", "reduce"):
            if self.follow is not None and getattr(self, name) is not None:
                refuse("one of the two", field="follow", got=f"stands beside {name}")
        return self

    @model_validator(mode="after")
    def _one_damping(self) -> BodyBase:
        if self.settle is not None and self.damping is not None and self.damping.model != "none":
            refuse("one of the two", field="damping", got="stands beside settle")
        return self

    @property
    def kind(self) -> str:
        """The kind of body: the name of the field that describes its matter."""
        return self.only(BODY_FIELDS, nothing="is made of nothing")

    def build(
        self,
        name: str,
        here: Here,
        *,
        progress: bool | None = None,
        tell: Status = silent,
        refine: int = 0,
    ) -> BodyOnMesh:
        """The body, with its pins, loads and start, and the mesh that the file describes.

        refine: how often its cells are halved.
        """
        on_mesh = self._make(name, here, progress=progress, tell=tell, refine=refine)
        fixed = np.zeros(len(on_mesh.mesh), dtype=bool)
        if self.fix is not None:
            fixed = select(self.fix, on_mesh, here / "fix")
            if fixed.all():
                raise (here / "fix").error("holds every point; expected some that can move")
        led = [
            select(drive.where, on_mesh, here / "drive" / i / "where")
            for i, drive in enumerate(self.drive)
        ]
        pinned = np.logical_or.reduce([fixed, *led])
        if self.examples is not None:
            on_mesh = self._shown(self.examples, on_mesh, pinned, here / "examples")
        body = on_mesh.body
        motion = None
        if self.follow is not None:
            tell(f"putting {name} where {self.follow.cache} is")
            motion = self.follow.read(on_mesh, self.mesh, here / "follow")
            motion.begin(body, drift=self.follow.drift)
        if self.start is not None:
            there = here / "start"
            with there:
                if self.start.surface is not None:
                    tell(f"putting {name} where {self.start.surface} is")
                body.place(self._posed(on_mesh, self.start, pinned, there))
                body.velocity = self.start.velocities(on_mesh, there)
        if self.fix is not None:
            body.fix(body.points_at(fixed))
        self._lead(on_mesh, fixed, led, here)
        if motion is not None and self.follow is not None and self.follow.where is not None:
            motion.drive(body, body.points_at(self.follow.led(on_mesh, fixed, here / "follow")))
        for i, push in enumerate(self.push):
            push.act(on_mesh, here / "push" / i)
        self._damp(on_mesh, here)
        self._plan_cuts(on_mesh, here / "cut")
        if self.reduce is None:
            return replace(on_mesh, motion=motion)
        assert isinstance(body, Body)  # `_one_kind` sees to it
        with here / "reduce":
            return BodyOnMesh(self.reduce.make(body), on_mesh.mesh)

    def _lead(
        self, on_mesh: BodyOnMesh, fixed: np.ndarray, led: Sequence[np.ndarray], here: Here
    ) -> None:
        """Drive points along paths; none may be held as well."""
        body = on_mesh.body
        for i, (drive, where) in enumerate(zip(self.drive, led, strict=True)):
            there = here / "drive" / i
            if (fixed & where).any():
                count = int((fixed & where).sum())
                raise (there / "where").error(
                    f"{count} of its points are also in fix; expected each point in one of the two"
                )
            with there:
                points = body.points_at(where)
                body.move(points, drive.path(body.positions[points], there))

    def _damp(self, on_mesh: BodyOnMesh, here: Here) -> None:
        """Give the body its damping, and those of its keys."""
        body = on_mesh.body
        with here / ("settle" if self.settle is not None else "damping"):
            if self.settle is not None:
                body.damping = self.settle.wish(on_mesh)
                body.damping.check_body(body)
            else:
                body.damping = None if self.damping is None else self.damping.make()
        for i, key in enumerate(self.then):
            key.make(on_mesh, here / "then" / i)

    def _make(
        self, name: str, here: Here, *, progress: bool | None, tell: Status, refine: int
    ) -> BodyOnMesh:
        """The body in its rest shape, wearing what it shows."""
        made_of, bars = getattr(self, self.kind), "section" in self.model_fields_set
        sheet = of_faces(self.kind)
        mesh, worn = make_mesh(self.mesh, here / "mesh", sheet=sheet, progress=progress, tell=tell)
        require_fit(self.kind, mesh, here / "mesh", bars=bars)
        # The halves of a bar would be joined by a hinge, and fold.
        if refine and not bars and made_of.refines:
            with here / "mesh":
                mesh = refined(mesh, refine)
        body = self._matter(mesh, name, here)
        if self.tear is not None:
            body = self._matter(mesh, name, here, self._tear_of(body, here / "tear"))
        if body.own_mesh:
            worn = _of_own(body.mesh, mesh, worn)
            mesh = body.mesh
        if self.surface is not None:
            worn = read_surface(self.surface, self.mesh, here / "surface")
        if worn is not None:
            with here / ("surface" if self.surface is not None else "mesh"):
                body.wear(worn)
        return BodyOnMesh(body, mesh)

    def _plan_cuts(self, on_mesh: BodyOnMesh, here: Here) -> None:
        if self.reduce is not None and self.cut:
            raise here.error(
                "stands beside reduce, whose modes are those of all of it; expected one of the two"
            )
        for i, cut in enumerate(self.cut):
            cut.make(on_mesh, here / i)

    def _shown(
        self, examples: ExamplesTable, on_mesh: BodyOnMesh, pinned: np.ndarray, here: Here
    ) -> BodyOnMesh:
        """The body after it was shown its examples."""
        plain = on_mesh.body
        assert isinstance(plain, Body)  # `_one_kind` sees to it
        poses = [
            self._posed(on_mesh, pose, pinned, here / "poses" / i)
            for i, pose in enumerate(examples.poses)
        ]
        with here:
            body = examples.make(plain, poses)
        body.wear(plain.skin)
        return BodyOnMesh(body, on_mesh.mesh)

    def _matter(self, mesh: Mesh, name: str, here: Here, tear: Tear | None = None) -> Deformable:
        if self.material is None:
            table, made_of = getattr(self, self.kind), here / self.kind
            with made_of if tear is None else here / "tear":
                made: Deformable = (
                    table.make(mesh, name=name)
                    if tear is None
                    else table.make_tearing(mesh, tear, name=name)
                )
                return made
        with here / "material":
            material = self.material.make()
        with here:
            own = {p.name: getattr(self, p.name) for p in OF_SOLIDS}
            return Body(mesh, material, **own, tear=tear, name=name)

    def _tear_of(self, body: Deformable, here: Here) -> Tear:
        """How a body tears, and where."""
        assert self.tear is not None
        on = self.tear.on
        with here:
            chosen = None if on is None else select(on, BodyOnMesh(body, body.mesh), here / "on")
            tear: Tear = self.tear.make(on=chosen)
            return tear

    def _posed(self, on_mesh: BodyOnMesh, pose: Pose, pinned: np.ndarray, here: Here) -> np.ndarray:
        """Where the points of the body are [m] in a shape, or when its surface lies there."""
        if pose.surface is None:
            return pose.shape(on_mesh, pinned, here)
        here = here / "surface"
        there = read_surface(pose.surface, self.mesh, here)
        with here, here.warnings():
            return on_mesh.posed(there)


def _of_own(own: Mesh, given: Mesh, worn: Surface | Skin | None) -> Surface | Skin | None:
    """What a body wears that has made a mesh of its own inside of another: None, its own boundary.

    Cells carry a surface. A surface carries only itself.
    """
    if not isinstance(worn, Skin):
        return None
    if own.cell_dim == 3:
        return worn.surface
    return worn if np.array_equal(own.points, given.points) else None


def _fields() -> dict[str, Any]:
    """A field for every kind of body on a mesh, and those of solids beside their material."""
    special = {"springs": SpringsTable, "preserving": ConstraintBodyTable, "form": FormTable}
    found: dict[str, Any] = {}
    for word, classes in BODY_WORDS.items():
        table: Any = special.get(word) or kind_table(classes[0])
        found[word] = (table | None, Field(None, description=sentence_of(table)))
    return found | {p.name: (annotation_of(p), field_of(p)) for p in OF_SOLIDS}


#: What files say of a solid beside `material`.
OF_SOLIDS = [p for p in parameters_of(Body) if p.in_files]
if TYPE_CHECKING:
    BodyTable = BodyBase
else:
    BodyTable = create_model("BodyTable", __base__=BodyBase, __doc__="One body.", **_fields())
