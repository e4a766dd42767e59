"""What cannot be combined with bodies that move in their modes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pliant.bodies import Deformable
from pliant.boundary import Contact, Obstacle
from pliant.errors import Advice
from pliant.problem import Stepper
from pliant.reduced import suits
from pliant.step import Implicit

from .ties import Tie


def touches_nothing(
    contact: Contact | bool | None,
    bodies: Sequence[Deformable],
    obstacles: Sequence[Obstacle],
    ties: Sequence[Tie],
) -> bool:
    """Whether nothing can touch in a scene with bodies in their modes, which do not touch themselves.

    Refuses bodies in their modes whose pins are driven where they would touch or pull something.
    """
    reduced = [body for body in bodies if body.in_modes]
    if not reduced:
        return False
    if not obstacles and not ties and (len(bodies) == 1 or contact is False):
        return True
    for body in reduced:
        if not body.pins_fixed:
            raise ValueError(
                Advice(
                    f"{body.name}: got pins that are driven, and something to touch; a body in its "
                    "modes whose pins are driven touches nothing: expected ",
                    "pl.Scene(..., contact=False) without obstacles and ties, or the full body",
                    "bodies = false in [contact], without obstacles and ties, or a body without reduce",
                )
            )
    return False


def check_reduced(bodies: Sequence[Deformable], stepper: Stepper) -> None:
    """Refuse steppers and dampings that bodies in their modes have no closed form for."""
    for body in bodies:
        if not body.in_modes:
            continue
        if type(stepper) is not Implicit:
            raise ValueError(
                Advice(
                    f"{body.name}: got the stepper {type(stepper).__name__}; a body in its modes is "
                    "moved by steps of its own: expected ",
                    "no stepper, or the full body",
                    "no stepper, or a body without reduce",
                )
            )
        if not suits(body.damping):
            raise ValueError(
                Advice(
                    f"{body.name}: got the damping {_named(body.damping)}; expected pl.Settle, "
                    "pl.Rayleigh or None for a body in its modes: ",
                    "body.damping = pl.Settle(rest_in=1.0), or use the full body",
                    "settle = { rest_in = 1.0 }, or use a body without reduce",
                )
            )


def _named(damping: Any) -> str:
    return f"pl.{type(damping).__name__}"
