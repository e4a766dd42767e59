"""One body of an island while a step is made."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.control import LandingState, Settle
from pliant.mesh import in_space
from pliant.problem import BodyProblem, Known, Loads, State, System, rotation_matrix


@dataclass(eq=False)
class Member:
    """A body, where it is now, and what its damping knows.

    number: in the island; own: its points there. wish: None if its damping is no `Settle`; it then
    moves physically. known: what its own solver kept; None while the island solves for it. rate [1/s^2]:
    1/t^2, t being the time in which an elastic wave crosses it.
    """

    number: int
    own: slice
    problem: BodyProblem
    loads: Loads
    state: State
    land: LandingState
    wish: Settle | None
    known: Known | None
    rate: float

    @property
    def system(self) -> System:
        """The body, prepared by itself."""
        return self.problem.system

    @property
    def x(self) -> np.ndarray:
        """Positions now [m], (n, d)."""
        x: np.ndarray = self.state.x
        return x

    @property
    def v(self) -> np.ndarray:
        """Velocities now [m/s], (n, d)."""
        v: np.ndarray = self.state.v
        return v

    @property
    def free(self) -> bool:
        """Whether no pin holds any part of it."""
        parts = self.system.parts
        return bool(parts) and all(part.translates for part in parts)

    @property
    def clock(self) -> float:
        """Seconds since its clock started; 0 before."""
        return self.land.clock or 0.0

    def centre(self, x: np.ndarray) -> np.ndarray:
        """The mean of positions or velocities, by mass, (d,)."""
        masses = self.system.masses
        return np.asarray(masses @ x / masses.sum())

    def motions(self, x: np.ndarray) -> np.ndarray:
        """Its rigid motions at x as columns, (n d, r): of a free body translations come first."""
        found = [part.motions(x) for part in self.system.parts]
        return np.concatenate([np.zeros((x.size, 0)), *found], axis=1)

    def rates(self, v: np.ndarray, x: np.ndarray) -> np.ndarray:
        """The rigid part of velocities, in the coordinates of `motions`, (r,)."""
        R, m = self.motions(x), np.repeat(self.system.masses, x.shape[1])
        return np.asarray(np.linalg.solve(R.T @ (m[:, None] * R), R.T @ (m * v.ravel())))

    def spin(self, rates: np.ndarray) -> np.ndarray:
        """The angular velocity in rigid velocities [rad/s], (3,)."""
        out = np.zeros(3)
        turns = rates[self.system.dim :]
        out[3 - len(turns) :] = turns
        return out

    def carried(self, x: np.ndarray, rates: np.ndarray, h: float) -> np.ndarray:
        """Positions x after a time h [s] with constant rigid velocities."""
        if len(self.system.parts) != 1 or not self.free:
            return np.asarray(x + h * (self.motions(x) @ rates).reshape(x.shape))
        dim, c = self.system.dim, in_space(self.centre(x)[None])
        turned = (in_space(x) - c) @ rotation_matrix(h * self.spin(rates)).T + c
        return np.asarray(turned[:, :dim] + h * rates[:dim])

    def acceleration(self, time: float) -> np.ndarray:
        """Of the whole body by its loads at a time [m/s^2], (d,)."""
        load = self.loads.at(time).where(self.x).within(self.system.spaces.host)
        return np.asarray(load.sum(axis=0) / self.system.masses.sum())

    def norm(self, u: np.ndarray) -> float:
        """The norm of masses of displacements or velocities (n, d)."""
        return float(np.sqrt(self.system.masses @ (u * u).sum(axis=1)))
