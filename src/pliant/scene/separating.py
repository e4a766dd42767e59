"""Overlapping solids, pulled apart by short ways."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pliant.bodies import Deformable
from pliant.boundary import Obstacle
from pliant.contact import BarrierContact, ContactBody, ContactSurface, crossing_bodies
from pliant.errors import SolverError
from pliant.problem import IslandSystem
from pliant.solvers import shortest

from .things import TouchingThings

#: How often all pairs that overlap are parted: bodies may come into the way of others.
ROUNDS = 50
#: How many directions are tried for each pair, and how often their ways are halved.
DIRECTIONS, HALVINGS = 6, 7


def ways_apart(
    bodies: Sequence[Deformable], obstacles: Sequence[Obstacle], system: IslandSystem
) -> np.ndarray:
    """Short ways (bodies, dim) [m] after which nothing overlaps; refuses what none can part."""
    contact = system.contact
    assert contact is not None
    surface, dim = contact.surface, bodies[0].dim
    names = TouchingThings(bodies, obstacles).names
    ways, of = np.zeros((len(bodies), dim)), np.repeat(np.arange(len(bodies)), surface.unknowns)
    start = np.concatenate([body.state.x for body in bodies])
    for _ in range(ROUNDS):
        x = system.assembly.array(start + ways[of])
        crossing = crossing_bodies(contact, x)
        if not crossing:
            return ways
        places, rows, needed = contact.placed(x).numpy(), [], []
        for i, j in crossing:
            _refuse_tangled(bodies, names, i, j)
            normal, way = _parting(surface, places, i, j)
            row = np.zeros((len(bodies), dim))
            row[i] = 0.0 if bodies[i].pinned.any() else normal
            if j < len(bodies) and not bodies[j].pinned.any():
                row[j] = -normal
            if not row.any():
                raise ValueError(
                    f"separate: {names[i]!r} and {names[j]!r} overlap, and pins hold both; expected at "
                    "least one without: body.release()"
                )
            rows.append(row.ravel())
            needed.append(way)
        ways += shortest(np.array(rows), np.array(needed)).reshape(ways.shape)
    told = "; ".join(f"{names[i]!r} and {names[j]!r}" for i, j in crossing[:5])
    raise SolverError(f"separate: found no places at which {told} do not overlap: body.place(...)")


def _refuse_tangled(bodies: Sequence[Deformable], names: Sequence[str], i: int, j: int) -> None:
    if i == j:
        raise ValueError(
            f"separate: {names[i]!r} goes through itself, and moving all of it does not help; expected "
            "a start that does not: body.place(...)"
        )
    for k in (i, j):
        if k < len(bodies) and bodies[k].mesh.cell_dim < bodies[k].dim:
            raise ValueError(
                f"separate: {names[i]!r} and {names[j]!r} are tangled, and {names[k]!r} is a sheet or a "
                "line, whose inside nobody knows; expected a start apart: body.place(...)"
            )


def _parting(surface: ContactSurface, x: np.ndarray, i: int, j: int) -> tuple[np.ndarray, float]:
    """A direction in which body i leaves body or plane j behind, and how far it has to go [m]."""
    gap = float(surface.gap[surface.body == i].max())
    count = len(surface.bodies)
    own = surface.body == i
    if j >= count:
        origin, normal = (p[j - count] for p in surface.planes)
        low = ((x[own] - origin) @ normal - surface.radius[own]).min()
        return normal, gap - float(low)
    pair = [replace(surface.bodies[k], points=x[surface.body == k], carried=None) for k in (i, j)]
    normals = np.concatenate([_normals(body) for body in pair])
    between = pair[0].points.mean(axis=0) - pair[1].points.mean(axis=0)
    normals = np.concatenate([normals, -normals, between[None], np.eye(len(between))])
    lengths = np.linalg.norm(normals, axis=1)
    normals = normals[lengths > 0.0] / lengths[lengths > 0.0, None]
    normals = np.unique(np.round(normals, 6), axis=0)
    near, far = (_reach(body, sign * normals) for body, sign in zip(pair, (-1, 1), strict=True))
    depth = near + far
    best = np.argsort(depth)[:DIRECTIONS]
    return min(
        ((normals[k], _shortened(pair, normals[k], float(depth[k])) + gap) for k in best),
        key=lambda found: found[1],
    )


def _normals(body: ContactBody) -> np.ndarray:
    """Normals of its facets, of any length."""
    corners = body.points[body.triangles]
    if body.points.shape[1] == 3:
        return np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    u = body.points[body.edges[:, 1]] - body.points[body.edges[:, 0]]
    return np.stack([u[:, 1], -u[:, 0]], axis=1)


def _reach(body: ContactBody, normals: np.ndarray) -> np.ndarray:
    """How far a body reaches in directions."""
    out: np.ndarray = (normals @ body.points.T + body.radius).max(axis=1)
    return out


def _shortened(pair: Sequence[ContactBody], normal: np.ndarray, depth: float) -> float:
    """How far the first body goes until it is apart, up to `depth`, which puts a plane between."""
    if not pair[0].given and not pair[1].given:
        moving, still = pair
    else:
        moving, still = (replace(body, given=False) for body in pair)
    contact = BarrierContact(ContactSurface([moving, still]))
    low, high = 0.0, depth
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        x = np.concatenate([moving.points + middle * normal, still.points])
        if (0, 1) in crossing_bodies(contact, x):
            low = middle
        else:
            high = middle
    return high
