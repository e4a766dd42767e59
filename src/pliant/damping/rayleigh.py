"""Rayleigh damping."""

from __future__ import annotations

from pliant.errors import check_not_negative, is_finite
from pliant.given import shown

from .base import Damping
from .context import StepContext
from .inertia import Dissipation, Quadratic


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

    def __init__(self, *, mass: float = 0.0, stiffness: float = 0.0):
        for name, value in (("mass", mass), ("stiffness", stiffness)):
            if not (is_finite(value) and value >= 0.0):
                raise ValueError(f"Rayleigh: got {name}={shown(value)}; expected {name} >= 0")
        check_not_negative("Rayleigh", "mass", mass, "1/s")
        check_not_negative("Rayleigh", "stiffness", stiffness, "s")
        self.mass, self.stiffness = float(mass), float(stiffness)

    def __repr__(self) -> str:
        return f"Rayleigh(mass={self.mass}, stiffness={self.stiffness})"

    def dissipation(self, context: StepContext) -> Dissipation:
        """Mass M v and stiffness K v, v as the step tells it."""
        quadratics = []
        if self.stiffness:
            # Projected: a viscosity must never feed energy in, even where K is indefinite.
            d = context.difference
            blocks = context.mechanics.blocks(d.where, project=True)
            anchor = d.before(context.vectors.mixed)
            columns = context.mechanics.assembly.columns(d.where)
            weight = self.stiffness / d.span
            quadratics.append(Quadratic(blocks, anchor, weight, columns=columns))
        return Dissipation(drag=self.mass, quadratics=quadratics)
