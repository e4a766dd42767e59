"""Bodies prepared for steps, each on the device where it will be solved for."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pliant.backend import keeps_arrays, resident
from pliant.bodies import Deformable
from pliant.boundary import Obstacle
from pliant.problem import Problem, Stepper, System
from pliant.step import Implicit, LinearisedImplicit

from .ties import Tie

#: Steppers whose steps are made on a device.
RESIDENT = (Implicit, LinearisedImplicit)


def contact_on_host(
    bodies: Sequence[Deformable],
    obstacles: Sequence[Obstacle],
    ties: Sequence[Tie],
    stepper: Stepper,
) -> str | None:
    """Why a device cannot compute the contact of a scene, or None."""
    if ties:
        return "bodies are tied together"
    if not isinstance(stepper, RESIDENT):
        return f"pl.{type(stepper).__name__} steps on the host"
    if any(obstacle.moves for obstacle in obstacles):
        return "an obstacle moves"
    for body in bodies:
        if body.damping.controlled or not body.damping.resident:
            return f"{body.name} has {body.damping!r}"
        if not body.pins_fixed:
            return f"{body.name} has pins that are driven"
        if not body.loads_resident:
            return f"{body.name} meets wind that is a function of places"
    return None


def stays_without_contact(
    bodies: Sequence[Deformable],
    obstacles: Sequence[Obstacle],
    ties: Sequence[Tie],
    stepper: Stepper,
) -> bool:
    """Whether a run on a device has no contact without a word.

    So it is where the CPU would have to compute contact and nothing but bodies could be touched, or
    where a damping that controls inertia is all that asks for the CPU: without contact such a run stays
    on the device, and obstacles without friction push its points there.
    """
    if contact_on_host(bodies, obstacles, ties, stepper) is None:
        return False
    if not obstacles:
        return True
    plain = not any(o.moves or o.needs_contact or o.friction for o in obstacles)
    return plain and not ties and isinstance(stepper, RESIDENT) and all(map(_stays, bodies))


def _stays(body: Deformable) -> bool:
    """Whether all of the steps of a body without contact are made on a device."""
    if body.damping.controlled and not body.pinned.any():
        return False  # nothing but contact would stop it
    return body.damping.resident and body.pins_fixed and body.loads_resident


def prepare(
    bodies: Sequence[Deformable],
    device: str,
    before: Problem | None,
    *,
    on_host: Collection[int],
    together: bool,
) -> list[System]:
    """All bodies, prepared on a device; those of some ids on the host.

    together: if one of them cannot stay on the device, none does. Bodies that have not changed are not
    prepared again.
    """
    found = []
    known = {} if before is None else {id(each.system): each.system for each in before.bodies}
    for body in bodies:
        system = known.get(id(body.prepared))
        if system is None:
            stays = id(body) not in on_host
            with resident(stays and keeps_arrays(device)):
                system = body.system(device=device if stays else "cpu")
        found.append(system)
    if together and len({system.resident for system in found}) > 1:
        return prepare(bodies, device, None, on_host={id(b) for b in bodies}, together=False)
    return found
