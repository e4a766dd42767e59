"""Damping of conditions."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from pliant.declared import Quantity, accept
from pliant.energies import ConditionEnergy, Energy, ObstacleEnergy, OfConditions
from pliant.errors import Advice, prefixed
from pliant.problem import Damping, Dissipation, NotApplicable, StepContext, Trial, Vibration

from .per_body import PerBody


class ConditionDamping(Damping):
    """Forces against the change of conditions, for bodies made of them.

        f = -k_d dC/dx dC/dt,    k_d = rate k

    rate [s]: the damping of every condition over its stiffness; a mode of angular frequency omega about
    a shape without stress gets the damping ratio rate omega/2. For pl.Springs (linear), pl.Cloth and
    pl.ConstraintBody. Source: [baraff1998] section 4.5.

    In a step it is the potential k_d/(2 span) (C(x) - C(x_old))^2, whose dC/dt is a difference of C
    itself: it is felt by no rigid motion of any size, and keeps linear and angular momentum. Its Hessian
    is exact and symmetric, k_d/span (dC dC^T + (C - C_old) d2C): with the velocity (x - x_old)/span the
    terms k_d (dC dC^T/span + dC/dt d2C) of the lecture, less dC (d2C v)^T, which is not symmetric and
    belongs to a dC/dt that is dC . v. Explicit steps feel the force as it is written above.
    What it does to the time to rest depends on stiffness, mass and mesh: to say when a body rests use
    `Settle`.

        cloth.damping = pl.ConditionDamping(rate=0.01)
    """

    def __init__(
        self,
        rate: Annotated[
            float,
            Quantity(
                "damping over stiffness of every condition; springs, cloth and preserving",
                "s",
                at_least=0.0,
                says="0 or more [s], e.g. rate=0.01",
                example=0.02,
            ),
        ],
    ):
        (self.rate,) = accept(self, rate=rate)

    @classmethod
    def trials(cls) -> list[Trial]:
        """For bodies of conditions alone."""

        def make(body: Any, mode: Vibration) -> ConditionDamping:
            energies = body.system().assembly.energies
            own = [e for e in energies if not isinstance(e, ObstacleEnergy)]
            if not all(isinstance(e, OfConditions) for e in own):
                raise NotApplicable("no conditions in its energies")
            return cls(2.0 * mode.viscous / mode.omega**2)

        return [Trial("ConditionDamping", make, "2 sigma of the slowest mode")]

    def dissipation(self, context: StepContext) -> Dissipation:
        """k_d/(2 span) (C - C_old)^2 of every condition, C_old as the step tells rates."""
        body, d, energies = context.mechanics, context.difference, []
        for elastic, viscous in _pairs(body):
            viscous.change(
                stiffness=self.rate / d.span * elastic.stiffness, parameters=elastic.parameters
            )
            viscous.aim(d.before(_mixed, lambda x, e=elastic: e.conditions(body.assembly.array(x))))
            energies.append(viscous)
        return Dissipation(energies=energies)


def _make_pairs(body: Any) -> list[tuple[ConditionEnergy, ConditionEnergy]]:
    own = [e for e in body.assembly.energies if not isinstance(e, ObstacleEnergy)]
    return [_pair(e) for e in own]


#: The conditions of a body's energies, each with an energy for their change.
_pairs = PerBody(_make_pairs)


def _pair(energy: Energy) -> tuple[ConditionEnergy, ConditionEnergy]:
    """The conditions of an energy, and an energy for their change."""
    if not isinstance(energy, OfConditions):
        raise ValueError(
            Advice(
                f"ConditionDamping: got a body with {type(energy).__name__}, which has no conditions; ",
                "expected pl.Springs, pl.Cloth or pl.ConstraintBody, or pl.StrainRate, pl.Rayleigh or "
                "pl.Settle as damping",
                'expected springs, cloth or preserving, or the damping "StrainRate" or "Rayleigh", or '
                "settle",
            )
        )
    try:
        elastic = energy.as_conditions()
    except ValueError as error:
        said = prefixed("ConditionDamping: ", error)
        raise ValueError(
            Advice("", f"{said}, or pl.Rayleigh as damping", f'{said.in_scene}, or "Rayleigh"')
        ) from None
    return elastic, elastic.twin()


def _mixed(s: float, a: np.ndarray, t: float, b: np.ndarray) -> np.ndarray:
    return s * a + t * b
