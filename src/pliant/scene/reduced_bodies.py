"""What cannot be combined with bodies that move in their modes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pliant.bodies import Deformable
from pliant.boundary import Contact, Obstacle
from pliant.control import Rayleigh
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
    """Whether nothing can touch in a scene because of a body that touches nothing.

    Refuses such a body where something else is that it would have to touch.
    """
    apart = [body for body in bodies if not body.touches]
    if not apart:
        return False
    name = apart[0].name
    for tie in ties:
        tied = [body for body in tie.bodies if not body.touches]
        if tied:
            raise ValueError(
                Advice(
                    f"{tied[0].name}: {_kind(tied[0])} cannot be tied to another yet; expected ",
                    "the full body in the tie",
                    "a tied body without reduce",
                )
            )
    if isinstance(contact, Contact) or obstacles or (contact is None and len(bodies) > 1):
        told = "an obstacle" if obstacles else "contact"
        raise ValueError(
            Advice(
                f"{name}: got {told}, and {_kind(apart[0])} touches nothing yet; expected ",
                "pl.Scene(..., contact=False) without obstacles, or the full body",
                "bodies = false in [contact], without obstacles, or a body without reduce",
            )
        )
    return True


def check_reduced(bodies: Sequence[Deformable], stepper: Stepper) -> None:
    """Refuse steppers and dampings that bodies in their modes have no closed form for."""
    for body in bodies:
        if body.touches:
            continue
        if type(stepper) is not Implicit:
            raise ValueError(
                Advice(
                    f"{body.name}: got the stepper {type(stepper).__name__}; {_kind(body)} is "
                    "moved by steps of its own: expected ",
                    "no stepper, or the full body",
                    "no stepper, or a body without reduce",
                )
            )
        if body.static and isinstance(body.damping, Rayleigh):
            raise ValueError(
                Advice(
                    f"{body.name}: got the damping pl.Rayleigh; {_words(body)} have no motion of their "
                    "own: expected pl.Settle, or None to be at rest in every frame: ",
                    "body.damping = pl.Settle(rest_in=1.0)",
                    "settle = { rest_in = 1.0 }",
                )
            )
        if not suits(body.damping):
            raise ValueError(
                Advice(
                    f"{body.name}: got the damping {_named(body.damping)}; expected pl.Settle, "
                    f"pl.Rayleigh or None for {_kind(body)}: ",
                    "body.damping = pl.Settle(rest_in=1.0), or use the full body",
                    "settle = { rest_in = 1.0 }, or use a body without reduce",
                )
            )


def _kind(body: Deformable) -> str:
    """What a body is that moves in few coordinates."""
    return f"a body of {_words(body)}" if body.static else "a body in its modes"


def _words(body: Deformable) -> str:
    return body.word.replace("_", " ")


def _named(damping: Any) -> str:
    return f"pl.{type(damping).__name__}"
