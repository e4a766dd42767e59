"""What is asked of a body, and from when on."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np

from pliant.bodies import Deformable
from pliant.control import Settle
from pliant.scene import Scene
from pliant.take import acting_at, pins_at

from .case import Case


@dataclass(frozen=True)
class Wish:
    """At rest `rest_in` seconds after `since` [s], when pins and loads change for the last time.

    bounces: if a number was asked for; swing: as `Settle` has it. since is nan for a body whose pins or
    loads change until the end: it comes to no rest.
    """

    rest_in: float
    bounces: int | None = None
    swing: bool = True
    since: float = 0.0


def wishes(case: Case, scene: Scene) -> dict[str, Wish]:
    """The wish for every body: the case's, that of its own `Settle`, or half of what is left."""
    found = {}
    times = case.dt * np.arange(max(1, round(case.seconds / case.dt)) + 1)
    for body in scene.bodies:
        since = last_change(body, scene.gravity, times)
        own = body.damping if isinstance(body.damping, Settle) else None
        swing = own.swing if own else True
        left = 0.5 * (case.seconds - (0.0 if np.isnan(since) else since))
        if case.rest_in is not None:
            wish = Wish(case.rest_in, case.bounces, swing, since)
        elif own is not None:
            wish = Wish(own.rest_in, own.bounces, swing, since)
        else:
            wish = Wish(left, case.bounces, swing, since)
        found[body.name] = wish
    return found


def last_change(body: Deformable, gravity: Any, times: np.ndarray) -> float:
    """From when on pins, loads and what the body does itself stay as they are; nan if never."""

    def told(t: float) -> np.ndarray:
        everything = [pins_at(body, t), *acting_at(body, t, gravity)]
        return np.concatenate([np.ravel(array) for array in everything])

    last = told(times[-1])
    since = times[-1]
    for t in times[-2::-1]:
        if not np.array_equal(told(t), last):
            break
        since = t
    body.prepare(0.0)
    return nan if since == times[-1] else float(since)
