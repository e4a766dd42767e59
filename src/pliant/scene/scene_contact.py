"""How the bodies of a scene touch: what was asked for, and what it means for a run."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from pliant.backend import keeps_arrays, parallel
from pliant.bodies import Deformable
from pliant.boundary import Contact, Obstacle
from pliant.contact import ContactKeys, FrameContacts
from pliant.errors import Advice, shown, warn_user
from pliant.problem import BodyProblem, Island, Stepper

from .contacts import (
    IN_CONTACT,
    check_obstacles,
    check_stepper,
    make_contact,
    surface_of,
)
from .islands import touching_island
from .meeting import SceneMeeting
from .preparing import stays_without_contact
from .reduced_bodies import touches_nothing
from .things import TouchingThings
from .ties import Tie


class SceneContact:
    """What a scene was told about contact, and the `SceneMeeting` that follows from it.

    given: a `pl.Contact`; None, which means the same, with pairs left out that start inside of each
    other; or False: bodies touch obstacles only. passing: the numbers of pairs that were left out.
    """

    def __init__(self, given: Contact | bool | None):
        if not (given is None or given is False or isinstance(given, Contact)):
            raise TypeError(
                f"contact: got {shown(given)}; expected e.g. pl.Contact(), None or False"
            )
        self.given = given
        self.passing: frozenset[tuple[int, int]] = frozenset()
        self._meeting: tuple[Any, SceneMeeting] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_meeting": None}

    @property
    def lenient(self) -> bool:
        """Whether pairs that start inside of each other are left out, and not refused."""
        return not isinstance(self.given, Contact)

    def rule(
        self,
        bodies: Sequence[Deformable],
        obstacles: Sequence[Obstacle],
        ties: Sequence[Tie],
        stepper: Stepper,
        device: str,
    ) -> Contact | None:
        """The contact that acts in a run; None: nothing touches but obstacles, which push points.

        Refuses what an explicit one cannot be combined with.
        """
        if self.given is False and not (obstacles or ties):
            return None
        if touches_nothing(self.given, bodies, obstacles, ties):
            return None
        if isinstance(self.given, Contact):
            check_stepper(stepper)
            return _with_gap(self.given, obstacles)
        if not isinstance(stepper, IN_CONTACT):
            check_obstacles(obstacles)
            return None
        alone = parallel(device) and len(bodies) + len(obstacles) == 1
        # Without a word no body leaves its device for contact that it may never have.
        if alone or (
            keeps_arrays(device) and stays_without_contact(bodies, obstacles, ties, stepper)
        ):
            return None
        return _with_gap(_without_a_word(len(bodies) + len(obstacles) > 1), obstacles)

    def meeting(
        self,
        rule: Contact,
        bodies: Sequence[Deformable],
        prepared: Sequence[BodyProblem],
        obstacles: Sequence[Obstacle],
        ties: Sequence[Tie],
        tied: tuple[Island, ...],
    ) -> SceneMeeting:
        """Who meets whom. It is the same while nothing that it is made of has changed.

        tied: the islands of bodies that are tied.
        """
        key = (rule, tuple(prepared), tuple(obstacles), tuple(ties), self.passing)
        if self._meeting is not None and self._meeting[0] == key:
            return self._meeting[1]
        things = TouchingThings(bodies, obstacles)
        systems, passing = [each.system for each in prepared], self._passing(things, ties, rule)
        surface = surface_of(things, systems, rule, passing)
        known: Sequence[Island] = ()
        if self._meeting is not None:
            before, last = self._meeting
            same = (before[0], before[2:]) == (rule, key[2:]) and last.numbers_as(surface)
            known = last.islands if same else ()

        def apart() -> Any:
            return make_contact(things, surface, rule, systems[0])

        def island(keys: ContactKeys, numbers: tuple[int, ...]) -> Island:
            def contact() -> Any:
                if len(numbers) == len(bodies):
                    return apart()
                part = things.part(numbers), surface.part(numbers)
                return make_contact(*part, rule, systems[0], (keys, numbers))

            return touching_island(numbers, prepared, bodies, ties, contact, known, tied)

        found = SceneMeeting(things, surface, island, apart)
        self._meeting = (key, found)
        return found

    def leave_out(self, pairs: Collection[tuple[int, int]], *, cut_at: float | None = None) -> None:
        """Let pairs of numbers, which intersect, pass through each other; or refuse a start with such.

        cut_at [s]: when a cut has left them so; None: it is the start.
        """
        assert self._meeting is not None
        names = self._meeting[1].names
        told = [
            f"{names[i]!r} and {'itself' if i == j else repr(names[j])}" for i, j in sorted(pairs)
        ]
        if cut_at is not None:
            told = [
                f"two parts of {names[i]!r}" if names[i] == names[j] and i != j else text
                for text, (i, j) in zip(told, sorted(pairs), strict=True)
            ]
        listed = "; ".join(told[:5]) + ("; ..." if len(told) > 5 else "")
        if cut_at is not None:
            warn_user(
                f"{listed} intersect after the cut at {cut_at:.3g} s and pass through each other"
            )
        elif not self.lenient:
            raise ValueError(
                Advice(
                    f"Contact: {listed} intersect at the start; expected a start with nothing "
                    "inside of anything: ",
                    "scene.separate() or body.place(...), or pl.Contact(ignore=[...]) for what may pass",
                    "start = { ... }, or ignore = [[...]] in [contact] for what may pass",
                )
            )
        else:
            warn_user(
                f"{listed} intersect at the start and pass through each other; scene.separate() or "
                "body.place(...) would part them, contact=pl.Contact() would refuse them",
            )
        self.passing |= frozenset(pairs)

    def touching(
        self, bodies: Sequence[Deformable], positions: Sequence[np.ndarray], time: float
    ) -> tuple[FrameContacts | None, np.ndarray]:
        """What touches at positions of all bodies, and the barrier's energy of each [J]."""
        if self._meeting is None or not self._meeting[0][0].record:
            return None, np.zeros(len(bodies))
        return self._meeting[1].touching(positions, time)

    def begin(self, inverted: Sequence[bool]) -> None:
        """Positions were changed from outside: look again which pairs are inside of each other.

        inverted: which bodies have cells inside out. They cannot go home but through themselves.
        """
        own = frozenset((i, i) for i, inside_out in enumerate(inverted) if inside_out)
        self.passing = own if self.lenient else frozenset()

    def _passing(
        self, things: TouchingThings, ties: Sequence[Tie], rule: Contact
    ) -> frozenset[tuple[int, int]]:
        """All pairs of numbers that pass through each other."""
        bodies = things.bodies
        found = {
            (i, j) for a, b in rule.ignore for i in things.numbers(a) for j in things.numbers(b)
        }
        if self.given is False:
            found |= set(combinations_with_replacement(range(len(bodies)), 2))
        if self.lenient:
            found |= {(i, i) for i, body in enumerate(bodies) if not body.touches_itself}
            number = {id(body): i for i, body in enumerate(bodies)}
            found |= {(number[id(a)], number[id(b)]) for a, b in (tie.bodies for tie in ties)}
        return self.passing | found


@cache
def _without_a_word(record: bool) -> Contact:
    return Contact(record=record)


def _with_gap(rule: Contact, obstacles: Sequence[Obstacle]) -> Contact:
    """The same with the smallest margin that obstacles were given as gap, where it has none."""
    margins = [o.margin for o in obstacles if not o.scaled and o.margin > 0.0]
    return replace(rule, gap=min(margins)) if margins and rule.gap is None else rule
