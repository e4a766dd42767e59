"""`material`, `settle` and `damping`: what a body is made of, and how it comes to rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from .fields import Range, Table

if TYPE_CHECKING:
    from pliant.damping import Damping
    from pliant.materials import Material

NotNegative = Annotated[float, Range(at_least=0.0)]


class MaterialTable(Table):
    """An elastic material."""

    model: Literal["StableNeoHookean", "NeoHookean", "Corotated", "StVenantKirchhoff", "Linear"] = (
        Field("StableNeoHookean", description="the law; StableNeoHookean survives any start shape")
    )
    young: Annotated[float, Range(above=0.0, unit="Pa")] = Field(
        description="Young's modulus [Pa]: jelly 1e4, rubber 1e6, wood 1e10"
    )
    poisson: Annotated[float, Range(above=-1.0, below=0.5)] = Field(
        0.4, description="Poisson's ratio [-]: 0 cork, 0.3 metal, 0.49 nearly incompressible"
    )

    def make(self) -> Material:
        """The material of the library."""
        from pliant import materials

        law: type[Material] = getattr(materials, self.model)
        return law(young=self.young, poisson=self.poisson)


class SettleTable(Table):
    """The wish: when the body rests, and how often it bounces."""

    rest_in: Annotated[float, Range(above=0.0, unit="s")] = Field(
        description="seconds from release to rest [s]"
    )
    bounces: Annotated[int, Range(at_least=0, whole=True)] | None = Field(
        None, description="full oscillations on the way; 0 none, left out: none and a quick start"
    )
    within: Annotated[float, Range(above=0.0, below=1.0)] = Field(
        0.01, description="at rest is this share of the first distance [-]"
    )
    law: Literal["every-shape", "first-mode"] = Field(
        "every-shape", description="whether the promise is for every start or the slowest mode"
    )

    def make(self) -> Damping:
        """The damping of the library."""
        from pliant.damping import Settle

        return Settle(self.rest_in, self.bounces, self.within, law=self.law)


class NoDamping(Table):
    """No damping but what the time step itself dissipates."""

    model: Literal["none"] = Field(description="none")

    def make(self) -> Damping:
        """The damping of the library."""
        from pliant.damping import Undamped

        return Undamped()


class RayleighTable(Table):
    """Viscous damping proportional to mass and stiffness."""

    model: Literal["Rayleigh"] = Field(description="Rayleigh")
    mass: NotNegative = Field(0.0, description="share of the mass [1/s]; slows falls and spins too")
    stiffness: NotNegative = Field(0.0, description="share of the stiffness [s]")

    def make(self) -> Damping:
        """The damping of the library."""
        from pliant.damping import Rayleigh

        return Rayleigh(mass=self.mass, stiffness=self.stiffness)


class StrainRateTable(Table):
    """A viscous stress."""

    model: Literal["StrainRate"] = Field(description="StrainRate")
    phi: NotNegative = Field(0.0, description="viscosity of volume change [Pa s]")
    psi: NotNegative = Field(0.0, description="viscosity of shape change [Pa s]")

    def make(self) -> Damping:
        """The damping of the library."""
        from pliant.damping import StrainRate

        return StrainRate(phi=self.phi, psi=self.psi)


class EnergyMinimisingTable(Table):
    """The thesis's damping by its own parameters."""

    model: Literal["EnergyMinimising"] = Field(description="EnergyMinimising")
    tau: Annotated[float, Range(above=0.0, unit="s")] | None = Field(
        1.0, description="larger rests sooner [s]"
    )
    kappa: NotNegative = Field(0.0, description="how much of the velocity is kept [-]")

    def make(self) -> Damping:
        """The damping of the library."""
        from pliant.damping import EnergyMinimising

        return EnergyMinimising(tau=self.tau, kappa=self.kappa)


DampingTable = Annotated[
    RayleighTable | StrainRateTable | EnergyMinimisingTable | NoDamping,
    Field(discriminator="model"),
]
