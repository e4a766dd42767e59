"""`impact_rods`: round rods that carry axial stress and collide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field, model_validator

from .fields import Quantity, Table, refuse
from .meshes import Length

if TYPE_CHECKING:
    from pliant.deformable import Deformable
    from pliant.mesh import Mesh


class ImpactRodsTable(Table):
    """Rods of IMPACT: as many as the mesh has, which hit each other."""

    young: Annotated[float, Quantity(above=0.0, unit="Pa")] = Field(
        description="Young's modulus [Pa]: rubber 1e6, steel 2e11"
    )
    density: Annotated[float, Quantity(above=0.0, unit="kg/m^3")] = Field(description="[kg/m^3]")
    radius: Length | None = Field(None, description="of the round section [m]")
    area: Annotated[float, Quantity(above=0.0, unit="m^2")] | None = Field(
        None, description="of the section [m^2], instead of radius"
    )
    collision: Annotated[float, Quantity(at_least=0.0)] = Field(
        1.0, description="stiffness of hits over that of an element [-]; 0 lets rods pass"
    )

    @model_validator(mode="after")
    def _one_section(self) -> ImpactRodsTable:
        if (self.radius is None) == (self.area is None):
            got = "has no section" if self.radius is None else "has radius and area"
            refuse("either radius [m] or area [m^2]", got=got)
        return self

    def make(self, mesh: Mesh, name: str) -> Deformable:
        """The body of the library."""
        from pliant.bodies.impact import ImpactRods

        return ImpactRods(
            mesh,
            young=self.young,
            density=self.density,
            radius=self.radius,
            area=self.area,
            collision=self.collision,
            name=name,
        )
