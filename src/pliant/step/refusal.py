"""Dampings that only one stepper can give."""

from __future__ import annotations

from typing import Any

from pliant.control import Damping
from pliant.errors import Advice
from pliant.problem import IslandDamping

#: Dampings that steppers with an inertia of their own can give.
OTHERS = "pl.StrainRate(...) or pl.Rayleigh(...)"


def refuse_controlled(stepper: Any, damping: Damping, instead: str = OTHERS) -> None:
    """Refuse a damping that is a choice of inertia to a stepper that has an inertia of its own.

    `Settle` and `EnergyMinimising` replace the inertia of backward Euler by one that is solved for
    from the wish. Other steppers have an inertia of their own, which cannot be replaced.
    """
    if isinstance(damping, IslandDamping):
        for own in damping.members:
            refuse_controlled(stepper, own, instead)
    elif damping.controlled:
        raise ValueError(
            Advice(
                f"got {type(damping).__name__} with {type(stepper).__name__}; it is a choice of the "
                "inertia that the step of Implicit minimises, and this stepper has its own. ",
                f"Use scene.run(...) without stepper=, or damping={instead}",
                'Use stepper = "Implicit" in [run], or damping = { model = "StrainRate", ... }',
            )
        )
