"""Coordinates of a body in large deformation, which act on each other."""

from __future__ import annotations

import numpy as np

from pliant.reduced import WeighedCells

from .balance import FOUND, Balance, stiffness_of
from .coordinates import Coordinates, Departure, Motion, Press

Array = np.ndarray


class SettlingCoordinates(Coordinates):
    """Coordinates under `Settle`: their forces follow the law, and they are where these balance.

        y+ = a y + b s - (1 - a) f row,   s+ = c y + d s + c f row,   dW/dq(q+) = load + y+

    y: the force that holds the body away from rest, s its rate. Where W is quadratic y is K (q - goal),
    and this is `LinearCoordinates`. The law is linear, however far the body is: so it is stable, and
    wherever the body goes it would rest under some force. The press is found implicitly, with the
    balance.

    goal, q, (r,): where it rests, and is now; p [1/s]: the rates. load: on the coordinates.
    """

    def __init__(self, cells: WeighedCells, motion: Motion, load: Array, goal: Array, size: float):
        self.goal, self.q = goal, np.array(goal)
        self._motion, self._load, self._size = motion, load, size
        self._balance = Balance(cells, goal, 0.0, size)
        self._soft = np.linalg.inv(stiffness_of(cells, goal))
        # What the search for the rest shape left over.
        self._left = self._balance.elastic(goal) - load
        self._y, self._s = np.zeros_like(goal), np.zeros_like(goal)

    def place(self, q: Array, p: Array) -> None:
        """Put the body where it is, with its rates p [1/s]."""
        self.q = q
        self._y = self._balance.elastic(q) - self._load - self._left
        self._s = stiffness_of(self._balance.cells, q) @ p

    def move_by(self, motion: Motion) -> None:
        """Move by another law from now on."""
        self._motion = motion

    def step(self, press: Press | None) -> float:
        """Move on by one step; the force of the press at its end [N]."""
        a, b, c, d = self._motion
        y, s = a * self._y + b * self._s, c * self._y + d * self._s
        push = self._load + self._left + y
        self.q, f = self._balance.solve(self.q, push, press, 1.0 - a)
        if press is not None and f > 0.0:
            y -= f * (1.0 - a) * press.row
            s += f * c * press.row
        self._y, self._s = y, s
        return f

    def departure(self) -> Departure:
        """How the body would move if it were let go now: as if it were linear, and how far it is."""
        u, p = self._soft @ self._y, self._soft @ self._s
        away, linear = float(np.linalg.norm(self.q - self.goal)), float(np.linalg.norm(u))
        share = away / linear if min(away, linear) > FOUND * self._size else 1.0
        return Departure(linear**2, float(u @ p), float(p @ p), share)


class SwingingCoordinates(Coordinates):
    """Coordinates without `Settle`: masses of 1 and viscosity, by backward Euler.

        (q+ - q)/dt^2 - p/dt + mass (q+ - q)/dt + stiffness K (q+ - q)/dt + dW/dq(q+) = load - f row

    mass [1/s] and stiffness [s]: of `pl.Rayleigh`. K (q+ - q) is the change of dW/dq within the step,
    which is known without K.
    """

    def __init__(
        self,
        cells: WeighedCells,
        viscosity: tuple[float, float],
        load: Array,
        goal: Array,
        size: float,
        dt: float,
    ):
        self.goal, self.q, self.p = goal, np.array(goal), np.zeros_like(goal)
        self._load, self._dt = load, dt
        mass, stiffness = viscosity
        # Divided by what dW/dq(q+) is multiplied with.
        self._viscous = stiffness / dt
        self._share = 1.0 / (1.0 + self._viscous)
        self._inertia = (1.0 + dt * mass) / dt**2 * self._share
        self._balance = Balance(cells, goal, self._inertia, size)

    def place(self, q: Array, p: Array) -> None:
        """Put the body where it is, with its rates p [1/s]."""
        self.q, self.p = q, p

    def move_by(self, motion: Motion) -> None:
        """It has masses of its own, and no other law."""

    def step(self, press: Press | None) -> float:
        """Move on by one step; the force of the press at its end [N]."""
        push = self._share * (self._load + self.p / self._dt) + self._inertia * self.q
        if self._viscous:
            push += self._share * self._viscous * self._balance.elastic(self.q)
        q, f = self._balance.solve(self.q + self._dt * self.p, push, press, self._share)
        self.q, self.p = q, (q - self.q) / self._dt
        return f

    def departure(self) -> Departure:
        """Nothing: no law asks for it."""
        return Departure()
