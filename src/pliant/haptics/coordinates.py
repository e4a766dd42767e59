"""The coordinates of a body in the loop, and how a press moves them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray
#: a, b, c, d of the exact motion over a step, (u, p) -> (a u + b p, c u + d p): numbers or (r,).
Motion = tuple[Any, Any, Any, Any]


@dataclass(frozen=True, eq=False)
class Press:
    """A spring between a hand and a patch, which can push and not pull.

        f = coupling max(0, row.q - height)

    row, (r,): how far a patch moves along its normal for unit coordinates. height [m]: how far the hand
    is above the patch at q = 0. coupling [N/m].
    """

    row: Array
    height: float
    coupling: float


@dataclass(frozen=True)
class Departure:
    """How a body was let go: u.u, u.p and p.p, of its departure u from rest and its rate.

    share [-]: how far it is over how far it would be if it were linear about its rest shape.
    """

    uu: float = 0.0
    up: float = 0.0
    pp: float = 0.0
    share: float = 1.0


class Coordinates(ABC):
    """Few numbers q, (r,), that a body moves by; goal, (r,): where they rest under its load."""

    q: Array
    goal: Array

    @abstractmethod
    def place(self, q: Array, p: Array) -> None:
        """Put the body where it is, with its rates p [1/s]."""

    @abstractmethod
    def step(self, press: Press | None) -> float:
        """Move on by one step; the force of the press at its end [N]."""

    @abstractmethod
    def departure(self) -> Departure:
        """How the body would move if it were let go now."""

    @abstractmethod
    def move_by(self, motion: Motion) -> None:
        """Move by another law from now on."""


class LinearCoordinates(Coordinates):
    """Coordinates of linear modes, which do not act on each other.

        q+ = goal + a (q - goal) + b p,   p+ = c (q - goal) + d p,   goal = load/lambda
        f = k deep/(1 + k row.C row),   deep = row.q+ - height,   C = (1 - a)/lambda

    The force is found implicitly, from where the body is at the end of the step under it, so that a
    stiff hand does not tremble.
    """

    def __init__(self, eigenvalues: Array, motion: Motion, load: Array):
        self.eigenvalues, self.goal = eigenvalues, load / eigenvalues
        self.place(self.goal, np.zeros_like(self.goal))
        self.move_by(motion)

    def place(self, q: Array, p: Array) -> None:
        """Put the body where it is, with its rates p [1/s]."""
        self.q, self.p = q, p

    def move_by(self, motion: Motion) -> None:
        """Move by another law from now on."""
        self._motion = motion
        self._row: Array | None = None

    def step(self, press: Press | None) -> float:
        """Move on by one step; the force of the press at its end [N]."""
        a, b, c, d = self._motion
        u, p = self.q - self.goal, self.p
        u, self.p = a * u + b * p, c * u + d * p
        self.q, f = self.goal + u, 0.0
        if press is None:
            return f
        deep = float(press.row @ self.q) - press.height
        if deep > 0.0:
            self._meet(press.row)
            f = press.coupling * deep / (1.0 + press.coupling * self._compliance)
            self.q -= f * self._soft
            self.p -= f * self._quick
        return f

    def departure(self) -> Departure:
        """How the body would move if it were let go now."""
        u, p = self.q - self.goal, self.p
        return Departure(float(u @ u), float(u @ p), float(p @ p))

    def _meet(self, row: Array) -> None:
        """What a unit of force on a patch takes from coordinates and their rates in a step."""
        if self._row is not row:
            a, _, c, _ = self._motion
            self._row = row
            self._soft = (1.0 - a) * row / self.eigenvalues
            self._quick = -c * row / self.eigenvalues
            self._compliance = float(row @ self._soft)
