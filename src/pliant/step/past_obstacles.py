"""Obstacles that move push what is in their way."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from pliant.contact import BarrierContact, ContactBody, ObstaclePlaces, nearest_on_triangles
from pliant.errors import SolverError
from pliant.problem import Inertia, IslandSystem
from pliant.solvers import Newton

#: How often what obstacles push may get out of their way in one step.
STAGES = 60
#: With which power of the distance the motion of one of several obstacles near a point fades.
POWER = 4
#: By how much a way is cut again that ends beside the shapes that a body can have.
SHORTER = 0.9
#: Up to this many pairs distances from triangles are exact: 20 ms.
FEW_PAIRS = 200_000
#: Of how many of its points a point follows an obstacle that deforms.
NEAREST = 3
#: An obstacle whose points are moved otherwise by less than this share of its size is not deformed.
STRAIGHT = 1e-9
#: A stage in which obstacles go less than this share of what is left has come to nothing; after so many
#: in a row there is no room.
NOTHING, MOST_IN_VAIN = 1e-3, 8


def past_obstacles(
    system: IslandSystem, x: np.ndarray, y: np.ndarray, load: Any, time: float, dt: float
) -> np.ndarray:
    """Positions at which nothing touches, with obstacles where they are at `time` [s].

    These are y if bodies can go there from x, and obstacles their ways, without that anything touches.
    Otherwise bodies that an obstacle meets are carried along with it as far as nothing touches, and are
    given the time dt [s] to get out of the way, and so on; all others stay at x.
    """
    contact, array = system.contact, system.assembly.array
    assert contact is not None and contact.paths is not None
    now, goal = contact.paths.at(time - dt), contact.paths.at(time)
    contact.aim(*now.ends)
    if contact.obstacle_limit(array(x), *goal.ends, dx=array(y - x)) >= 1.0:
        contact.aim(*goal.ends)
        return y
    inertia, found, met, in_vain = Inertia(1.0 / dt**2, y), x, set[int](), 0
    for _ in range(STAGES):
        to, met = _carried(contact, array, found, now, goal, met)
        to[system.pinned] = found[system.pinned]
        to = np.asarray(system.nearest(to))
        share = contact.obstacle_limit(array(found), *goal.ends, dx=array(to - found))
        if share >= 1.0:
            contact.aim(*goal.ends)
            return to
        found, now, share = _part_of_way(system, found, to, now, goal, share)
        contact.aim(*now.ends)
        in_vain = in_vain + 1 if share < NOTHING else 0
        if in_vain > MOST_IN_VAIN:
            break
        objective = system.objective(inertia, load, system.unrestricted)
        found, _ = system.minimise(Newton(relative=0.1), objective, found)
    raise SolverError(_pinched(contact, array(found), goal, time))


def _part_of_way(
    system: IslandSystem,
    x: np.ndarray,
    to: np.ndarray,
    now: ObstaclePlaces,
    goal: ObstaclePlaces,
    share: float,
) -> tuple[np.ndarray, ObstaclePlaces, float]:
    """Bodies and obstacles after a share of their ways, and the share, at which nothing touches.

    Bodies that move in few coordinates are then a little beside the straight way: it is cut again.
    """
    contact, array = system.contact, system.assembly.array
    assert contact is not None
    while True:
        there, then = system.nearest(x + share * (to - x)), now.towards(goal, share)
        how = {"dx": array(there - x)}
        if system.curved is None or contact.obstacle_limit(array(x), *then.ends, **how) >= 1.0:
            return there, then, share
        share *= SHORTER


def _carried(
    contact: BarrierContact,
    array: Any,
    x: np.ndarray,
    now: ObstaclePlaces,
    goal: ObstaclePlaces,
    met: Collection[int],
) -> tuple[np.ndarray, set[int]]:
    """Positions x with bodies that obstacles meet moved as these are; and the numbers of such bodies.

    met: those that are known already. A body that is met by one that is carried is carried as well.
    """
    count = sum(not body.given for body in contact.surface.bodies)
    unknowns = contact.surface.unknowns
    body, carried = np.repeat(np.arange(len(unknowns)), unknowns), set(met)
    ways = _ways(contact, x, now, goal)
    while True:
        to: np.ndarray = np.where(np.isin(body, sorted(carried))[:, None], x + ways, x)
        hits = contact.obstacle_hits(array(x), *goal.ends, dx=array(to - x))
        driven = (hits >= count) | np.isin(hits, sorted(carried))
        new = {int(k) for k in hits[driven.any(axis=1)].ravel() if k < count} - carried
        if not new:
            return to, carried
        carried |= new


def _ways(
    contact: BarrierContact, x: np.ndarray, now: ObstaclePlaces, goal: ObstaclePlaces
) -> np.ndarray:
    """How points x would go with the obstacles near them, (n, dim) [m]. Source: [shepard1968].

    Those that stand still count: what lies on them is pressed together, and not pushed into them.
    """
    ways, weights = np.zeros_like(x), np.zeros(len(x))
    for far, way in _drivers(contact, x, now, goal):
        weight = 1.0 / np.maximum(far, 1e-12) ** POWER
        ways += weight[:, None] * way
        weights += weight
    out: np.ndarray = ways / np.maximum(weights, 1e-300)[:, None]
    return out


def _drivers(
    contact: BarrierContact, x: np.ndarray, now: ObstaclePlaces, goal: ObstaclePlaces
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For every obstacle: distances (n,) of points x from it, and ways (n, dim) to go with it."""
    surface, ways = contact.surface, goal.points - now.points
    for k, body in enumerate(surface.bodies):
        own = np.flatnonzero(surface.body == k) - surface.count
        if body.given:
            points = now.points[own]
            yield _distance(body, x, points), _with_points(x, points, ways[own])
    for move, turn, p, n in zip(*goal.plane_motions(now), now.origins, now.normals, strict=True):
        yield np.abs((x - p) @ n), x @ turn.T + move - x


def _with_points(x: np.ndarray, points: np.ndarray, ways: np.ndarray) -> np.ndarray:
    """How x would go with points: as all of them do, or as the nearest."""
    middle, mean = points.mean(axis=0), ways.mean(axis=0)
    fit = np.linalg.lstsq(points - middle, ways - mean, rcond=None)[0]
    left = ways - mean - (points - middle) @ fit
    if np.abs(left).max() <= STRAIGHT * float(np.ptp(points, axis=0).max(initial=0.0)):
        return np.asarray(mean + (x - middle) @ fit)
    far, at = cKDTree(points).query(x, k=list(range(1, min(NEAREST, len(points)) + 1)))
    weight = 1.0 / np.maximum(far, 1e-12) ** 2
    weight /= weight.sum(axis=1, keepdims=True)
    return np.asarray(np.einsum("pk,pkd->pd", weight, ways[at]))


def _distance(body: ContactBody, x: np.ndarray, points: np.ndarray) -> np.ndarray:
    """How far points x are from an obstacle [m]; from a large mesh, how far from its points."""
    if 0 < len(body.triangles) * len(x) <= FEW_PAIRS:
        return nearest_on_triangles(x, points, body.triangles)[0]
    if len(points) > 2:
        return np.asarray(cKDTree(points).query(x)[0])
    along = points[-1] - points[0]
    share = np.clip((x - points[0]) @ along / max(float(along @ along), 1e-300), 0.0, 1.0)
    far = np.linalg.norm(x - points[0] - share[:, None] * along, axis=1)
    return np.asarray(np.maximum(far - float(np.max(body.radius)), 0.0))


def _pinched(contact: BarrierContact, x: Any, goal: ObstaclePlaces, time: float) -> str:
    """What is said of obstacles that would have to go through something."""
    hits, names = contact.obstacle_hits(x, *goal.ends), contact.surface.names
    count = sum(not body.given for body in contact.surface.bodies)
    hits = hits[(hits >= count).any(axis=1)]
    obstacles, bodies = (
        ", ".join(sorted({repr(names[k]) for k in hits[mask].tolist()}))
        for mask in (hits >= count, hits < count)
    )
    return (
        f"t = {time:.6g} s: obstacle {obstacles} runs into {bodies}, which cannot get out of its way; "
        "expected a path with room for what is between, or a slower one"
    )
