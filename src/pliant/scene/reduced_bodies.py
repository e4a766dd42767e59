"""What cannot be combined with bodies that move in their modes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pliant.bodies import Deformable
from pliant.boundary import Contact, Obstacle
from pliant.control import Damping, Rayleigh
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
    """Whether nothing can touch in a scene: of static models, or of bodies that do not touch themselves.

    Refuses static models where something else is that they would have to touch.
    """
    reduced = [body for body in bodies if body.in_modes]
    if not reduced:
        return False
    if any(body.static for body in reduced):
        _refuse_company(contact, bodies, obstacles, ties)
        return True
    return len(bodies) == 1 and not obstacles


def _refuse_company(
    contact: Contact | bool | None,
    bodies: Sequence[Deformable],
    obstacles: Sequence[Obstacle],
    ties: Sequence[Tie],
) -> None:
    """Refuse whatever a static model would have to touch or be tied to."""
    first = next(body for body in bodies if body.static)
    tied = next((body for tie in ties for body in tie.bodies if body.static), None)
    if tied is not None:
        raise ValueError(
            Advice(
                f"{tied.name}: {_kind(tied)} cannot be tied to another yet; expected ",
                "a body with masses of its own in the tie, such as pl.Body or pl.Modal",
                "a tied body with masses of its own, such as one with material",
            )
        )
    if isinstance(contact, Contact) or obstacles or (contact is None and len(bodies) > 1):
        told = "an obstacle" if obstacles else "contact"
        raise ValueError(
            Advice(
                f"{first.name}: got {told}, and {_kind(first)} touches nothing yet; expected ",
                "pl.Scene(..., contact=False) without obstacles, or pl.Body or pl.Modal",
                "bodies = false in [contact], without obstacles, or a body with material",
            )
        )


def check_reduced(bodies: Sequence[Deformable], stepper: Stepper) -> None:
    """Refuse steppers and dampings that bodies in their modes have no closed form for."""
    for body in bodies:
        if not body.in_modes:
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
        for damping, _ in body.keyed_dampings:
            _check_damping(body, damping)


def _check_damping(body: Deformable, damping: Damping) -> None:
    """Refuse a damping, of now or of a key, that a body in its modes cannot have."""
    if body.static and isinstance(damping, Rayleigh):
        raise ValueError(
            Advice(
                f"{body.name}: got the damping pl.Rayleigh; {_words(body)} have no motion of their "
                "own: expected pl.Settle, or None to be at rest in every frame: ",
                "body.damping = pl.Settle(rest_in=1.0)",
                "settle = { rest_in = 1.0 }",
            )
        )
    if not suits(damping):
        raise ValueError(
            Advice(
                f"{body.name}: got the damping {_named(damping)}; expected pl.Settle, "
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
