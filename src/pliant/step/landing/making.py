"""A step, made part by part."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pliant.control import LandingStage
from pliant.errors import SolverError
from pliant.problem import Guess, Island, Loads, State, Stepper
from pliant.solvers import Report

from .flight import fly, free_share
from .frame import Frame
from .member import Member
from .release import drives, velocity_after
from .solving import solve
from .stages import advance

#: Parts of an impact in the time that a wave takes to cross the body, and short parts in a step.
IMPACT_PARTS, MOST_SHORT_PARTS = 8, 64
#: Parts of one step at most.
MOST_PARTS = 400
#: How often a part that could not be solved is tried again, each time with a quarter of its length.
RETRIES = 3
#: No part is shorter than this share of what is left, lest two bodies in flight stop time.
LEAST_SHARE = 1e-4


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
    left, parts = dt, 0
    while left > 1e-9 * dt:
        left -= _part(frame, left)
        parts += 1
        if parts == MOST_PARTS:
            raise SolverError(
                f"the step to t = {frame.time:.6g} s takes too many parts. Try a smaller dt"
            )
    return [_ended(frame, m) for m in frame.members], frame.report


def _part(frame: Frame, left: float) -> float:
    """Make one part of the step; returns its length [s]."""
    h = min(left, *(_longest(m, frame.dt) for m in frame.members))
    flying = [
        m for m in frame.members if m.wish is not None and m.land.stage is LandingStage.FLIGHT
    ]
    flown = fly(frame, flying, h)
    share = free_share(frame, flown, h)
    if share < 1.0:
        h *= max(share, LEAST_SHARE)
        flown = fly(frame, flying, h)
    new = frame.x
    for retry in range(RETRIES + 1):
        try:
            new = solve(frame, flown, h) if len(flown) < len(frame.members) else new
            break
        except SolverError:
            if retry == RETRIES:
                raise
            h *= 0.25
            flown = fly(frame, flying, h)
    for m in frame.members:
        if m.number in flown:
            m.state = flown[m.number]
            m.known = m.state.guess.solver
        else:
            m.known = None
            m.state = _moved(frame, m, new[m.own], h)
        m.land = m.land.later(h)
    frame.time += h
    advance(frame, h)
    return h


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
    return replace(m.state, x=x, v=v, drift=None, rest=None, guess=Guess())


def _ended(frame: Frame, m: Member) -> State:
    """The state of a body at the end of the step."""
    bristles = None
    if frame.friction is not None:
        bristles = frame.friction.divided(frame.bristles)[m.number]
    guess = replace(m.state.guess, solver=frame.known if m.known is None else m.known)
    control = m.land if m.wish is not None else m.state.control
    return replace(m.state, control=control, bristles=bristles, guess=guess)
