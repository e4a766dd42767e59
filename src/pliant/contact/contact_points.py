"""Where surfaces touch: the pairs that push, and how near the nearest are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .barrier import BarrierContact
from .carried import SurfaceMap
from .pairs import Pairs, sides_of
from .pushes import barrier_energies


@dataclass(frozen=True, eq=False)
class ContactPoints:
    """Pairs that push each other. One row for each pair.

    stencils (k, 4), weights (k, 4), normals (k, dim): the distance of a pair is n . sum w_i x_i, and the
    first side is pushed along n. forces [N], (k,). first, second: numbers of bodies, planes behind them.
    carried: how the surface follows the points of bodies; None if it is made of them.
    """

    stencils: np.ndarray
    weights: np.ndarray
    normals: np.ndarray
    forces: np.ndarray
    first: np.ndarray
    second: np.ndarray
    carried: SurfaceMap | None

    def rows(self, motions: np.ndarray) -> np.ndarray:
        """How fast each pair parts in some motions (n, dim, r) of the points: (k, r)."""
        moved = of_stencils(self.stencils, self.weights, motions, self.carried)
        out: np.ndarray = np.einsum("kd,kdr->kr", self.normals, moved)
        return out

    def push(self, motions: np.ndarray) -> np.ndarray:
        """The force of all pairs along some motions (n, dim, r) of the points: (r,)."""
        return np.asarray(self.forces @ self.rows(motions))


def of_stencils(
    stencils: np.ndarray, weights: np.ndarray, motions: np.ndarray, carried: SurfaceMap | None
) -> np.ndarray:
    """The weighted sums of motions (n, dim, ...) over stencils (k, 4): (k, dim, ...)."""
    if carried is not None:
        motions = np.einsum("mc,mc...->m...", carried.weights, motions[carried.nodes])
    known = (stencils >= 0) & (stencils < len(motions))
    at, weights = np.where(known, stencils, 0), np.where(known, weights, 0.0)
    out: np.ndarray = np.einsum("ka,ka...->k...", weights, motions[at])
    return out


def contact_points(contact: BarrierContact, x: Any) -> ContactPoints:
    """The pairs of different bodies, and of bodies and obstacles, that push each other at x."""
    pairs = contact.near(x)[1]
    touch = pairs.touch(contact.placed(x))
    on = np.flatnonzero(touch.forces > 0.0)
    stencils, kinds = pairs.stencils.numpy()[on], pairs.kinds.numpy()[on]
    found = touch.weights[on], touch.normals[on], touch.forces[on]
    return ContactPoints(
        stencils, *found, *sides_of(contact.surface, stencils, kinds), contact.surface.carried
    )


def clearance(contact: BarrierContact, x: Any, counts: np.ndarray, owner: np.ndarray) -> float:
    """How far pairs that count at x are outside of the reach of each other.

    As a share of the reach: 0 where a barrier begins; inf if nothing is near. counts: a symmetric mask
    of the groups of both sides, which may be the same. owner: the group of each body, and of each plane
    behind them.
    """
    least = float("inf")
    for pairs in contact.near(x):
        first, second = _sides(contact, pairs)
        on = counts[owner[first], owner[second]]
        if on.any():
            laws = pairs.laws.numpy()[on]
            apart = pairs.touch(contact.placed(x)).distances[on] - laws[:, 0]
            least = min(least, float((apart / laws[:, 1]).min()) - 1.0)
    return least


def touching_themselves(contact: BarrierContact, x: Any, owner: np.ndarray) -> set[int]:
    """The groups of bodies that push themselves at x; owner: as of `clearance`."""
    found = set[int]()
    for pairs in contact.near(x):
        first, second = (owner[side] for side in _sides(contact, pairs))
        pushed = pairs.touch(contact.placed(x)).forces > 0.0
        found |= set(first[pushed & (first == second)].tolist())
    return found


def _sides(contact: BarrierContact, pairs: Pairs) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of both sides of pairs, planes behind bodies."""
    return sides_of(contact.surface, pairs.stencils.numpy(), pairs.kinds.numpy())


def barrier_energy(contact: BarrierContact, x: Any, bodies: np.ndarray) -> float:
    """The energy [J] of the pairs at x whose first side is one of some bodies (a mask)."""
    y, total = contact.placed(x), 0.0
    for pairs in contact.near(x):
        touch = pairs.touch(y)
        first = _sides(contact, pairs)[0]
        on = (touch.forces > 0.0) & np.isin(first, np.flatnonzero(bodies))
        laws = pairs.laws.numpy()[on]
        total += float(barrier_energies(touch.forces[on], touch.distances[on], laws).sum())
    return total
