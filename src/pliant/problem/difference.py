"""Velocity and acceleration at the end of a step, as functions of the positions there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pliant.backend import Space


@dataclass(frozen=True)
class Difference:
    """Velocity and acceleration at the end of a step, from the positions x there.

        a = weight (x - anchor),        dq/dt = (q(x) - sum_i c_i q(x_i)) / span

    q is any quantity that positions have: the positions themselves, or the strain of a cell, which
    is measured from strains so that rigid motion has none. `past` are the pairs (c_i, x_i), whose
    c_i sum to 1. `where`: the shape at which a stiffness that a step holds fixed is taken.
    """

    weight: float  # [1/s^2]
    anchor: Any  # [m], (n, d)
    span: float  # [s]
    past: tuple[tuple[float, Any], ...]
    where: Any  # [m], (n, d)

    @classmethod
    def backward_euler(cls, x: Any, v: Any, dt: float, vectors: Space) -> Difference:
        """v_new = (x_new - x)/dt,  a_new = (v_new - v)/dt."""
        return cls(1.0 / dt**2, vectors.moved(x, dt, v), dt, ((1.0, x),), x)

    def of(self, own: slice) -> Difference:
        """The same for some of the points."""
        past = tuple((c, x[own]) for c, x in self.past)
        return replace(self, anchor=self.anchor[own], past=past, where=self.where[own])

    def before(
        self, mixed: Callable[[float, Any, float, Any], Any], q: Callable[..., Any] = lambda x: x
    ) -> Any:
        """sum_i c_i q(x_i), summed by mixed(s, a, t, b) = s a + t b."""
        (c, x), *others = self.past
        total = q(x)
        for d, y in others:
            total, c = mixed(c, total, d, q(y)), 1.0
        return total
