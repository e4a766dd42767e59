"""The work that obstacles do on what they touch."""

from __future__ import annotations

from typing import Any

import numpy as np

from .barrier import BarrierContact
from .closest import POINT_PLANE
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
    y = contact.placed(x)
    pairs = contact.near(x)[1]
    touch = pairs.touch(y)
    forces = touch.forces[:, None] * touch.normals
    every = [(pairs.stencils.numpy(), pairs.kinds.numpy(), touch.weights, forces)]
    if friction is not None:
        every.append(friction.rubbing(x))
    surface = contact.surface
    count = sum(not body.given for body in surface.bodies)
    ways = np.zeros_like(surface.rest)
    ways[surface.count :] = now.points - before.points
    moves, turns = now.plane_motions(before)
    places, out = y.numpy(), np.zeros(count)
    for stencils, kinds, weights, push in every:
        used = np.where(stencils < 0, 0.0, weights)
        way = -np.einsum("pa,pad->pd", used, ways[np.maximum(stencils, 0)])
        flat = kinds == POINT_PLANE
        if flat.any():
            at, which = places[stencils[flat, 0]], -2 - stencils[flat, 1]
            way[flat] = at - np.einsum("pij,pi->pj", turns[which], at - moves[which])
        bodies = np.where(stencils < 0, count, surface.body[np.maximum(stencils, 0)]).min(axis=1)
        touched = bodies < count
        work = np.einsum("pd,pd->p", push, way)
        out += np.bincount(bodies[touched], work[touched], count)
    return out
