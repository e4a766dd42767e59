"""Oscillators of one coordinate each, and their exact motion over a step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class ModeOscillators:
    """q'' + loss q' + pull (q - g/eigenvalue) = 0 of every coordinate, g being the load on it.

    eigenvalues [1/s^2], (r,): what loads are weighed with. loss [1/s] and pull [1/s^2], numbers or
    (r,). slow: without inertia, loss q' + pull (q - g/eigenvalue) = 0. held: the load of the end of a
    step acts during all of it; else it changes evenly from that of its beginning.
    """

    eigenvalues: Array
    loss: Array | float
    pull: Array | float
    slow: bool = False
    held: bool = False

    def over(self, dt: float) -> Propagator:
        """What a step of dt [s] does."""
        if self.slow:
            rate = np.asarray(self.pull / self.loss)
            fall, zero = np.exp(-rate * dt), np.zeros(())
            return Propagator(self, dt, fall, zero, -rate * fall, zero)
        half = 0.5 * np.asarray(self.loss)
        room = self.pull - half**2
        turn = np.sqrt(np.maximum(room, 0.0))
        apart = np.sqrt(np.maximum(-room, 0.0))
        # What swings: cos and sin/turn. What creeps: cosh and sinh/apart, without overflow.
        slower = self.pull / np.where(room < 0.0, half + apart, 1.0)
        decay = np.exp(-np.where(room < 0.0, slower, half) * dt)
        double = 2.0 * apart * dt
        share = np.where(
            double > 0.0, -np.expm1(-double) / np.where(double > 0.0, double, 1.0), 1.0
        )
        cosine = np.where(room < 0.0, 0.5 * (1.0 + np.exp(-double)), np.cos(turn * dt))
        sine = dt * np.where(room < 0.0, share, np.sinc(turn * dt / np.pi))
        along, across = decay * cosine, decay * sine
        return Propagator(
            self, dt, along + half * across, across, -self.pull * across, along - half * across
        )


@dataclass(frozen=True, eq=False)
class Propagator:
    """The exact motion over one step of dt [s]: (u, p) -> (a u + b p, c u + d p), u the departure."""

    of: ModeOscillators
    dt: float
    a: Array
    b: Array
    c: Array
    d: Array

    def __call__(self, q: Array, p: Array, begin: Array, end: Array) -> tuple[Array, Array]:
        """Coordinates and their rates [1/s] after the step, whose loads are `begin` and `end`, (r,)."""
        of = self.of
        goal = end / of.eigenvalues
        if of.held or begin is end:
            u = q - goal
            return goal + self.a * u + self.b * p, self.c * u + self.d * p
        # A load that changes evenly is followed with a constant lag.
        rate = (end - begin) / of.eigenvalues / self.dt
        lag = self._lag * rate
        u, w = q - (begin / of.eigenvalues - lag), p - rate
        return goal - lag + self.a * u + self.b * w, rate + self.c * u + self.d * w

    @cached_property
    def _lag(self) -> Array | float:
        return self.of.loss / self.of.pull


def at_once(eigenvalues: Array, dt: float) -> Propagator:
    """Coordinates that are at rest at the end of every step."""
    none = np.zeros(())
    return Propagator(ModeOscillators(eigenvalues, 1.0, 1.0, held=True), dt, none, none, none, none)
