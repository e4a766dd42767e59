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
#: How many ways out are tried where overlaps push a body against each other.
WAYS_OUT = 30
#: A direction leaves a plane if it is along its normal by this share.
ALONG = 1e-3


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
        x = start + ways[of]
        crossing = crossing_bodies(contact, system.assembly.array(x))
        if not crossing:
            return ways
        places, rows, needed = contact.placed(system.assembly.array(x)).numpy(), [], []
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
        step = shortest(np.array(rows), np.array(needed)).reshape(ways.shape)
        if not step.any():  # what overlaps pushes bodies against each other
            found = _ways_out(surface, places, crossing, [bool(b.pinned.any()) for b in bodies])
            if not found:
                break
            step = next((way for way in found if not _meets(system, x, way, of)), found[0])
        ways += step
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
    normals = _directions(np.concatenate([normals, between[None], np.eye(len(between))]))
    near, far = (_reach(body, sign * normals) for body, sign in zip(pair, (-1, 1), strict=True))
    depth = near + far
    best = np.argsort(depth)[:DIRECTIONS]
    return min(
        ((normals[k], _shortened(pair, normals[k], float(depth[k])) + gap) for k in best),
        key=lambda found: found[1],
    )


def _meets(system: IslandSystem, x: np.ndarray, way: np.ndarray, of: np.ndarray) -> bool:
    """Whether what goes a way, (bodies, dim), then overlaps anything; of: whose points x are."""
    assert system.contact is not None
    moved = crossing_bodies(system.contact, system.assembly.array(x + way[of]))
    return any(way[k].any() for pair in moved for k in pair if k < len(way))


def _ways_out(
    surface: ContactSurface,
    x: np.ndarray,
    crossing: Sequence[tuple[int, int]],
    held: Sequence[bool],
) -> list[np.ndarray]:
    """Ways of the body in most overlaps that leave all of them behind, (bodies, dim), shortest first.

    In their directions a plane is between the body and each of the others.
    """
    often = [0 if held[k] else sum(k in pair for pair in crossing) for k in range(len(held))]
    k = int(np.argmax(often))
    if not often[k]:
        return []
    others = [j if i == k else i for i, j in crossing if k in (i, j)]
    shapes = {
        j: replace(surface.bodies[j], points=x[surface.body == j], carried=None)
        for j in (k, *others)
        if j < len(surface.bodies)
    }
    normals = np.concatenate([_normals(shape) for shape in shapes.values()])
    normals = _directions(np.concatenate([normals, np.eye(x.shape[1])]))
    needed = np.zeros(len(normals))
    for j in others:
        if j in shapes:
            way = _reach(shapes[k], -normals) + _reach(shapes[j], normals)
        else:
            normal, depth = _parting(surface, x, k, j)
            along = normals @ normal
            way = np.where(along > ALONG, depth / np.maximum(along, ALONG), np.inf)
        needed = np.maximum(needed, way)
    gap, ways = float(surface.gap[surface.body == k].max()), []
    for best in np.argsort(needed)[:WAYS_OUT]:
        if np.isfinite(needed[best]):
            ways.append(np.zeros((len(held), x.shape[1])))
            ways[-1][k] = (needed[best] + gap) * normals[best]
    return ways


def _directions(normals: np.ndarray) -> np.ndarray:
    """Normals and their opposites, of length one and each once."""
    out = np.concatenate([normals, -normals])
    lengths = np.linalg.norm(out, axis=1)
    out = out[lengths > 1e-9] / lengths[lengths > 1e-9, None]
    return np.asarray(np.unique(np.round(out, 6), axis=0))


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
