"""`[[obstacle]]`: fixed things that bodies cannot enter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import Field, create_model, model_validator

from pliant.bodies import Deformable
from pliant.boundary import Obstacle
from pliant.declared import Numbers, parameters_of, sentence_of
from pliant.kinds import OBSTACLES

from .fields import Table
from .meshes import of_dim
from .source import Here
from .tables import annotation_of, field_of, table_of


class ObstacleBase(Table):
    """One obstacle: its shape, and what all shapes have."""

    @model_validator(mode="after")
    def _one_shape(self) -> ObstacleBase:
        self.only(OBSTACLES.own(), nothing="has no shape")
        return self

    def make(self, dim: int, here: Here) -> Obstacle:
        """The obstacle of the library."""
        near = {p.name: getattr(self, p.name) for p in COMMON}
        word = self.only(OBSTACLES.own(), nothing="has no shape")
        table = getattr(self, word)
        with here / word:
            placed = {
                p.name: of_dim(getattr(table, p.name), dim, p.name)
                for p in parameters_of(table.makes)
                if isinstance(p.note, Numbers)
            }
            made: Obstacle = table.make(**placed, **near)
            return made


def _fields() -> dict[str, Any]:
    """A field for every shape, then those that all have."""
    but = tuple(p.name for p in COMMON)
    found: dict[str, Any] = {}
    cls: Any
    for word, cls in OBSTACLES.own().items():
        shape: Any = table_of(cls, but=but)
        found[word] = (shape | None, Field(None, description=sentence_of(cls)))
    return found | {p.name: (annotation_of(p), field_of(p)) for p in COMMON}


COMMON = parameters_of(Obstacle)
if TYPE_CHECKING:
    ObstacleTable = ObstacleBase
else:
    ObstacleTable = create_model("ObstacleTable", __base__=ObstacleBase, **_fields())


def require_clear(body: Deformable, obstacles: Sequence[Obstacle], here: Here) -> None:
    """Refuse a start in which free points are inside an obstacle, in the words of the file."""
    for i, obstacle in enumerate(obstacles):
        inside = int(np.sum((obstacle.nearest(body.positions)[0] < 0.0) & ~body.pinned))
        if inside:
            raise here.error(
                f"{inside} points begin inside obstacle {i}, {obstacle!r}; expected a start outside "
                "of it: move = [...] in mesh, or offset = [...] in start"
            )
