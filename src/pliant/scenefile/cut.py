"""`cut = [{ half_space = { point = ..., normal = ... }, at = 0.5 }]`: cuts of a body, at their times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from pydantic import Field, create_model, model_validator

from pliant.bodies import Cuttable
from pliant.boundary import MeshObstacle
from pliant.declared import Numbers, Quantity, parameters_of, sentence_of
from pliant.kinds import OBSTACLES

from .body_on_mesh import BodyOnMesh
from .fields import Table, Vectors
from .meshes import of_dim
from .obstacles import COMMON, ObstacleMesh
from .source import Here
from .tables import table_of

SHAPES = ("half_space", "sphere", "capsule", "mesh", "line")


class CutBase(Table):
    """One cut: exactly one of half_space, sphere, capsule, mesh and line, where the body is then."""

    mesh: ObstacleMesh | None = Field(None, description="a surface of triangles from a file")
    line: Vectors | None = Field(None, description="points of a line that cuts a 2D body [m]")
    at: Annotated[float, Quantity(unit="s", at_least=0.0)] = Field(
        0.0, description="when it is cut [s]"
    )
    width: Annotated[float, Quantity(unit="m", at_least=0.0)] | None = Field(
        None, description="what the blade takes away [m]; 1e-3 of the size of the body if left out"
    )

    @model_validator(mode="after")
    def _one_shape(self) -> CutBase:
        self.only(SHAPES, nothing="has no shape")
        return self

    def make(self, on_mesh: BodyOnMesh, here: Here) -> None:
        """Plan the cut of a body."""
        body = on_mesh.body
        if not isinstance(body, Cuttable):
            raise here.error(
                f"got a {type(body).__name__}; expected cuts of a material, cloth, shell or rod"
            )
        word = self.only(SHAPES, nothing="has no shape")
        by = self._blade(word, body.dim, here / word)
        with here:
            body.cut(by, at=self.at, width=self.width)

    def _blade(self, word: str, dim: int, here: Here) -> Any:
        given = getattr(self, word)
        if word == "mesh":
            surface, path = given.read(here)
            return surface if path is None else MeshObstacle(surface, path=path)
        if word == "line":
            if dim != 2 or len(given) < 2:
                raise here.error(
                    "expected two points or more, and a 2D body; in 3D half_space or mesh"
                )
            return np.array([of_dim(point, dim, "line") for point in given])
        with here:
            placed = {
                p.name: of_dim(getattr(given, p.name), dim, p.name)
                for p in parameters_of(given.makes)
                if isinstance(p.note, Numbers)
            }
            return given.make(**placed)


def _fields() -> dict[str, Any]:
    """A field for every shape of obstacles."""
    but = (*(p.name for p in COMMON), "path")
    found: dict[str, Any] = {}
    cls: Any
    for word, cls in OBSTACLES.own().items():
        if word in SHAPES:
            shape: Any = table_of(cls, but=but)
            found[word] = (shape | None, Field(None, description=sentence_of(cls)))
    return found


if TYPE_CHECKING:
    CutTable = CutBase
else:
    CutTable = create_model("CutTable", __base__=CutBase, __doc__=CutBase.__doc__, **_fields())
