"""The largest stable time step of a damping in a scene."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from .dampings import Kind
from .runs import Run, simulate
from .scenes import CASES, Case

#: A run is stable while its potential energy stays below this many times the most it is in the
#: undamped run with half its limiting step. (With the kinetic energy of the fall, a run that has blown
#: up into a tremble of bounded size would pass.)
BOUND = 4.0
#: The strengths that are tried, and the visible damping that all are given: a tenth of critical.
STRENGTHS, VISIBLE = (1.0, 0.3), 0.1
#: Steps are searched for between these, over the undamped limit 2/omega; and how closely.
LEAST, MOST, CLOSE = 0.6, 20.0, 1.08


@cache
def allowed(name: str) -> float:
    """The energy [J] up to which a run of a case is stable; see BOUND."""
    return BOUND * float(reference(name).energy.max())


@cache
def reference(name: str, frames: int = 0) -> Run:
    """The undamped run with half its limiting step."""
    case = case_of(name)
    return simulate(case, None, 0.5 * case.limit, frames=frames)


@cache
def case_of(name: str) -> Case:
    """Made once."""
    return CASES[name]()


@dataclass(frozen=True)
class Largest:
    """The largest stable step over the undamped limit, and the strength it was found with."""

    ratio: float  # 0: none is stable; MOST: all that were tried
    strength: float

    @property
    def beyond(self) -> bool:
        """Whether no end was found."""
        return self.ratio >= MOST


def stable(kind: Kind, name: str, strength: float, ratio: float) -> bool:
    """Whether a run with a step of so many undamped limits stays bounded."""
    case = case_of(name)
    dt = ratio * case.limit
    damping = kind.of_strength(case, strength, dt)
    return simulate(case, damping, dt, bound=allowed(name)).stable


def largest(kind: Kind, name: str, strength: float | None, start: float = LEAST) -> Largest:
    """By steps that grow by half, then bisection; strength None: that of the visible damping.

    `start`: where to begin, if shorter steps are not of interest; 0 comes back if it is not stable.
    """
    case = case_of(name)

    def good(ratio: float) -> bool:
        given = strength
        if given is None:
            given = kind.strength_for(case, VISIBLE, ratio * case.limit)
        return stable(kind, name, given, ratio)

    low, high = 0.0, start
    while high < MOST and good(high):
        low, high = high, min(MOST, 1.5 * high)
    if high >= MOST and good(MOST):
        low = MOST
    elif low:
        while high > CLOSE * low:
            middle = float(np.sqrt(low * high))
            low, high = (middle, high) if good(middle) else (low, middle)
    if strength is None:
        strength = kind.strength_for(case, VISIBLE, low * case.limit) if low else np.nan
    return Largest(low, strength)


def best(kind: Kind, name: str, known: Largest) -> Largest:
    """The largest step over all strengths, or that which is known if none goes further."""
    for strength in STRENGTHS if kind.make else ():
        start = max(LEAST, CLOSE * known.ratio)
        if start < MOST:
            again = largest(kind, name, strength, start)
            known = max(known, again, key=lambda f: f.ratio)
    return known
