"""Bodies that touch nothing: each makes steps by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pliant.contact import clearance
from pliant.control import LandingStage, Settle
from pliant.problem import State, Stepper
from pliant.solvers import Report

from ..own_stepper import own_stepper
from .clusters import wishing
from .frame import Frame
from .member import Member
from .supports import moving_obstacles, newly_met

#: A body has touched when it is nearer than the gap by this share of it.
TOUCHED = 0.01
#: The time of a touch is found to this share of the way.
ACCURACY = 1e-7


def fly(frame: Frame, flying: Sequence[Member], h: float) -> dict[int, State]:
    """The states of bodies after a part of h [s] in which they touch nothing, by their numbers."""
    found = {}
    for m in flying:
        flown, report = fly_alone(m, frame.stepper, frame.time, h, frame.dt)
        found[m.number] = m.system.spread(flown)
        frame.report.add(report)
    return found


def fly_alone(
    m: Member, stepper: Stepper, time: float, h: float, dt: float
) -> tuple[State, Report]:
    """The state of one body after a part of h [s] of a step of dt, in which it touches nothing.

    Free bodies follow the parabola x + h v + h^2 a/2. The step itself moves them by h (v + h a), and so
    they get half a step's acceleration less before it, and back after it. What moves in few coordinates
    follows the parabola by itself.
    """
    own = own_stepper(m.system, stepper)
    state, loads = m.state, m.loads.at(time + h).where(m.x)
    kick, problem = np.zeros(m.system.dim), m.problem
    m.system.recall(m.known)
    m.system.take_history(m.state.history)
    if m.wish is not None:
        state = replace(state, control=m.land.flight)
        problem = wishing(problem, _wish_of_flight(m, m.wish, dt))
        kick = 0.5 * h * m.acceleration(time + h) if m.free and own is stepper else kick
    if kick.any():
        state = replace(state, v=state.v - kick)
    state, report = own.step(problem, state, loads, h)
    state = state.to_host(m.system)
    if kick.any():
        state = replace(state, v=state.v + kick)
    guess = replace(state.guess, solver=m.system.known(motion=report.motion))
    history = m.system.history_at(m.state.history, state.x)
    return replace(state, guess=guess, history=history), report


def _wish_of_flight(m: Member, wish: Settle, dt: float) -> Settle:
    """What a body wishes while it flies: after a touch it is calm before the next one.

    Its bounces are hops. Before the first touch they are oscillations too, if steps of dt can draw them.
    """
    if not m.free or (m.land.clock is None and dt <= wish.longest_dt):
        return wish
    if m.land.clock is None:
        return Settle(wish.rest_in, 0, wish.within)
    return Settle(wish.rest_in / (2.0 * (1 + (wish.bounces or 0))), None, wish.within)


def free_share(frame: Frame, flown: dict[int, State], h: float, *, coasting: bool = False) -> float:
    """The share of the ways of flying bodies, up to 1, before they come within the gap of anything.

    Nor does an obstacle that moves come within that of a body that it did not touch. coasting: whether
    bodies that touch something go on as fast as they are.
    """
    moving = moving_obstacles(frame, h)
    frame.met = newly_met(frame, moving)
    counts = frame.met.copy()
    counts[list(flown)] = counts[:, list(flown)] = True
    if not counts.any():
        return 1.0
    contact, array, x = frame.contact, frame.system.assembly.array, frame.x
    way = _way(frame, flown, h, coasting)

    def clear(share: float) -> bool:
        contact.aim_at(frame.time + share * h)
        return clearance(contact, array(x + share * way), counts, frame.owner) > -TOUCHED

    low, high = 0.0, 1.0
    if contact.paths is None:
        high = min(contact.step_limit(array(x), array(way)), 1.0)
    else:
        goal = contact.paths.at(frame.time + h).ends
        hits = frame.owner[contact.obstacle_hits(array(x), *goal, dx=array(way))]
        if counts[hits[:, 0], hits[:, 1]].any():
            high = contact.obstacle_limit(array(x), *goal, dx=array(way))
    if clear(high):
        return high
    while high - low > ACCURACY:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if clear(middle) else (low, middle)
    return high


def passes(frame: Frame, flown: dict[int, State], h: float, *, coasting: bool = False) -> bool:
    """Whether flying bodies touch nothing on their ways in a part of h [s]."""
    contact, array = frame.contact, frame.system.assembly.array
    way = _way(frame, flown, h, coasting)
    if contact.paths is None:
        return contact.step_limit(array(frame.x), array(way)) > 1.0
    contact.aim_at(frame.time)
    goal = contact.paths.at(frame.time + h).ends
    hits = contact.obstacle_hits(array(frame.x), *goal, dx=array(way))
    return not np.isin(frame.owner[hits], list(flown)).any()


def _way(frame: Frame, flown: dict[int, State], h: float, coasting: bool) -> np.ndarray:
    """How far all points go in a part of h [s], about."""
    ends = [flown[m.number].x if m.number in flown else _end(m, h, coasting) for m in frame.members]
    return np.asarray(frame.spread(ends) - frame.x)


def _end(m: Member, h: float, coasting: bool) -> np.ndarray:
    """About where a body that touches something will be after a part of h [s].

    Unless it coasts it stays: what it comes in by in an impact would cut the flight of others, again
    and again.
    """
    stays = m.land.stage in (LandingStage.SETTLE, LandingStage.IMPACT)
    return m.x if m.wish is not None and stays and not coasting else m.x + h * m.v
