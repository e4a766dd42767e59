"""Rayleigh damping."""

from __future__ import annotations

from typing import Annotated

from pliant.declared import Quantity, accept
from pliant.problem import Damping, Dissipation, StepContext, Trial


class Rayleigh(Damping):
    """Viscous damping proportional to mass and stiffness.

        C = mass M + stiffness K(x)

    `mass` [1/s] damps slow modes and, being drag against the world, also falls and spins;
    `stiffness` [s] damps fast modes, with K at the start of the step; a body that is under stress
    while it spins loses angular momentum to it, since K(x) v is then not zero for a rotation. A mode
    of angular frequency omega gets the damping ratio mass/(2 omega) + stiffness omega/2.
    Source: [hughes2000] (7.2.14).
    To say when a body rests use `Settle`.
    """

    resident = True

    def __init__(
        self,
        *,
        mass: Annotated[
            float,
            Quantity(
                "share of the mass; slows falls and spins too",
                "1/s",
                at_least=0.0,
                says="mass >= 0 [1/s]",
                example=1.0,
            ),
        ] = 0.0,
        stiffness: Annotated[
            float,
            Quantity(
                "share of the stiffness", "s", at_least=0.0, says="stiffness >= 0 [s]", example=0.01
            ),
        ] = 0.0,
    ):
        self.mass, self.stiffness = accept(self, mass=mass, stiffness=stiffness)

    @classmethod
    def trials(cls) -> list[Trial]:
        """Two trials: mass alone, and stiffness alone."""
        return [
            Trial(
                "Rayleigh, mass",
                lambda body, mode: cls(mass=2.0 * mode.viscous),
                "drag of 2 sigma on every mode",
            ),
            Trial(
                "Rayleigh, stiffness",
                lambda body, mode: cls(stiffness=2.0 * mode.viscous / mode.omega**2),
                "2 sigma of the slowest mode",
            ),
        ]

    def dissipation(self, context: StepContext) -> Dissipation:
        """Mass M v and stiffness K v, with v by the difference formula of the step."""
        if not self.stiffness:
            return Dissipation(drag=self.mass)
        d = context.difference
        anchor = d.before(context.vectors.mixed)
        found = context.mechanics.viscosity(d.where, anchor, self.stiffness / d.span)
        return Dissipation(self.mass, *found)
