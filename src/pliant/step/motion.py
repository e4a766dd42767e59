"""Accelerations within one step."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from pliant.control import Damping
from pliant.problem import BodyProblem, Loads, State, StepContext, System

#: The share of a step over which a viscosity is differenced; its error goes with the square.
BRIEF = 1e-3


class Accelerations(Protocol):
    """The accelerations of a body at a share s of the step, 0 to 1, for explicit formulas."""

    def elastic(self, x: np.ndarray, s: float) -> np.ndarray:
        """From energies and loads [m/s^2]."""

    def loss(self, x: np.ndarray, v: np.ndarray, s: float) -> np.ndarray:
        """From the damping [m/s^2]."""

    def whole(self, x: np.ndarray, v: np.ndarray, s: float) -> np.ndarray:
        """Their sum."""


class Motion:
    """The accelerations of one body within one step. Pins follow their paths and have none.

        a(x, v, s) = M^-1 (load(x, t + s dt) - grad PE(x) - D(x) v)

    without the barrier of contact, which steps see to by themselves. Loads and driven pins are those of
    the time t + s dt. Velocities of driven pins are of the
    parabola through three of their positions in the step.
    """

    def __init__(self, problem: BodyProblem, state: State, loads: Loads, dt: float):
        system = problem.system
        self._system, self._loads, self._damping, self._dt = system, loads, problem.damping, dt
        self._pinned, self._energies = system.pinned, apart_from_contact(system)
        self._masses = system.masses[:, None]
        self._path = [state.x[system.pinned]] * 3
        if not loads.pins_fixed:
            middle = loads.at(loads.time - 0.5 * dt).pinned
            self._path = [p[system.pinned] for p in (state.x, middle, loads.pinned)]

    @property
    def time(self) -> float:
        """The end of the step [s]."""
        return self._loads.time

    def held(self, x: np.ndarray, v: np.ndarray, s: float) -> tuple[np.ndarray, np.ndarray]:
        """Positions and velocities, with pins on their paths."""
        p, q, r = self._path
        x, v = x.copy(), v.copy()
        # Written so that pins at rest do not move, to the last digit.
        x[self._pinned] = (1 - s) * (1 - 2 * s) * p + 4 * s * (1 - s) * q + s * (2 * s - 1) * r
        bend = (p - q) + (r - q)
        v[self._pinned] = (4.0 * (q - p) - (r - p) + 4.0 * s * bend) / self._dt
        return x, v

    def elastic(self, x: np.ndarray, s: float) -> np.ndarray:
        """From energies and loads [m/s^2]."""
        x, _ = self.held(x, x, s)
        return self._of(self._at(s).on(x) - self._system.assembly.gradient_of(self._energies, x))

    def loss(self, x: np.ndarray, v: np.ndarray, s: float) -> np.ndarray:
        """From the damping and the air [m/s^2]."""
        x, v = self.held(x, v, s)
        force = viscous_force(self._system, self._damping, x, v, BRIEF * self._dt)
        return self._of(force + self._at(s).resistance(x, v))

    def whole(self, x: np.ndarray, v: np.ndarray, s: float) -> np.ndarray:
        """Their sum."""
        out: np.ndarray = self.elastic(x, s) + self.loss(x, v, s)
        return out

    def _at(self, s: float) -> Loads:
        return self._loads.at(self._loads.time - (1.0 - s) * self._dt)

    def _of(self, force: np.ndarray) -> np.ndarray:
        force /= self._masses
        force[self._pinned] = 0.0
        return force


def viscous_force(
    system: System, damping: Damping, x: np.ndarray, v: np.ndarray, h: float
) -> np.ndarray:
    """The force [N] of a damping on a body at x with velocities v, as a difference over a time h."""
    loss = damping.dissipation(
        StepContext(
            mechanics=system,
            time=0.0,
            dt=h,
            x_old=x,
            velocity=v,
            x=x,
            drift=v,
            load=None,
            complement=system.unrestricted,
            rest=x,
            moving=False,
        )
    )
    force: np.ndarray = -loss.drag * system.masses[:, None] * v
    for q in loss.quadratics:
        force -= h * (q.matrix(system.assembly.pattern) @ v.ravel()).reshape(v.shape)
    if loss.energies:
        for side in (0.5, -0.5):  # both ways, so that what is of first order in h cancels
            y = x + 2.0 * side * h * v
            force -= side * system.assembly.gradient_of(loss.energies, y)
    return force


def apart_from_contact(system: System) -> list[Any]:
    """The energies of a body but the barrier between it and others."""
    return [e for e in system.assembly.energies if e is not system.contact]
