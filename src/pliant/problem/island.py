"""Bodies that are tied together, or touch, make their steps as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pliant.backend import joined
from pliant.contact import Bristles, BristlesOfOne, IslandBristles

from .damping import Damping, Undamped
from .filter import VelocityFilter
from .history import IslandHistory
from .island_damping import IslandControl, IslandDamping
from .island_loads import IslandLoads
from .island_system import IslandSystem
from .loads import Loads
from .problem import BodyProblem
from .rest import Rest
from .state import Guess, Past, State


@dataclass(frozen=True, eq=False)
class Island:
    """Some bodies of a scene, by their numbers, and what a step of all of them together is about.

    tied: of an island of bodies that touch, those that are tied together, without contact; their numbers
    are those in the island.
    """

    numbers: tuple[int, ...]
    bodies: tuple[BodyProblem, ...]
    problem: BodyProblem
    tied: tuple[Island, ...] = ()

    @classmethod
    def of(
        cls, numbers: Sequence[int], bodies: Sequence[BodyProblem], system: IslandSystem
    ) -> Island:
        """The island of bodies that were prepared together."""
        # Dampings of velocities act on each body after the step.
        own: list[Damping] = [
            Undamped() if isinstance(b.damping, VelocityFilter) else b.damping for b in bodies
        ]
        name = " and ".join(b.name for b in bodies)
        whole = BodyProblem(name, system, IslandDamping(system, own), bodies[0].obstacles)
        return cls(tuple(numbers), tuple(bodies), whole)

    @property
    def system(self) -> IslandSystem:
        """All bodies, prepared as one."""
        system = self.problem.system
        assert isinstance(system, IslandSystem)
        return system

    @property
    def lands(self) -> bool:
        """Whether bodies touch, and one of them is to rest on cue."""
        return self.system.contact is not None and self.problem.damping.controlled

    def loads(self, members: Sequence[Loads]) -> Any:
        """What acts on all of them."""
        pairs = zip(members, self.system.members, strict=True)
        points = [
            loads if system.confinement is None else loads.where(np.asarray(loads.x))
            for loads, (_, system) in pairs
        ]
        return IslandLoads(self.system, tuple(points))

    def merged(self, states: Sequence[State]) -> State:
        """One state of the points of all bodies, on a device if all of them are there."""
        states = [
            s.spread(state) for state, (_, s) in zip(states, self.system.members, strict=True)
        ]
        pairs = list(zip(states, self.system.members, strict=True))
        if not all(s.resident and not s.spaces.of(state.x).on_host for state, (_, s) in pairs):
            states = [state.to_host(system) for state, (_, system) in pairs]
        first = states[0]
        guesses = [state.guess for state in states]
        known = {id(guess.solver) for guess in guesses}
        return State(
            x=joined([s.x for s in states]),
            v=joined([s.v for s in states]),
            drift=_together([s.drift for s in states]),
            rest=_one_rest([s.rest for s in states]),
            control=IslandControl(tuple(s.control for s in states), self.bristles(states)),
            past=_one_past([s.past for s in states]),
            history=IslandHistory(tuple(s.history for s in states)),
            hinges=first.hinges,
            stepper=first.stepper,
            guess=Guess(
                _together([g.correction for g in guesses]),
                _together([g.trend for g in guesses]),
                first.guess.dt,
                first.guess.solver if len(known) == 1 else None,
            ),
        )

    def split(self, whole: State, before: Sequence[State], loads: Sequence[Loads]) -> list[State]:
        """The states of the bodies after a step of all of them."""
        control, history, found = whole.control, whole.history, []
        assert isinstance(history, IslandHistory)
        bristles = self._divided(control)
        for k, (own, system) in enumerate(self.system.members):
            guess = whole.guess
            found.append(
                replace(
                    before[k],
                    x=whole.x[own],
                    v=whole.v[own],
                    drift=_of(whole.drift, own),
                    rest=None if whole.rest is None else _rest_of(whole.rest, own, loads[k].matter),
                    control=control.members[k] if isinstance(control, IslandControl) else None,
                    past=_past_of(whole.past, own),
                    history=history.members[k],
                    hinges=whole.hinges,
                    bristles=bristles[k],
                    guess=replace(
                        guess,
                        correction=_of(guess.correction, own),
                        trend=_of(guess.trend, own),
                        curve=None,
                    ),
                )
            )
            found[k] = system.gathered(found[k])
        return found

    def bristles(self, states: Sequence[State]) -> Bristles | None:
        """The bristles of all bodies."""
        known = [s.bristles for s in states if s.bristles is not None]
        shared = [b for b in known if isinstance(b, BristlesOfOne)]
        places = [b.number for b in shared if b.island is shared[0].island]
        if shared and places == list(range(len(states))) == list(range(shared[0].island.count)):
            return shared[0].island.whole  # as the last step has left them
        friction = self.system.friction
        if not known or friction is None:
            return None
        return friction.joined([b.to_host() for b in known])

    def _divided(self, control: Any) -> Sequence[Bristles | BristlesOfOne | None]:
        """The bristles of each body."""
        friction = self.system.friction
        if friction is None or not isinstance(control, IslandControl) or control.bristles is None:
            return [None] * len(self.bodies)
        if not self.system.resident:
            return friction.divided(control.bristles)
        shared = IslandBristles(control.bristles, len(self.bodies), friction.divided)
        return [BristlesOfOne(shared, k) for k in range(len(self.bodies))]


def _together(arrays: Sequence[Any]) -> Any:
    return None if any(a is None for a in arrays) else joined(arrays)


def _of(array: Any, own: slice) -> Any:
    return None if array is None else array[own]


def _one_past(pasts: Sequence[Past | None]) -> Past | None:
    known = [past for past in pasts if past is not None]
    if len(known) < len(pasts) or len({(past.dt, past.reached) for past in known}) > 1:
        return None
    x, v = (np.concatenate([getattr(past, name) for past in known]) for name in ("x", "v"))
    return Past(x, v, known[0].dt, known[0].reached)


def _past_of(past: Past | None, own: slice) -> Past | None:
    return None if past is None else replace(past, x=past.x[own], v=past.v[own])


def _one_rest(rests: Sequence[Rest | None]) -> Rest | None:
    known = [rest for rest in rests if rest is not None]
    if len(known) < len(rests):
        return None
    matter = [rest.matter for rest in known if rest.matter is not None]
    return Rest(
        np.concatenate([rest.x for rest in known]),
        np.concatenate([rest.bounds for rest in known]),
        _together([rest.load for rest in known]),
        np.concatenate(matter) if matter else None,
        known[0].shift,
    )


def _rest_of(rest: Rest, own: slice, matter: Any) -> Rest:
    return Rest(rest.x[own], rest.bounds[own], _of(rest.load, own), matter, rest.shift)
