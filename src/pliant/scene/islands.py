"""Bodies of a scene that make their steps as one: those that are tied, and those that touch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.bodies import Deformable
from pliant.contact import BarrierContact, BristleFriction
from pliant.control import Settle
from pliant.mesh import connected
from pliant.problem import BodyProblem, Island, IslandSystem

from .ties import Tie

#: Makes what keeps bodies apart, and friction.
ContactMaker = Callable[[], tuple[BarrierContact, BristleFriction]]


def make_islands(
    bodies: Sequence[Deformable],
    prepared: Sequence[BodyProblem],
    ties: Sequence[Tie],
    known: Sequence[Island] = (),
) -> tuple[Island, ...]:
    """The islands of bodies that are tied. Those that have not changed are taken from `known`."""
    if not ties:
        return ()
    number = {id(body): i for i, body in enumerate(bodies)}
    pairs = np.array([[number[id(body)] for body in tie.bodies] for tie in ties])
    label = connected(pairs[:, 0], pairs[:, 1], len(bodies))
    found = []
    for part in np.unique(label[pairs]):
        numbers = np.flatnonzero(label == part).tolist()
        own = [prepared[i] for i in numbers]
        same = [i for i in known if i.bodies == tuple(own)]
        found.append(same[0] if same else _island(numbers, own, bodies, ties, known))
    return tuple(found)


def touching_island(
    numbers: Sequence[int],
    prepared: Sequence[BodyProblem],
    bodies: Sequence[Deformable],
    ties: Sequence[Tie],
    contact: ContactMaker,
    known: Sequence[Island],
    tied: Sequence[Island],
) -> Island:
    """The island of some bodies, which may touch; known: islands of the same scene and contact.

    tied: those of bodies that are tied, without contact, of the whole scene.
    """
    own, place = [prepared[i] for i in numbers], {i: k for k, i in enumerate(numbers)}
    mine = [
        replace(island, numbers=tuple(place[i] for i in island.numbers))
        for island in tied
        if island.numbers[0] in place
    ]
    return replace(_island(numbers, own, bodies, ties, known, contact), tied=tuple(mine))


def _island(
    numbers: Sequence[int],
    own: Sequence[BodyProblem],
    bodies: Sequence[Deformable],
    ties: Sequence[Tie],
    known: Sequence[Island],
    contact: ContactMaker | None = None,
) -> Island:
    for problem in own if ties else ():
        if isinstance(problem.damping, Settle) and problem.damping.law == "first-mode":
            raise ValueError(
                f'{problem.name}: got law="first-mode" for a body that is tied to another; expected '
                'law="every-shape": the modes of tied bodies are not their own'
            )
    at = {id(bodies[i]): k for k, i in enumerate(numbers)}
    mine = [tie for tie in ties if id(tie.bodies[0]) in at]

    def energies(firsts: Sequence[int], points: np.ndarray) -> list[Any]:
        made: list[Any] = []
        for tie in mine:
            a, b = (firsts[at[id(body)]] for body in tie.bodies)
            made += tie.energies((a, b), points)
        return made

    systems = [problem.system for problem in own]
    for island in known:  # another damping needs no other energies
        if [system for _, system in island.system.members] == systems:
            return Island.of(numbers, own, island.system)
    swing = all(problem.damping.swing for problem in own)
    labels = [bodies[i].components for i in numbers]
    barrier, friction = (None, None) if contact is None else contact()
    system = IslandSystem(
        systems, labels, energies, contact=barrier, friction=friction, swing=swing
    )
    return Island.of(numbers, own, system)
