"""`damping`: how a body comes to rest, other than by a wish."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from .fields import Range, Table

if TYPE_CHECKING:
    from pliant.damping import Damping

NotNegative = Annotated[float, Range(at_least=0.0)]
Kind = Literal["whole", "cells"] | Annotated[int, Range(at_least=1, whole=True)]
Torque = Literal["rotation", "distances", "directions", "programme", "left"]


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


class PointDampingTable(Table):
    """Drag on every point."""

    model: Literal["PointDamping"] = Field(description="PointDamping")
    gamma: NotNegative = Field(description="drag of a point [kg/s]; slows falls too")

    def make(self) -> Damping:
        """The damping of the library."""
        from pliant.damping import PointDamping

        return PointDamping(self.gamma)


class SpringDampingTable(Table):
    """Dashpots between neighbours."""

    model: Literal["SpringDamping"] = Field(description="SpringDamping")
    gamma: NotNegative = Field(description="of each pair of neighbours [kg/s]")
    iterations: Annotated[int, Range(at_least=1, whole=True)] = Field(
        1, description="how often it is repeated in a step"
    )

    def make(self) -> Damping:
        """The damping of the library."""
        from pliant.damping import IterativeSpringDamping, SpringDamping

        if self.iterations == 1:
            return SpringDamping(self.gamma)
        return IterativeSpringDamping(self.gamma, iterations=self.iterations, projected=True)


class ConditionDampingTable(Table):
    """Forces against the change of conditions."""

    model: Literal["ConditionDamping"] = Field(description="ConditionDamping")
    rate: Annotated[float, Range(at_least=0.0, unit="s")] = Field(
        description="damping over stiffness of every condition [s]; springs, cloth and preserving"
    )

    def make(self) -> Damping:
        """The damping of the library."""
        from pliant.damping import ConditionDamping

        return ConditionDamping(self.rate)


class RelativeDampingTable(Table):
    """A share of all relative motion, in every step."""

    model: Literal["RelativeDamping"] = Field(description="RelativeDamping")
    gamma: Annotated[float, Range(at_least=0.0, at_most=1.0)] = Field(
        0.1, description="the share that a step removes, 0 to 1 [-]"
    )
    clusters: Kind | list[Kind] = Field(
        "whole", description='"whole", "cells", a number of clusters, or a list of these in turn'
    )
    torque: Torque | list[Torque] = Field(
        "rotation", description='how spin is kept; "left" leaves the torque in'
    )

    def make(self) -> Damping:
        """The damping of the library."""
        from pliant.damping import RelativeDamping

        def plain(name: str) -> str | None:
            return None if name == "left" else name

        many = isinstance(self.torque, list)
        return RelativeDamping(
            self.gamma,
            clusters=tuple(self.clusters) if isinstance(self.clusters, list) else self.clusters,
            torque=tuple(plain(t) for t in self.torque) if many else plain(str(self.torque)),
        )


DampingTable = Annotated[
    RayleighTable
    | StrainRateTable
    | EnergyMinimisingTable
    | PointDampingTable
    | SpringDampingTable
    | ConditionDampingTable
    | RelativeDampingTable
    | NoDamping,
    Field(discriminator="model"),
]
