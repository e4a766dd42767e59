"""Bodies that are tied together are one member of an island: they fly, land and rest as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pliant.control import LandingState, Settle
from pliant.problem import (
    BodyProblem,
    Damping,
    Inertia,
    Island,
    IslandControl,
    IslandDamping,
    IslandInertia,
    IslandSystem,
    Undamped,
)


def wish_of(dampings: Sequence[Damping]) -> Settle | None:
    """The wish of bodies that are tied: the one that takes longest; None if none has one."""
    wishes = [d for d in dampings if isinstance(d, Settle)]
    return max(wishes, key=lambda wish: wish.rest_in, default=None)


def wishing(problem: BodyProblem, wish: Settle) -> BodyProblem:
    """The same body, or tied bodies, with another wish.

    Tied bodies of which one moves in few coordinates fly as if nothing were wished: the law of `Settle`
    in flight is for the strain of all their cells.
    """
    system = problem.system
    if not isinstance(system, IslandSystem):
        return replace(problem, damping=wish)
    if system.confined:
        return replace(problem, damping=IslandDamping(system, [Undamped() for _ in system.members]))
    return replace(problem, damping=IslandDamping(system, [wish] * len(system.members)))


def joined_landing(states: Sequence[LandingState]) -> LandingState:
    """What is known of tied bodies as one."""
    each = zip(*(s.places for s in states), strict=True)
    joined = [None if any(x is None for x in row) else np.concatenate(row) for row in each]
    flight = IslandControl(tuple(s.flight for s in states))
    return replace(states[0], flight=flight).placed(joined)


def split_landing(land: LandingState, spans: Sequence[slice]) -> list[LandingState]:
    """What is known of each of several tied bodies; spans: their points."""
    flight, out = land.flight, []
    for k, own in enumerate(spans):
        part = flight.members[k] if isinstance(flight, IslandControl) else None
        places = [None if x is None else x[own] for x in land.places]
        out.append(replace(land, flight=part).placed(places))
    return out


def per_body(inertia: Inertia, cluster: Island | None) -> Sequence[Inertia]:
    """The inertia of tied bodies as that of each; of a body that is not tied, its own."""
    if cluster is None:
        return [inertia]
    if isinstance(inertia, IslandInertia):
        return list(inertia.members)
    return [Inertia(inertia.weight, inertia.anchor[own]) for own, _ in cluster.system.members]
