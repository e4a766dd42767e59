"""A step, made part by part."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.control import LandingStage
from pliant.errors import SolverError
from pliant.problem import BodyProblem, Guess, Island, Loads, State, Stepper
from pliant.solvers import Report

from ..pushing import SHARE
from .clusters import split_landing
from .colliding import Colliding
from .flight import fly, fly_alone, free_share, passes
from .frame import Frame
from .member import Member
from .release import drives, hop_work, velocity_after
from .solving import solve
from .stages import advance, is_away

#: Parts of an impact in the time that a wave takes to cross the body, and short parts in a step.
IMPACT_PARTS, MOST_SHORT_PARTS = 8, 64
#: Parts of one step at most.
MOST_PARTS = 400
#: How often the flight in a part is shortened until it touches nothing on its way.
MOST_CUTS = 20
#: How often a part that could not be solved is tried again, each time with a quarter of its length.
RETRIES = 3
#: No part is shorter than this share of what is left, lest two bodies in flight stop time.
LEAST_SHARE = 1e-4
#: What pins hold does not fly for a shorter share of the step.
LEAST_FLIGHT = 1e-6


def land(
    island: Island,
    stepper: Stepper,
    states: Sequence[State],
    loads: Sequence[Loads],
    time: float,
    dt: float,
) -> tuple[list[State], Report]:
    """The states of all bodies of an island after dt, and what the solvers did."""
    frame = Frame(island, stepper, states, loads, time, dt)
    # The step ends at this very time: obstacles may jump.
    end, parts = time + dt, 0
    while end - frame.time > 1e-9 * dt:
        _part(frame, end - frame.time)
        parts += 1
        if parts == MOST_PARTS:
            raise SolverError(
                f"the step to t = {frame.time:.6g} s takes too many parts. Try a smaller dt"
            )
    ended: dict[int, State] = {}
    for m in frame.members:
        ended |= zip(m.bodies, _ended(frame, m, states), strict=True)
    return [ended[k] for k in range(len(states))], frame.report


def fly_on(
    body: BodyProblem, stepper: Stepper, state: State, loads: Loads, time: float, dt: float
) -> tuple[State, Report]:
    """The state after dt [s] of a body that may land, and that touches nothing meanwhile."""
    state = state.to_host(body.system)
    m = Member.of(0, slice(0, len(state.x)), body, loads, state)
    m.state, report = fly_alone(m, stepper, time, dt, dt)
    m.land = m.land.later(dt)
    m.flown()
    return replace(m.state, control=m.land), report


def _part(frame: Frame, left: float) -> None:
    """Make one part of the step, which is not longer than what is left [s]."""
    h = min(left, *(_longest(m, frame.dt) for m in frame.members), _longest_push(frame, left))
    flying = [m for m in frame.members if m.flies and m.land.stage is LandingStage.FLIGHT]
    flown, h = _flown(frame, flying, h)
    h = left if h > left * (1.0 - 1e-9) else h
    new = frame.x
    for retry in range(RETRIES + 1):
        try:
            new = solve(frame, flown, h) if len(flown) < len(frame.members) else new
            break
        except SolverError:
            if retry == RETRIES:
                raise
            flown, h = _flown(frame, flying, 0.25 * h)
    colliding, before = Colliding.of(frame, flown), [m.state for m in frame.members]
    for m in frame.members:
        if m.number in flown:
            m.state = flown[m.number]
            m.known = m.state.guess.solver
        else:
            m.known = None
            m.state = _moved(frame, m, new[m.own], h)
        m.land = m.land.later(h)
        if m.number in frame.following and m.number not in flown:  # it counts from the end of that
            m.land = m.land.following(m.x)
        if m.number in frame.left and m.number not in flown:  # it will rest elsewhere
            m.land = replace(m.land, rest=None)
    frame.time += h
    frame.contact.aim_at(frame.time)
    if len(flown) < len(frame.members):
        frame.work += frame.system.obstacle_work(frame.x, frame.time, h)
    points = frame.touches()
    colliding.keep_spin(frame, points, h)
    for m, old in zip(frame.members, before, strict=True):
        if m.wish is not None and m.land.stage is LandingStage.RELEASE:
            work = hop_work(frame, m, old, points)
            m.state = replace(m.state, hop_work=m.state.hop_work + work)
    advance(frame, points, h)


def _held_settle(frame: Frame, flying: Sequence[Member]) -> bool:
    """Whether bodies that pins hold, and that can go nowhere, settle from now on.

    So does what a stiff tie pulls towards what it is tied to, however short the time is.
    """
    held = [m for m in flying if not m.free and not is_away(frame, m)]
    for m in held:
        m.land = m.land.touches(m.x).settling()
    return bool(held)


def _flown(frame: Frame, flying: Sequence[Member], h: float) -> tuple[dict[int, State], float]:
    """States of flying bodies after at most h [s], until they touch something; and that time.

    Under a law a body does not go the same way in a shorter time, and so it is looked at again. What
    follows a body that falls over as fast would touch the place where that is, again and again: where
    the time is very short, all go on as fast as they are.
    """
    flying = [m for m in flying if m.land.stage is LandingStage.FLIGHT]
    flown, coasting, whole = fly(frame, flying, h), False, h
    share = free_share(frame, flown, h)
    if flying and share * h < frame.dt / MOST_SHORT_PARTS:
        longer = free_share(frame, flown, h, coasting=True)
        share, coasting = max(share, longer), longer > share
    for _ in range(MOST_CUTS):
        if share >= 1.0:
            return flown, h
        h *= max(share, LEAST_SHARE)
        if h < LEAST_FLIGHT * frame.dt and _held_settle(frame, flying):
            return _flown(frame, flying, whole)
        flown = fly(frame, flying, h)
        if passes(frame, flown, h, coasting=coasting):
            return flown, h
        share = 0.5 * free_share(frame, flown, h, coasting=coasting)
    raise SolverError(
        f"t = {frame.time:.6g} s: the flight of {flying[0].problem.name} could not be ended where it "
        "touches something. Try a smaller dt"
    )


def _longest_push(frame: Frame, left: float) -> float:
    """The longest part [s] in which obstacles go far less than the size of what they touch."""
    paths = frame.contact.paths
    if paths is None or not len(frame.touches().normals):
        return left
    way = paths.at(frame.time + left).farthest(paths.at(frame.time), frame.x)
    return left / max(math.ceil(way / (SHARE * frame.contact.surface.smallest)), 1)


def _longest(m: Member, dt: float) -> float:
    """The longest part that a body can take now [s]."""
    off, least = m.land.take_off, dt / MOST_SHORT_PARTS
    if m.wish is not None and m.land.stage is LandingStage.IMPACT:
        return max(1.0 / math.sqrt(m.rate) / IMPACT_PARTS, least)
    if m.wish is None or m.land.stage is not LandingStage.RELEASE or off is None:
        return math.inf
    # What still touches after the drive leaves soon.
    return off.lasts - off.elapsed if drives(off) else max(0.25 * off.lasts, least)


def _moved(frame: Frame, m: Member, x: np.ndarray, h: float) -> State:
    """The state of a body that the island has moved to x."""
    v, off = (x - m.x) / h, m.land.take_off
    if off is not None and m.land.stage is LandingStage.RELEASE:
        rates = velocity_after(off, h, m.acceleration(frame.time + h))
        v = (m.motions(x) @ rates).reshape(x.shape)
    history = m.system.history_at(m.state.history, x)
    return replace(m.state, x=x, v=v, drift=None, rest=None, history=history, guess=Guess())


def _ended(frame: Frame, m: Member, before: Sequence[State]) -> list[State]:
    """The states of a body, or of tied bodies, at the end of the step."""
    bristles: Sequence[Any] = [None] * len(before)
    if frame.friction is not None:
        bristles = frame.friction.divided(frame.bristles)
    guess = replace(m.state.guess, solver=frame.known if m.known is None else m.known)
    states, lands = [replace(m.state, guess=guess)], [m.land]
    if m.cluster is not None:
        loads = [frame.body_loads[k] for k in m.bodies]
        states = m.cluster.split(states[0], [before[k] for k in m.bodies], loads)
        share = m.state.hop_work / len(states)
        states = [replace(s, hop_work=s.hop_work + share) for s in states]
        lands = split_landing(m.land, [own for own, _ in m.cluster.system.members])
    ended = [
        replace(
            s,
            control=land if m.wish is not None else s.control,
            bristles=bristles[k],
            obstacle_work=before[k].obstacle_work + float(frame.work[k]),
        )
        for s, land, k in zip(states, lands, m.bodies, strict=True)
    ]
    systems = [frame.island.bodies[k].system for k in m.bodies]
    return [system.gathered(s) for system, s in zip(systems, ended, strict=True)]
