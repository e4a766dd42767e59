"""Bodies that touch nothing: each makes steps by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pliant.contact import clearance
from pliant.control import LandingStage, Settle
from pliant.problem import State

from .frame import Frame
from .member import Member

#: A body has touched when it is nearer than the gap by this share of it.
TOUCHED = 0.01
#: The time of a touch is found to this share of the way.
ACCURACY = 1e-7


def fly(frame: Frame, flying: Sequence[Member], h: float) -> dict[int, State]:
    """The states of bodies after a part of h [s] in which they touch nothing, by their numbers.

    Free bodies follow the parabola x + h v + h^2 a/2. The step itself moves them by h (v + h a), and so
    they get half a step's acceleration less before it, and back after it.
    """
    found = {}
    for m in flying:
        state, loads = (
            replace(m.state, control=m.land.flight),
            m.loads.at(frame.time + h).where(m.x),
        )
        kick = 0.5 * h * m.acceleration(frame.time + h) if m.free else np.zeros(m.system.dim)
        m.system.recall(m.known)
        problem = replace(m.problem, damping=_wish_of_flight(m, frame.dt))
        state, report = frame.stepper.step(problem, replace(state, v=state.v - kick), loads, h)
        guess = replace(state.guess, solver=m.system.known(motion=report.motion))
        found[m.number] = replace(state, v=state.v + kick, guess=guess)
        frame.report.add(report)
    return found


def _wish_of_flight(m: Member, dt: float) -> Settle:
    """What a body wishes while it flies: after a touch it is calm before the next one.

    Its bounces are hops. Before the first touch they are oscillations too, if steps of dt can draw them.
    """
    wish = m.wish
    assert wish is not None
    if not m.free or (m.land.clock is None and dt <= wish.longest_dt):
        return wish
    if m.land.clock is None:
        return Settle(wish.rest_in, 0, wish.within)
    return Settle(wish.rest_in / (2.0 * (1 + (wish.bounces or 0))), None, wish.within)


def free_share(frame: Frame, flown: dict[int, State], h: float) -> float:
    """The share of the ways of flying bodies, up to 1, before they come within the gap of anything."""
    if not flown:
        return 1.0
    array, x = frame.system.assembly.array, frame.x
    ends = [flown[m.number].x if m.number in flown else _end(m, h) for m in frame.members]
    way = np.concatenate(ends) - x
    bodies = np.isin(np.arange(len(frame.members)), list(flown))

    def clear(share: float) -> bool:
        return clearance(frame.contact, array(x + share * way), bodies) > -TOUCHED

    limit = frame.contact.step_limit(array(x), array(way))
    low, high = 0.0, min(limit, 1.0)
    if clear(high):
        return high
    while high - low > ACCURACY:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if clear(middle) else (low, middle)
    return high


def _end(m: Member, h: float) -> np.ndarray:
    """About where a body that touches something will be after a part of h [s]."""
    return m.x if m.land.stage is LandingStage.SETTLE else m.x + h * m.v
