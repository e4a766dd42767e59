"""The pushes of a recording, each at its time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pliant.bodies import Deformable
from pliant.given import select

from .excite import Excite

Array = np.ndarray


class Hand:
    """Gives a body one push after another.

    Its forces are loads that wait: a body is prepared once, with the static answers to all of them.
    Whoever made it takes them off.
    """

    def __init__(self, body: Deformable, pushes: Sequence[Excite]):
        self._body, self._pushes = body, pushes
        self._kind, self._begin, self._end = -1, 0.0, 0.0
        self._points = [_points(body, k, push) for k, push in enumerate(pushes)]
        for kind, (push, points) in enumerate(zip(pushes, self._points, strict=True)):
            if push.force is not None:
                force = self._over_time(kind, push.vector)
                body.push(force=force, on=points)

    def push(self, kind: int, time: float, dt: float) -> None:
        """Give a push at a time [s], in steps of dt; behind the last kind: none."""
        self._kind, self._begin, self._end = kind, time + 0.5 * dt, np.inf
        if kind == len(self._pushes):
            return
        push = self._pushes[kind]
        if push.impulse is not None:
            v, points = self._body.velocity, self._points[kind]
            v[points] += push.vector / self._body.masses[points, None]
            v[self._body.pinned] = 0.0
            self._body.velocity = v
        elif push.seconds is not None:
            self._end = time + (max(1, round(push.seconds / dt)) + 0.5) * dt

    def _over_time(self, kind: int, force: Array) -> Callable[[float], Array]:
        nothing = np.zeros_like(force)

        def value(time: float) -> Array:
            return force if kind == self._kind and self._begin < time < self._end else nothing

        return value


def _points(body: Deformable, kind: int, push: Excite) -> Array:
    if len(push.vector) != body.dim:
        raise ValueError(
            f"Responses.record: excitation {kind} has {len(push.vector)} numbers, and {body.name} is in "
            f"{body.dim}D; expected {body.dim}"
        )
    points = select(push.on, len(body), f"Responses.record: excitation {kind} (on=...)")
    if body.pinned[points].all():
        raise ValueError(
            f"Responses.record: excitation {kind} acts on points that {body.name} is held by; expected "
            "on= with points that are free"
        )
    return points
