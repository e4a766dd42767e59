"""Which bodies make a step together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pliant.backend import parallel
from pliant.control import LandingStage, LandingState, Settle
from pliant.mesh import connected
from pliant.problem import BodyProblem, Meeting, Problem, State

from .implicit import Implicit


@dataclass(frozen=True)
class Group:
    """Bodies, by their numbers, that make a step as one; touches: with what keeps surfaces apart."""

    numbers: tuple[int, ...]
    touches: bool = False


def groups_before(problem: Problem, states: Sequence[State], time: float, dt: float) -> list[Group]:
    """Who goes together at the start of a step: what is tied, near something, or settles on it.

    Those that would fly into what touches something already go with it from the start: the step need
    not be made again.
    """
    count = len(problem.bodies)
    tied = [
        Group(island.numbers, _lands_tied(problem, island.numbers)) for island in problem.islands
    ]
    alone = sorted(set(range(count)).difference(*(group.numbers for group in tied)))
    groups = [*tied, *(Group((i,), _has_landed(states[i])) for i in alone)]
    meeting = problem.meeting
    if meeting is None or _all_touch(groups):
        return groups
    if parallel(problem.systems[0].device):  # one island has all arrays there
        return [Group(tuple(range(count)), True)]
    places = positions(problem, states)
    groups = _linked(groups, meeting.pairs(places, time), count)
    touching = {i for g in groups if g.touches for i in g.numbers}
    if len(groups) == 1 or not touching:
        return groups
    if any(
        may_land(problem, body) for body in problem.bodies
    ):  # which touch nothing while they fly
        return groups
    ways = [body.system.to_host(own.v) for body, own in zip(problem.bodies, states, strict=True)]
    ahead = [x + dt * v for x, v in zip(places, ways, strict=True)]
    met = meeting.pairs(places, time + dt, ahead)
    # Who meets whom does not depend on third ones that touch something far away.
    chosen = (met < count).all(axis=1) & np.isin(met, list(touching)).any(axis=1)
    return _linked(groups, met[chosen], count)


def groups_after(
    groups: Sequence[Group],
    problem: Problem,
    before: Sequence[State],
    after: Sequence[State],
    time: float,
) -> list[Group]:
    """The groups that are needed if bodies go from one place to the other; the same if these do."""
    if problem.meeting is None or _all_touch(groups):
        return list(groups)
    places = [positions(problem, states) for states in (before, after)]
    return _linked(groups, problem.meeting.pairs(places[0], time, places[1]), len(problem.bodies))


def positions(problem: Problem, states: Sequence[State]) -> list[np.ndarray]:
    """Of all bodies [m], (n, d)."""
    pairs = zip(problem.bodies, states, strict=True)
    return [body.system.to_host(own.x) for body, own in pairs]


def may_land(problem: Problem, body: BodyProblem) -> bool:
    """Whether a body is to rest on cue where it may touch something."""
    lands = problem.meeting is not None and problem.meeting.lands
    return lands and isinstance(body.damping, Settle) and isinstance(problem.stepper, Implicit)


def _all_touch(groups: Sequence[Group]) -> bool:
    """Whether all bodies are one group that touches something: none can be added."""
    return len(groups) == 1 and groups[0].touches


def _linked(groups: Sequence[Group], pairs: np.ndarray, count: int) -> list[Group]:
    """Groups joined where bodies are near each other. What is near anything touches."""
    if not len(pairs):
        return list(groups)
    label, touched = np.empty(count, dtype=np.int64), {int(i) for i in pairs.ravel() if i < count}
    for k, group in enumerate(groups):
        label[list(group.numbers)] = k
    both = pairs[(pairs < count).all(axis=1)]
    joined = connected(label[both[:, 0]], label[both[:, 1]], len(groups))
    found = []
    for one in dict.fromkeys(joined.tolist()):
        own = [group for group, other in zip(groups, joined, strict=True) if other == one]
        numbers = sorted(i for group in own for i in group.numbers)
        touches = any(group.touches for group in own) or not touched.isdisjoint(numbers)
        found.append(Group(tuple(numbers), touches))
    return found


def _has_landed(state: State) -> bool:
    control = state.control
    return isinstance(control, LandingState) and control.stage is not LandingStage.FLIGHT


def _lands_tied(problem: Problem, numbers: Sequence[int]) -> bool:
    """Whether tied bodies may touch something under a law: they fly as members of what touches."""
    meeting: Meeting | None = problem.meeting
    bodies = [problem.bodies[i] for i in numbers]
    return meeting is not None and meeting.lands and any(body.damping.controlled for body in bodies)
