"""`cloth`, `shell`, `rod` and `elastons`: sheets and strands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field, model_validator

from .fields import Numbers, Quantity, Table, refuse
from .meshes import Length

if TYPE_CHECKING:
    from pliant.deformable import Deformable
    from pliant.mesh import Mesh

Direction = Annotated[tuple[float, ...], Numbers(each=Quantity(), counts=(3,), like="[0, 0, 1]")]
Young = Annotated[float, Quantity(above=0.0, unit="Pa")]
Poisson = Annotated[float, Quantity(above=-1.0, below=0.5)]
Density = Annotated[float, Quantity(above=0.0, unit="kg/m^3")]


class ClothTable(Table):
    """A woven sheet."""

    stretch: Annotated[float, Quantity(above=0.0, unit="N/m")] = Field(
        description="stiffness of its threads [N/m]: young times thickness"
    )
    shear: Annotated[float, Quantity(at_least=0.0, unit="N/m")] = Field(
        description="stiffness of the angle between threads [N/m]"
    )
    bend: Annotated[float, Quantity(at_least=0.0, unit="N m")] = Field(
        description="stiffness against bending [N m]: young times thickness^3 / 12"
    )
    density: Annotated[float, Quantity(above=0.0, unit="kg/m^2")] = Field(
        description="mass per area [kg/m^2]: silk 0.1, denim 0.4"
    )
    rest_stretch: Annotated[
        tuple[float, ...], Numbers(each=Quantity(above=0.0), counts=(2,), like="[1, 1]")
    ] = Field((1.0, 1.0), description="how long it wants to be along its threads over the mesh [-]")

    def make(self, mesh: Mesh, name: str) -> Deformable:
        """The body of the library."""
        from pliant.bodies.cloth import Cloth

        return Cloth(
            mesh,
            stretch=self.stretch,
            shear=self.shear,
            bend=self.bend,
            density=self.density,
            rest_stretch=(self.rest_stretch[0], self.rest_stretch[1]),
            name=name,
        )


class Hookean(Table):
    """Matter around a sheet or a strand."""

    young: Young = Field(description="Young's modulus [Pa]: rubber 1e6, paper 3e9, steel 2e11")
    poisson: Poisson = Field(0.3, description="Poisson's ratio [-]")
    density: Density = Field(1000.0, description="[kg/m^3]")


class ShellTable(Hookean):
    """A thin shell or plate."""

    thickness: Length = Field(description="[m]")

    def make(self, mesh: Mesh, name: str) -> Deformable:
        """The body of the library."""
        from pliant.bodies.shell import Shell

        return Shell(
            mesh,
            young=self.young,
            poisson=self.poisson,
            thickness=self.thickness,
            density=self.density,
            name=name,
        )


class RodTable(Hookean):
    """A thin rod, of one strand or many."""

    radius: Length | None = Field(None, description="of a round section [m]")
    width: Length | None = Field(None, description="of a rectangular section, across `up` [m]")
    height: Length | None = Field(None, description="of a rectangular section, along `up` [m]")
    up: Direction | None = Field(
        None, description="where the height points to at the first node [-]; y, or what is across"
    )

    @model_validator(mode="after")
    def _one_section(self) -> RodTable:
        sides = (self.width is not None) + (self.height is not None)
        if (self.radius is None) != (sides == 2) or (self.radius is not None and sides):
            given = [n for n in ("radius", "width", "height") if getattr(self, n) is not None]
            got = f"has {' and '.join(given)}" if given else "has no section"
            refuse("either radius, or width and height [m]", got=got)
        return self

    def make(self, mesh: Mesh, name: str) -> Deformable:
        """The body of the library."""
        from pliant.bodies.rod import Rod

        return Rod(
            mesh,
            young=self.young,
            poisson=self.poisson,
            density=self.density,
            width=self.width,
            height=self.height,
            radius=self.radius,
            up=self.up,
            name=name,
        )


class ElastonsTable(Hookean):
    """Points without elements: a strand, a sheet or a solid."""

    thickness: (
        Annotated[
            tuple[float, ...],
            Numbers(each=Quantity(above=0.0, unit="m"), counts=(1, 2), like="0.01", lone=True),
        ]
        | None
    ) = Field(None, description="of a sheet [m]; of a strand one or two, the second along `up`")
    up: Direction | None = Field(
        None, description="where the second thickness of a strand points to [-]"
    )
    support: Annotated[float, Quantity(above=0.0)] = Field(
        0.9,
        description="how far a point reaches, over the distance to the corners of its cells [-]",
    )

    def make(self, mesh: Mesh, name: str) -> Deformable:
        """The body of the library."""
        from pliant.bodies.elastons import Elastons

        thickness = self.thickness
        return Elastons(
            mesh,
            young=self.young,
            poisson=self.poisson,
            density=self.density,
            thickness=thickness[0] if thickness is not None and len(thickness) == 1 else thickness,
            up=self.up,
            support=self.support,
            name=name,
        )
