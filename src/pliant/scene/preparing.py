"""Bodies prepared for steps, each on the device where it will be solved for."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pliant.backend import keeps_arrays, resident
from pliant.bodies import Deformable
from pliant.boundary import Obstacle
from pliant.problem import Problem, Stepper, System
from pliant.step import Implicit

from .ties import Tie


def contact_on_host(
    bodies: Sequence[Deformable],
    obstacles: Sequence[Obstacle],
    ties: Sequence[Tie],
    stepper: Stepper,
) -> str | None:
    """Why a device cannot compute the contact of a scene, or None."""
    if ties:
        return "bodies are tied together"
    if not isinstance(stepper, Implicit):
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
    for i, body in enumerate(bodies):
        system = None if before is None else before.bodies[i].system
        if system is None or system is not body.prepared:
            stays = id(body) not in on_host
            with resident(stays and keeps_arrays(device)):
                system = body.system(device=device if stays else "cpu")
        found.append(system)
    if together and len({system.resident for system in found}) > 1:
        return prepare(bodies, device, None, on_host={id(b) for b in bodies}, together=False)
    return found
