"""Where surfaces touch: the pairs that push, and how near the nearest are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .barrier import BarrierContact
from .closest import EDGE_EDGE, POINT_PLANE


@dataclass(frozen=True, eq=False)
class ContactPoints:
    """Pairs that push each other. One row for each pair.

    stencils (k, 4), weights (k, 4), normals (k, dim): the distance of a pair is n . sum w_i x_i, and the
    first side is pushed along n. forces [N], (k,). first, second: numbers of bodies, planes behind them.
    """

    stencils: np.ndarray
    weights: np.ndarray
    normals: np.ndarray
    forces: np.ndarray
    first: np.ndarray
    second: np.ndarray

    def rows(self, motions: np.ndarray) -> np.ndarray:
        """How fast each pair parts in some motions (n, dim, r) of the points: (k, r)."""
        known = (self.stencils >= 0) & (self.stencils < len(motions))
        at = np.where(known, self.stencils, 0)
        weights = np.where(known, self.weights, 0.0)
        out: np.ndarray = np.einsum("ka,kd,kadr->kr", weights, self.normals, motions[at])
        return out

    def gradient(self, count: int) -> np.ndarray:
        """The force on all points [N], (count, dim)."""
        out = np.zeros((count, self.normals.shape[1]))
        known = (self.stencils >= 0) & (self.stencils < count)
        pushes = self.forces[:, None, None] * self.weights[:, :, None] * self.normals[:, None, :]
        np.add.at(out, self.stencils[known], pushes[known])
        return out


def contact_points(contact: BarrierContact, x: Any) -> ContactPoints:
    """The pairs of different bodies, and of bodies and obstacles, that push each other at x."""
    pairs = contact.near(x)[1]
    touch = pairs.touch(contact.placed(x))
    on = np.flatnonzero(touch.forces > 0.0)
    stencils, kinds = pairs.stencils.numpy()[on], pairs.kinds.numpy()[on]
    found = touch.weights[on], touch.normals[on], touch.forces[on]
    return ContactPoints(stencils, *found, *_sides(contact, stencils, kinds))


def clearance(contact: BarrierContact, x: Any, bodies: np.ndarray) -> float:
    """How far some bodies (a mask) at x are outside of the reach of what they could touch.

    As a share of the reach: 0 where a barrier begins; inf if nothing is near.
    """
    pairs = contact.near(x)[1]
    stencils, kinds = pairs.stencils.numpy(), pairs.kinds.numpy()
    first, second = _sides(contact, stencils, kinds)
    known = np.zeros(len(contact.surface.bodies) + len(contact.surface.planes[0]), dtype=bool)
    known[: len(bodies)] = bodies
    on = known[first] | known[second]
    if not on.any():
        return float("inf")
    laws = pairs.laws.numpy()[on]
    apart = pairs.touch(contact.placed(x)).distances[on] - laws[:, 0]
    return float((apart / laws[:, 1]).min()) - 1.0


def _sides(
    contact: BarrierContact, stencils: np.ndarray, kinds: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of the bodies on both sides of pairs; planes come behind bodies."""
    body, bodies = contact.surface.body, len(contact.surface.bodies)
    other = np.where(kinds == EDGE_EDGE, stencils[:, 2], stencils[:, 1])
    plane = bodies - 2 - stencils[:, 1]
    return body[stencils[:, 0]], np.where(kinds == POINT_PLANE, plane, body[np.maximum(other, 0)])
