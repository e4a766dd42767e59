"""Matter that tears: what it takes to pull it apart."""

from __future__ import annotations

from typing import Annotated, Any

from pliant.declared import Declared, InPython, Quantity, accept

Strength = Annotated[
    float,
    Quantity(
        "traction at which it begins to tear: paper 3e7, rubber 1e7, gelatine 1e4",
        "Pa",
        above=0.0,
        example=1e5,
    ),
]
FractureEnergy = Annotated[
    float,
    Quantity(
        "fracture energy, per area of one side of the tear: paper 1e4, rubber 1e4, gelatine 1",
        "J/m^2",
        above=0.0,
        example=100.0,
    ),
]


class Tear(Declared):
    """How a sheet or a solid comes apart: where its stress is beyond strength, by its fracture energy.

        t(r) = strength (1 - r / parts),    parts = 2 energy / strength,    from the largest r on to zero

    A face between two cells (an edge in sheets and in the plane) opens when the traction on it, the
    mean of both cells, passes strength [Pa]. Its sides then hold each other by t, r [m] being how far
    they are apart; t is linear down to zero below the largest r so far, and nothing is left beyond
    `parts`. So it takes `energy` [J/m^2] to open an area, whatever the mesh. thickness [m]: of cloth, by
    default that by which it bends, sqrt(12 bend / stretch). on: points (mask or numbers) between
    which it tears, such as those of a perforation; all by default.

        paper = pl.Cloth(mesh, stretch=3e4, shear=1e4, bend=1e-5, density=0.08,
                         tear=pl.Tear(strength=1e6, energy=500.0, thickness=1e-4))

    It tears along the faces of the mesh. Cells must be shorter than about a third of young energy /
    strength^2, the length over which a tear opens: else it begins late. A tear goes on by one
    cell in a step at most. Source: [camacho1996], [ortizpandolfi1999].
    """

    def __init__(
        self,
        *,
        strength: Strength,
        energy: FractureEnergy,
        thickness: Annotated[
            float | None,
            Quantity("of cloth; left out: that by which it bends", "m", above=0.0, example=1e-3),
        ] = None,
        on: Annotated[Any, InPython("points between which it tears")] = None,
    ) -> None:
        self.strength: float
        self.energy: float
        self.thickness: float | None
        given = {"strength": strength, "energy": energy, "thickness": thickness}
        self.strength, self.energy, self.thickness = accept(self, **given)
        self.on = on
