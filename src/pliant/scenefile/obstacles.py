"""`[[obstacle]]`: things that bodies cannot enter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from pydantic import Field, create_model, model_validator

from pliant.bodies import Deformable
from pliant.boundary import USD_SUFFIXES, MeshObstacle, Obstacle, usd_surface
from pliant.declared import Numbers, Quantity, parameters_of, sentence_of
from pliant.io import read_point_cache
from pliant.kinds import OBSTACLES
from pliant.mesh import Surface

from .drive import Moving
from .fields import Table, Vector, refuse
from .mesh_files import carried
from .meshes import Factor, MeshTable, Turn, of_dim
from .source import Here
from .tables import annotation_of, field_of, table_of


class ObstacleMesh(Table):
    """A surface from a file; with an animation, if a USD file has one. For scenes with [contact]."""

    file: str = Field(
        description="OBJ, STL, PLY or USD file of a surface, relative to the scene file"
    )
    prim: str | None = Field(
        None, description="path of the mesh in a USD file; the only one if left out"
    )
    cache: str | None = Field(
        None, description="point cache (.pc2, .mdd) with the positions of its points over time"
    )
    fps: Annotated[float, Quantity(above=0.0, unit="1/s")] | None = Field(
        None, description="frames per second [1/s] of a .pc2 file, which does not say; .mdd does"
    )
    scale: Factor = Field(1.0, description="factor on all lengths [-]: 0.001 for millimetres")
    turn: Turn | None = Field(
        None,
        description="turn about the origin after scaling [degrees]: about x, then y, then z",
    )
    move: Vector | None = Field(None, description="shift after turning [m]")

    def read(self, here: Here) -> tuple[Surface, Any]:
        """The surface, and the path that the file has, or None."""
        file, path = (here / "file").file(self.file), None
        with here / "file":
            if file.suffix.lower() in USD_SUFFIXES:
                surface, path = usd_surface(file, self.prim)
            else:
                surface = Surface.read(file)
        if self.cache is not None:
            if path is not None:
                raise (here / "cache").error(
                    f"{self.file} is animated itself; expected one of the two"
                )
            there = here / "cache"
            cache = there.file(self.cache)
            with there:
                path = read_point_cache(cache, self.fps)
        placed = MeshTable.model_construct(scale=self.scale, turn=self.turn, move=self.move)
        with here:
            if path is not None:
                path = (path[0], np.stack([placed.carry(x) for x in path[1]]))
            return carried(surface, placed), path


class ObstacleBase(Table):
    """One obstacle: its shape, and what all shapes have."""

    mesh: ObstacleMesh | None = Field(
        None, description="a surface of triangles from a file, still or animated"
    )
    path: Moving | None = Field(
        None,
        description="how it moves, in scenes with [contact]: { keyframes = ... } or { usd, prim }",
    )

    @model_validator(mode="after")
    def _one_shape(self) -> ObstacleBase:
        word = self.only([*OBSTACLES.own(), "mesh"], nothing="has no shape")
        if word == "mesh" and getattr(self, "margin", None) is not None:
            refuse("it of other shapes only: contact keeps bodies off a mesh", field="margin")
        return self

    def make(self, dim: int, here: Here) -> Obstacle:
        """The obstacle of the library."""
        near = {p.name: getattr(self, p.name) for p in COMMON}
        word = self.only([*OBSTACLES.own(), "mesh"], nothing="has no shape")
        path = None if self.path is None else self.path.motion(dim, here / "path")
        if word == "mesh":
            return self._mesh({k: near[k] for k in ("friction", "name")}, path, here / "mesh")
        near["path"] = path
        table = getattr(self, word)
        with here / word:
            placed = {
                p.name: of_dim(getattr(table, p.name), dim, p.name)
                for p in parameters_of(table.makes)
                if isinstance(p.note, Numbers)
            }
            made: Obstacle = table.make(**placed, **near)
            return made

    def _mesh(self, near: dict[str, Any], path: Any, here: Here) -> MeshObstacle:
        assert self.mesh is not None
        surface, own = self.mesh.read(here)
        if path is not None and own is not None:
            raise here.error(f"{self.mesh.file} is animated; expected it without path = ...")
        with here:
            return MeshObstacle(surface, path=own if path is None else path, **near)


def _fields() -> dict[str, Any]:
    """A field for every shape, then those that all have."""
    but = (*(p.name for p in COMMON), "path")
    found: dict[str, Any] = {}
    cls: Any
    for word, cls in OBSTACLES.own().items():
        shape: Any = table_of(cls, but=but)
        found[word] = (shape | None, Field(None, description=sentence_of(cls)))
    return found | {p.name: (annotation_of(p), field_of(p)) for p in COMMON}


#: What all shapes have; `path` is a table of its own.
COMMON = tuple(p for p in parameters_of(Obstacle) if p.in_files)
if TYPE_CHECKING:
    ObstacleTable = ObstacleBase
else:
    ObstacleTable = create_model("ObstacleTable", __base__=ObstacleBase, **_fields())


def require_clear(body: Deformable, obstacles: Sequence[Obstacle], here: Here) -> None:
    """Refuse a start in which free points are inside an obstacle, in the words of the file."""
    for i, obstacle in enumerate(obstacles):
        if obstacle.needs_contact or obstacle.moves:
            continue  # the run looks at these
        inside = int(np.sum((obstacle.nearest(body.positions)[0] < 0.0) & ~body.pinned))
        if inside:
            raise here.error(
                f"{inside} points begin inside obstacle {i}, {obstacle!r}; expected a start outside "
                "of it: move = [...] in mesh, or offset = [...] in start"
            )
