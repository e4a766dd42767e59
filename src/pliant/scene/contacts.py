"""Contact between the bodies and obstacles of a scene, prepared for steps."""

from __future__ import annotations

from collections.abc import Sequence
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
    ContactSurface,
    FrameContacts,
    ObstaclePaths,
    ObstaclePlaces,
    contact_energies,
    contacts_at,
)
from pliant.control import Settle, VelocityFilter
from pliant.energies import size_of
from pliant.errors import Advice
from pliant.problem import IslandSystem, Stepper, System
from pliant.step import BDF2, Implicit, Newmark, QuasiStatic

#: The gap, over the size of the smaller body; and at most, over the length of short edges of a sheet.
GAP, SHEET_GAP = 1e-3, 0.2
#: Steppers that search for the new positions, so that they can stop before anything touches.
IN_CONTACT = (Implicit, Newmark, BDF2, QuasiStatic)
#: The least modulus of a barrier [Pa].
LEAST_YOUNG = 1.0


class TouchingThings:
    """The bodies and obstacles of a scene, numbered as in its contact surface; planes come last."""

    def __init__(self, bodies: Sequence[Deformable], obstacles: Sequence[Obstacle]):
        gap = max(_gap(body) for body in bodies)
        given = [(o, o.contact_body(gap)) for o in obstacles]
        self.bodies = tuple(bodies)
        self.solids = [(o, body) for o, body in given if body is not None]
        self.planes = [o for o, body in given if body is None]
        self.obstacles = [*(o for o, _ in self.solids), *self.planes]
        self.names = [*(body.name for body in bodies), *(o.name for o in self.obstacles)]

    def places(self, time: float) -> ObstaclePlaces:
        """Where all obstacles are at a time [s]."""
        dim = self.bodies[0].dim
        points = [o.contact_points(time) for o, _ in self.solids]
        planes = [o.at(time).numbers()[:2] for o in self.planes]
        poses = [o.pose(time) for o in self.planes]
        return ObstaclePlaces(
            np.concatenate([np.zeros((0, dim)), *points]),
            np.array([p for p, _ in planes]).reshape(-1, dim),
            np.array([n for _, n in planes]).reshape(-1, dim),
            np.array([pose.turn for pose in poses]).reshape(-1, dim, dim),
            np.array([pose.shift for pose in poses]).reshape(-1, dim),
        )

    def numbers(self, name: str) -> list[int]:
        """The numbers of all things of a name."""
        return [i for i, own in enumerate(self.names) if own == name]


def make_contact(
    bodies: Sequence[Deformable],
    systems: Sequence[System],
    obstacles: Sequence[Obstacle],
    contact: Contact,
) -> tuple[BarrierContact, BristleFriction]:
    """What keeps bodies apart, and what holds them where they touch."""
    things = TouchingThings(bodies, obstacles)
    for name in contact.names():
        if not things.numbers(name):
            known = ", ".join(map(repr, dict.fromkeys(things.names)))
            raise ValueError(f"Contact: got the name {name!r}; expected one of {known}")
    surface = ContactSurface(
        [
            *(_surface_of(b, s, contact) for b, s in zip(bodies, systems, strict=True)),
            *(solid for _, solid in things.solids),
        ],
        planes=_planes(things, bodies[0].dim),
        ignore=[
            (i, j) for a, b in contact.ignore for i in things.numbers(a) for j in things.numbers(b)
        ],
        names=things.names,
    )
    moving = any(o.moves for o in things.obstacles)
    paths = ObstaclePaths(things.places) if moving else None
    barrier = BarrierContact(surface, paths=paths)
    return barrier, BristleFriction(barrier, _friction(things, contact))


def touching_now(
    bodies: Sequence[Deformable],
    system: IslandSystem,
    positions: Sequence[np.ndarray],
    *,
    time: float,
    record: bool,
) -> tuple[FrameContacts | None, np.ndarray]:
    """What touches at positions of all bodies and a time [s], and the barrier's energy of each [J]."""
    contact, friction = system.contact, system.friction
    assert contact is not None and friction is not None
    if not record:
        return None, np.zeros(len(bodies))
    contact.aim_at(time)
    x = system.assembly.array(np.concatenate(positions))
    found = friction.touching(x)
    energies = contact_energies(contact, found)
    known = [body.state.bristles for body in bodies if body.state.bristles is not None]
    bristles = Bristles.joined(known) if known else Bristles.none(system.dim)
    return contacts_at(friction, found, x, bristles), energies


def check_obstacles(obstacles: Sequence[Obstacle], contact: Contact | None) -> None:
    """Refuse obstacles that only contact knows of, if there is none."""
    for obstacle in obstacles:
        if contact is None and (obstacle.needs_contact or obstacle.moves):
            with_path = " with a path" if obstacle.moves else ""
            why = "moves none" if obstacle.moves else "lets all pass through it"
            raise ValueError(
                Advice(
                    f"got {obstacle!r}{with_path} in a scene without contact, which {why}; expected ",
                    "pl.Scene(..., contact=pl.Contact())",
                    "a section [contact]",
                )
            )


def check_bodies(bodies: Sequence[Deformable], stepper: Stepper) -> None:
    """Refuse what contact cannot be combined with."""
    if not isinstance(stepper, IN_CONTACT):
        name = type(stepper).__name__
        raise ValueError(
            Advice(
                f"got contact with pl.{name}, which could pass through what it touches; expected ",
                "the default stepper, pl.Implicit(), or pl.Newmark(), pl.BDF2() or pl.QuasiStatic(), or "
                "pl.Scene(..., contact=None)",
                'stepper = "Implicit", "Newmark", "BDF2" or "QuasiStatic" in [run], or no [contact]',
            )
        )
    for body in bodies:
        if body.damping.controlled and not isinstance(body.damping, Settle):
            raise ValueError(
                Advice(
                    f"{body.name}: got contact with {body.damping!r}, which cannot aim at where bodies "
                    "that touch will rest; expected ",
                    "damping=None, pl.Rayleigh(...) or pl.StrainRate(...), or scene.contact = None",
                    'damping = { model = "StrainRate", ... } or "Rayleigh" or none, or no [contact]',
                )
            )
        if isinstance(body.damping, VelocityFilter):
            raise ValueError(
                f"{body.name}: got contact with {body.damping!r}, which moves points after the step; "
                "expected a damping of the step itself, e.g. pl.StrainRate(...)"
            )


def check_wishes(
    bodies: Sequence[Deformable], obstacles: Sequence[Obstacle], ties: Sequence[Any]
) -> None:
    """Refuse what bodies that are to rest on cue in contact cannot be combined with."""
    wishing = [body for body in bodies if isinstance(body.damping, Settle)]
    moving = [obstacle for obstacle in obstacles if obstacle.moves]
    for what, found in (("an obstacle that moves", moving), ("ties", list(ties))):
        if wishing and found:
            raise ValueError(
                Advice(
                    f"{wishing[0].name}: got contact, {what} and {wishing[0].damping!r}, which cannot "
                    "aim at where such bodies will rest; expected ",
                    "damping=None, pl.Rayleigh(...) or pl.StrainRate(...), or scene.contact = None",
                    'damping = { model = "StrainRate", ... } or "Rayleigh" or none, or no [contact]',
                )
            )


def _surface_of(body: Deformable, system: System, contact: Contact) -> ContactBody:
    shape = body.contact_surface
    carried = shape.carried
    return replace(
        shape,
        gap=_gap(body) if contact.gap is None else contact.gap,
        young=_young(system) if body.contact_young is None else body.contact_young,
        depth=body.thickness if body.dim == 2 else 1.0,
        self_contact=contact.self_contact,
        held=system.pinned if carried is None else carried.held(system.pinned),
    )


def _gap(body: Deformable) -> float:
    """Where the barrier of a body begins by default [m]."""
    gap = GAP * size_of(body.mesh.points)
    if body.mesh.cell_dim < body.dim or body.points_per_node > 1:
        edge = ContactSurface([body.contact_surface]).edge_length
        gap = min(gap, SHEET_GAP * edge)
    return gap


def _young(system: System) -> float:
    """The mean Young's modulus of a body [Pa]; of other models their mean stiffness over a length."""
    if system.solids:
        return float(np.mean([np.mean(solid.material.young) for solid in system.solids]))
    size = float(np.linalg.norm(np.ptp(system.undeformed, axis=0)))
    spaced = size / float(len(system.undeformed) ** (1.0 / system.dim))
    stiffness = float(np.mean(system.stiffness_diagonal(system.undeformed)))
    return max(stiffness / spaced, LEAST_YOUNG)


def _planes(things: TouchingThings, dim: int) -> tuple[np.ndarray, np.ndarray] | None:
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
