"""Starts in contact: what touches to rounding is lifted to the gap, what intersects is found."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np

from pliant.bodies import Deformable
from pliant.contact import BarrierContact, ContactSurface, crossing_bodies, touching_pairs
from pliant.problem import IslandSystem
from pliant.solvers import shortest

log = logging.getLogger("pliant")

#: What is nearer than this share of the size of the bodies touches to rounding.
TOUCHING = 1e-7
#: How often bodies are lifted: one that was lifted may then touch another.
ROUNDS = 4


def start_apart(
    bodies: Sequence[Deformable], system: IslandSystem, time: float
) -> list[tuple[int, int]]:
    """Lift what touches to rounding off to the gap; returns pairs that intersect at a time [s].

    These are the numbers of both, planes behind bodies. If there are any, nothing is lifted.
    """
    contact = system.contact
    assert contact is not None
    contact.aim_at(time)
    lifted = np.zeros((len(bodies), bodies[0].dim))
    start = np.concatenate([body.state.x for body in bodies])
    movable = np.array([not body.pinned.any() for body in bodies])
    body_of = np.repeat(np.arange(len(bodies)), contact.surface.unknowns)
    for _ in range(ROUNDS):
        way = _least_lift(contact, system, start + lifted[body_of], movable)
        if not way.any():
            break
        lifted += way
    crossing = crossing_bodies(contact, system.assembly.array(start + lifted[body_of]))
    if crossing:
        return crossing
    for body, way in zip(bodies, lifted, strict=True):
        if way.any():
            log.info("%s touches at the start: moved by %s m to the gap", body.name, way.tolist())
            body.place(body.state.x + way)
    return []


def crossing_now(
    bodies: Sequence[Deformable], system: IslandSystem, time: float
) -> list[tuple[int, int]]:
    """The pairs that intersect at a time [s], as of `start_apart`; nothing is lifted."""
    assert system.contact is not None
    system.contact.aim_at(time)
    x = np.concatenate([body.positions for body in bodies])
    return crossing_bodies(system.contact, system.assembly.array(x))


def _least_lift(
    contact: BarrierContact, system: IslandSystem, x: np.ndarray, movable: np.ndarray
) -> np.ndarray:
    """The least ways of all bodies, (bodies, dim), that part what touches by the gap."""
    count, dim = len(movable), x.shape[1]
    near = TOUCHING * float(np.ptp(x, axis=0).max())
    first, second, normals, needed = touching_pairs(contact, system.assembly.array(x), near)
    rows: dict[tuple[float, ...], float] = {}
    places = contact.placed(system.assembly.array(x)).numpy()
    chosen = _parting(contact.surface, places, first, second, normals)
    first, second, normals, needed = (v[chosen] for v in (first, second, normals, needed))
    for a, b, n, need in zip(first, second, normals, needed, strict=True):
        row = np.zeros((count, dim))
        if a < count and movable[a]:
            row[a] += n
        if b < count and movable[b]:
            row[b] -= n
        if row.any():
            key = tuple(np.round(row, 9).ravel().tolist())
            rows[key] = max(rows.get(key, 0.0), float(need))
    if not rows:
        return np.zeros((count, dim))
    return shortest(np.array(list(rows)), np.array(list(rows.values()))).reshape(count, dim)


def _parting(
    surface: ContactSurface,
    x: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    normals: np.ndarray,
) -> np.ndarray:
    """Which pairs say how two bodies part: those along the direction in which most is between them.

    Where two boxes share an edge, sides that are across of what lies between them touch as well.
    """
    places = [x[surface.body == k] for k in range(len(surface.unknowns))]
    out = np.ones(len(first), dtype=bool)
    for a, b in {(a, b) for a, b in zip(first.tolist(), second.tolist(), strict=True)}:
        own = np.flatnonzero((first == a) & (second == b))
        if max(a, b) >= len(places):
            continue  # an obstacle: it touches from one side
        n = normals[own]
        between = (n @ places[a].T).min(axis=1) - (n @ places[b].T).max(axis=1)
        out[own] = n @ n[int(np.argmax(between))] > 1.0 - 1e-6
    return out
