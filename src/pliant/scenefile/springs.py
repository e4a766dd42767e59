"""`springs` and `preserving`: bodies of masses and what they wish to keep."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from pydantic import Field, StrictBool, model_validator

from pliant.bodies import ConstraintBody, Deformable, Springs
from pliant.declared import parameters_of
from pliant.mesh import Mesh

from .drive import Times
from .fields import Table, refuse
from .kind_tables import KindTable
from .push_values import Over
from .tables import table_of

MASS = next(p.note for p in parameters_of(Springs) if p.name == "mass")


class Masses(Table):
    """Equal masses at all points."""

    mass: Annotated[float, MASS] | None = Field(None, description=MASS.description)
    total_mass: Annotated[float, MASS] | None = Field(
        None, description="of the body [kg], shared by its points equally; instead of mass"
    )

    @model_validator(mode="after")
    def _one_mass(self) -> Masses:
        if (self.mass is None) == (self.total_mass is None):
            both = self.mass is not None
            refuse("mass = 0.01 [kg] of each point, or total_mass = 1.0 [kg] of all",
                   field="total_mass" if both else "mass",
                   got="stands beside mass" if both else "is missing")  # fmt: skip
        return self

    def each(self, mesh: Mesh) -> float:
        """The mass of a point [kg]."""
        return self.mass if self.mass is not None else (self.total_mass or 0.0) / len(mesh)


_Springs: Any = table_of(Springs, base=KindTable, but=("mass",))
_ConstraintBody: Any = table_of(ConstraintBody, base=KindTable, but=("mass",))


class SpringsTable(_Springs, Masses):  # type: ignore[misc]
    """Springs on the edges of the mesh."""

    rest_stretch: Annotated[Any, Over("-", vector=False)] = Field(
        None,
        description="rest lengths over those of the mesh [-]: 0.95 is taut between pins; a list with "
        "`times` makes muscles of them",
    )
    times: Times | None = Field(None, description="moments of the values of rest_stretch [s]")
    braced: StrictBool = Field(False, description="join all points of a cell, not its edges only")

    @property
    def refines(self) -> bool:
        """Pairs are those of the points of one mesh."""
        return self.pairs is None

    @model_validator(mode="after")
    def _one_rest(self) -> SpringsTable:
        if self.pairs is not None and self.braced:
            refuse("one of the two", field="pairs", got="stands beside braced")
        if self.rest is not None and self.rest_stretch is not None:
            refuse("one of the two", field="rest", got="stands beside rest_stretch")
        listed = isinstance(self.rest_stretch, tuple)
        if listed != (self.times is not None):
            refuse("a list for rest_stretch, and times = [...] [s], one for each", field="times",
                   got="is missing" if listed else "has one value beside it")  # fmt: skip
        if listed and len(self.rest_stretch) != len(self.times or ()):
            refuse(f"{len(self.times or ())}, one for each time", field="rest_stretch",
                   got=f"has {len(self.rest_stretch)} values")  # fmt: skip
        if self.rest_stretch is not None and np.min(self.rest_stretch) <= 0.0:
            refuse("numbers above 0 [-]", field="rest_stretch")
        return self

    def make(self, mesh: Mesh, *, name: str) -> Deformable:
        """The body of the library."""
        pairs = Springs.braced(mesh) if self.braced else np.asarray(mesh.edges)
        if self.pairs is not None:
            pairs = np.array(self.pairs)
            if pairs.max() >= len(mesh):
                raise ValueError(
                    f"got point {pairs.max()} in pairs; the mesh has 0 to {len(mesh) - 1}"
                )
        rest: Any = self.rest
        if self.rest_stretch is not None:
            ends = mesh.points[pairs]
            lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
            rest = np.multiply.outer(np.array(self.rest_stretch), lengths)
            rest = rest if self.times is None else (np.array(self.times), rest)
        own = {"rest": rest, "pairs": pairs, "mass": self.each(mesh)}
        return Springs(mesh, **self.arguments() | own, name=name)


class ConstraintBodyTable(_ConstraintBody, Masses):  # type: ignore[misc]
    """What keeps its lengths, areas and volumes."""

    @model_validator(mode="after")
    def _keeps_something(self) -> ConstraintBodyTable:
        if not (self.distance or self.area or self.volume):
            refuse("a distance, area or volume above 0 [J]", got="keeps nothing")
        return self

    def make(self, mesh: Mesh, *, name: str) -> Deformable:
        """The body of the library."""
        return ConstraintBody(mesh, **self.arguments() | {"mass": self.each(mesh)}, name=name)
