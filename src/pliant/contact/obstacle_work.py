"""The work that obstacles do on what they touch."""

from __future__ import annotations

from typing import Any

import numpy as np

from .barrier import BarrierContact
from .friction import BristleFriction
from .obstacle_paths import ObstaclePlaces


def obstacle_work(
    contact: BarrierContact,
    friction: BristleFriction | None,
    x: Any,
    before: ObstaclePlaces,
    now: ObstaclePlaces,
) -> np.ndarray:
    """The work [J] on each body whose points are unknown, while obstacles move from `before` to `now`.

        work = sum over contacts  (push + friction on the body) . way of the obstacle there

    Forces are those at x, the end of the step, as in backward Euler.
    """
    pairs = contact.near(x)[1]
    touch = pairs.touch(contact.placed(x))
    forces = touch.forces[:, None] * touch.normals
    every = [(pairs.stencils.numpy(), touch.weights, forces)]
    if friction is not None:
        every.append(friction.rubbing(x))
    surface = contact.surface
    count = sum(not body.given for body in surface.bodies)
    out = np.zeros(count)
    for stencils, weights, push in every:
        way = obstacle_ways(contact, x, stencils, weights, before, now)
        bodies = np.where(stencils < 0, count, surface.body[np.maximum(stencils, 0)]).min(axis=1)
        touched = bodies < count
        work = np.einsum("pd,pd->p", push, way)
        out += np.bincount(bodies[touched], work[touched], count)
    return out


def obstacle_ways(
    contact: BarrierContact,
    x: Any,
    stencils: np.ndarray,
    weights: np.ndarray,
    before: ObstaclePlaces,
    now: ObstaclePlaces,
) -> np.ndarray:
    """How far an obstacle goes from `before` to `now` where a pair touches it at x [m], (k, dim).

    Bodies that go as far keep the distances of the pairs.
    """
    surface = contact.surface
    ways = np.zeros_like(surface.rest)
    ways[surface.count :] = now.points - before.points
    used = np.where(stencils < 0, 0.0, weights)
    way = -np.einsum("pa,pad->pd", used, ways[np.maximum(stencils, 0)])
    flat = stencils[:, 1] < -1
    if flat.any():
        moves, turns = now.plane_motions(before)
        at, which = contact.placed(x).numpy()[stencils[flat, 0]], -2 - stencils[flat, 1]
        way[flat] = at - np.einsum("pij,pi->pj", turns[which], at - moves[which])
    return np.asarray(way)
