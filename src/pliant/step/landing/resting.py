"""Where bodies that touch will rest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.errors import SolverError
from pliant.problem import Inertia, MotionInertia
from pliant.solvers import Newton

from ..past_obstacles import past_obstacles
from .frame import Frame
from .member import Member
from .open_motions import (
    OpenMotions,
    inside,
    open_motions,
    open_translations,
    orthonormal,
    rigid_motions,
)

#: How firmly bodies are held that others must not move, over the rate of elastic waves.
FIRM = 1e6
#: The same for motions that are open while the rest shape is sought, and for all others.
HELD, LOOSE = 1e2, 1e-9
#: How much more a contact that sticks counts than all else where a rest shape is put.
STUCK = 1e2
#: Newton iterations of one search for a rest shape, which may end before it is there.
MOST_ITERATIONS = 60
#: Rounds in which the rest shape and what is open there must agree.
ROUNDS = 3
#: The descent to a rest shape: its steps, the first and the last weight over the rate of elastic waves,
#: and the lengths of a step, over the size of a body, that change the weight or end it. The last weight
#: is no larger than that with which loads move the body by LONG: thin stiff plates have fast waves.
MOST_STEPS, FIRST, LAST = 60, 0.1, 1e-4
LONG, SHORT, NONE = 0.2, 0.02, 1e-4

Group = Sequence[Member]


def rest_shapes(
    frame: Frame, groups: Sequence[Group], load: Any, h: float
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Where groups of bodies will rest, (n, d), and of each the motions that are open, (r, n, d).

    That is the equilibrium with contact and with friction as it is now. Along what is open it follows
    the bodies.
    """
    settling, way = [m for group in groups for m in group], h * frame.v
    known = _known_rest(frame, settling, load)
    found = None if known is None else _agreed(frame, groups, known, load, way)
    if found is None:
        rest = _descended(frame, settling, load)
        found = _agreed(frame, groups, rest, load, way) or (rest, _free(frame, groups, rest, way))
    for m in settling:
        m.land = replace(m.land, rest=found[0][m.own])
    return found


def _agreed(
    frame: Frame, groups: Sequence[Group], rest: np.ndarray, load: Any, way: np.ndarray
) -> tuple[np.ndarray, list[np.ndarray]] | None:
    """The rest shape that goes with what is open there, and those motions; begins at `rest`.

    None if friction would hold bodies where more is open than at `rest`: on an edge, say, that they
    would fall over. That is no place to rest.
    """
    settling = [m for group in groups for m in group]
    free: list[np.ndarray] = []
    for _ in range(ROUNDS):
        opens = [open_motions(frame, group, rest, way) for group in groups]
        free = _motions(frame, groups, [o.free for o in opens], frame.here)
        begin = frame.system.reach(rest, _followed(frame, groups, opens, rest))
        held = _motions(frame, groups, [o.free if o.lies else o.slides for o in opens], begin)
        sticks = all(o.lies and not o.moves for o in opens)
        rest = _equilibrium(frame, settling, held, load, begin, sticks)
        again = [open_motions(frame, group, rest, way) for group in groups]
        pairs = list(zip(opens, again, strict=True))
        if any(o.lies and a.slides.shape[1] > o.slides.shape[1] for o, a in pairs):
            return None
        if all(a.free.shape == o.free.shape for o, a in pairs):
            break
    return rest, free


def _free(
    frame: Frame, groups: Sequence[Group], rest: np.ndarray, way: np.ndarray
) -> list[np.ndarray]:
    """The motions of each group that are open at a rest shape."""
    found = [open_motions(frame, group, rest, way).free for group in groups]
    return _motions(frame, groups, found, frame.here)


def _known_rest(frame: Frame, settling: Group, load: Any) -> np.ndarray | None:
    """Where bodies were to rest, carried along with what they touch; None if that is not known."""
    if any(m.land.rest is None for m in settling):
        return None
    rest: np.ndarray = frame.here.copy()
    before, pinned = frame.x, frame.system.pinned
    for m in settling:
        goal = m.land.rest
        assert goal is not None
        before[m.own] = goal
        rest[m.own] = (
            m.carried(goal, frame.rates[m.number], 1.0) if m.number in frame.rates else goal
        )
    before[pinned] = frame.x[pinned]
    rest[pinned] = frame.here[pinned]
    if not frame.system.meets_moving:
        return rest
    try:
        return past_obstacles(frame.system, before, rest, load, frame.time + frame.h, frame.h)
    except SolverError:  # obstacles are where it was to rest
        frame.contact.aim_at(frame.time + frame.h)
        return None


def _motions(
    frame: Frame, groups: Sequence[Group], shares: Sequence[np.ndarray], x: np.ndarray
) -> list[np.ndarray]:
    """The motions at x that are combinations of the rigid motions of each group, M-orthonormal."""
    pairs = zip(groups, shares, strict=True)
    return [orthonormal(frame, rigid_motions(frame, group, x) @ share) for group, share in pairs]


def _followed(
    frame: Frame, groups: Sequence[Group], opens: Sequence[OpenMotions], rest: np.ndarray
) -> np.ndarray:
    """A rest shape moved along what is open to where the bodies are: to contacts that stick, if any."""
    x, rest = frame.here, rest.copy()
    for group, o in zip(groups, opens, strict=True):
        share = o.free if o.lies else o.slides
        if not share.shape[1]:
            continue
        R, root = rigid_motions(frame, group, x) @ share, np.sqrt(frame.masses)
        rows = [(root[:, :, None] * R).reshape(-1, R.shape[2])]
        wanted = [(root * (x - rest) * inside(frame, group)).ravel()]
        if not o.lies:
            firm = STUCK * math.sqrt(float(frame.masses.sum()))
            rows.append(firm * o.slips[:, :-1])
            wanted.append(firm * o.slips[:, -1])
        amounts = np.linalg.lstsq(np.concatenate(rows), np.concatenate(wanted), rcond=None)[0]
        along = R @ amounts
        for m in group:
            rates = m.rates(along[m.own], x[m.own])
            rest[m.own] = m.carried(rest[m.own], rates, 1.0)
    return rest


def _equilibrium(
    frame: Frame,
    settling: Group,
    held: Sequence[np.ndarray],
    load: Any,
    start: np.ndarray,
    sticks: bool,
) -> np.ndarray:
    """The equilibrium next to `start`, at which motions are held; as near as the search comes to it.

    What sticks keeps its friction. What slides has none where it has come to rest.
    """
    rubs = frame.rubs(frame.x if sticks else start, start, straight=not sticks)
    inertia = _holding(frame, settling, LOOSE * _rate(frame), held, start, rubs)
    return _searched(frame, inertia, load, start, 1e-8)


def _descended(frame: Frame, settling: Group, load: Any) -> np.ndarray:
    """Where bodies go without inertia, turning over if they must.

    Translations that are open are held: friction holds them, or else they may have no end.
    """
    x, rate = frame.x, _rate(frame)
    y, weight, size = frame.here, FIRST * rate, min(m.system.size for m in settling)
    pulls = [float(np.linalg.norm(m.acceleration(frame.time + frame.h))) for m in settling]
    last = min([LAST * rate, *(a / (LONG * size) for a in pulls if a > 0.0)])
    for _ in range(MOST_STEPS):
        rubs = frame.rubs(x, y)
        held = [] if rubs else [open_translations(frame, m, y) for m in settling]
        inertia = _holding(frame, settling, weight, held, y, rubs)
        new = _searched(frame, inertia, load, y, 1e-6)
        way, y = float(np.abs(new - y).max()) / size, new
        if way < SHORT and weight > last:
            weight *= 0.25
        elif way < NONE:
            break
        elif way > LONG:
            weight *= 2.0
    return y


def _holding(
    frame: Frame,
    settling: Group,
    weight: float,
    held: Sequence[np.ndarray],
    at: np.ndarray,
    rubs: Sequence[Any],
) -> Inertia:
    """Bodies held where they are: those that settle with a weight; some motions, and others, firmly."""
    numbers, rate = {m.number for m in settling}, _rate(frame)
    each = [
        Inertia(weight if m.number in numbers else FIRM * rate, at[m.own]) for m in frame.members
    ]
    motions = tuple(MotionInertia(frame.masses * Q, at, HELD * rate) for Q in held if len(Q))
    return replace(frame.inertia(each, (), rubs), motions=motions)


def _searched(
    frame: Frame, inertia: Inertia, load: Any, start: np.ndarray, tolerance: float
) -> np.ndarray:
    newton = Newton(tolerance=tolerance, iterations=MOST_ITERATIONS)
    everything = frame.system.unrestricted
    return frame.search(newton, inertia, load, everything, start, start)[0]


def _rate(frame: Frame) -> float:
    return max(m.rate for m in frame.members)
