"""Contact between the bodies and obstacles of a scene, prepared for steps."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.bodies import Deformable
from pliant.boundary import Contact, Obstacle
from pliant.contact import (
    BarrierContact,
    BristleFriction,
    Bristles,
    ContactBody,
    ContactKeys,
    ContactSurface,
    FrameContacts,
    ObstaclePaths,
    contact_energies,
    contacts_at,
)
from pliant.errors import Advice
from pliant.problem import Stepper, System
from pliant.step import BDF2, Explicit, Implicit, LinearisedImplicit, Newmark, QuasiStatic

from .things import TouchingThings, gap_of

#: Steppers that stop before anything touches.
IN_CONTACT = (Implicit, Newmark, BDF2, QuasiStatic, LinearisedImplicit, Explicit)
#: The least modulus of a barrier [Pa].
LEAST_YOUNG = 1.0


def surface_of(
    things: TouchingThings,
    systems: Sequence[System],
    contact: Contact,
    passing: Collection[tuple[int, int]],
) -> ContactSurface:
    """All that can touch; passing: the numbers of pairs that never do."""
    for name in contact.names():
        if not things.numbers(name):
            known = ", ".join(map(repr, dict.fromkeys(things.names)))
            raise ValueError(f"Contact: got the name {name!r}; expected one of {known}")
    bodies = zip(things.bodies, systems, strict=True)
    families = _families(things.bodies)
    shapes = [
        replace(_surface_of(body, system, contact), family=family)
        for (body, system), family in zip(bodies, families, strict=True)
    ]
    return ContactSurface(
        [*shapes, *(solid for _, solid in things.solids)],
        planes=_planes(things),
        ignore=passing,
        names=things.names,
    )


def make_contact(
    things: TouchingThings,
    surface: ContactSurface,
    contact: Contact,
    like: System,
    among: tuple[ContactKeys, Sequence[int]] | None = None,
) -> tuple[BarrierContact, BristleFriction]:
    """What keeps bodies apart, and what holds them where they touch, on the device of a body.

    among: of a part of the scene, the keys of all of it, and the numbers of the bodies of the part.
    """
    moving = any(o.moves for o in things.obstacles)
    paths = ObstaclePaths(things.places) if moving else None
    how: dict[str, Any] = {"device": like.device}
    barrier = BarrierContact(surface, paths=paths, **how)
    how |= {"stays": like.resident, "among": among}
    return barrier, BristleFriction(barrier, _friction(things, contact), **how)


def touching_now(
    bodies: Sequence[Deformable],
    contact: BarrierContact,
    friction: BristleFriction,
    positions: Sequence[np.ndarray],
    *,
    time: float,
) -> tuple[FrameContacts, np.ndarray]:
    """What touches at positions of all bodies and a time [s], and the barrier's energy of each [J]."""
    contact.aim_at(time)
    x = contact.array(np.concatenate(positions))
    found = friction.touching(x)
    energies = contact_energies(contact, found)
    known = [b.state.bristles.to_host() for b in bodies if b.state.bristles is not None]
    bristles = Bristles.joined(known) if known else Bristles.none(contact.surface.dim)
    return contacts_at(friction, found, x, bristles), energies


def check_obstacles(obstacles: Sequence[Obstacle]) -> None:
    """Refuse obstacles that only contact knows of, where there is none."""
    for obstacle in obstacles:
        if obstacle.needs_contact or obstacle.moves:
            with_path = " with a path" if obstacle.moves else ""
            raise ValueError(
                f"got {obstacle!r}{with_path}, which needs contact, and a stepper, damping or device "
                "that has none; expected pl.Implicit() or another stepper than pl.XPBD, on the CPU"
            )


def check_stepper(stepper: Stepper) -> None:
    """Refuse steppers that contact cannot be combined with."""
    if not isinstance(stepper, IN_CONTACT):
        name = type(stepper).__name__
        raise ValueError(
            Advice(
                f"got contact with pl.{name}, which could pass through what it touches; expected ",
                "the default stepper, pl.Implicit(), or another one of pliant, or "
                "pl.Scene(..., contact=None), which lets bodies pass there",
                'another stepper in [run], such as "Implicit", or no [contact]',
            )
        )


def _surface_of(body: Deformable, system: System, contact: Contact) -> ContactBody:
    shape = body.contact_surface
    carried = shape.carried
    return replace(
        shape,
        gap=gap_of(body) if contact.gap is None else contact.gap,
        young=_young(system) if body.contact_young is None else body.contact_young,
        depth=body.thickness if body.dim == 2 else 1.0,
        self_contact=contact.self_contact and not body.in_modes,
        held=system.pinned if carried is None else carried.held(system.pinned),
    )


def _young(system: System) -> float:
    """The mean Young's modulus of a body [Pa]; of other models their mean stiffness over a length."""
    if system.solids:
        return float(np.mean([np.mean(solid.material.young) for solid in system.solids]))
    size = float(np.linalg.norm(np.ptp(system.undeformed, axis=0)))
    spaced = size / float(len(system.undeformed) ** (1.0 / system.dim))
    stiffness = float(np.mean(system.stiffness_diagonal(system.undeformed)))
    return max(stiffness / spaced, LEAST_YOUNG)


def _families(bodies: Sequence[Deformable]) -> list[int]:
    """A number for all parts that were cut from one body, -1 for what is whole."""
    wholes = {id(body.whole): number for number, body in enumerate(bodies)}
    return [-1 if body.whole is body else wholes[id(body.whole)] for body in bodies]


def _planes(things: TouchingThings) -> tuple[np.ndarray, np.ndarray] | None:
    if not things.planes:
        return None
    places = [plane.numbers()[:2] for plane in things.planes]
    return np.array([p for p, _ in places]), np.array([n for _, n in places])


def _friction(things: TouchingThings, contact: Contact) -> np.ndarray:
    """mu of bodies, and of bodies and planes, (bodies, bodies + planes)."""
    bodies = len(things.bodies)
    own = [None] * bodies + [o.own_friction for o in things.obstacles]
    table = [
        [
            contact.between(a, b, own[j] if own[i] is None else own[i])
            for j, b in enumerate(things.names)
        ]
        for i, a in enumerate(things.names)
    ]
    return np.array(table)[: bodies + len(things.solids)]
