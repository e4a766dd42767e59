"""One body of an island while a step is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pliant.control import LandingState, Settle, SettleState
from pliant.mesh import in_space
from pliant.problem import (
    BodyProblem,
    Island,
    IslandControl,
    Known,
    Loads,
    State,
    System,
    rotation_matrix,
)

from .clusters import joined_landing, wish_of


@dataclass(eq=False)
class Member:
    """A body, or bodies that are tied, where it is now, and what its damping knows.

    number: in the frame; bodies: its numbers in the island; cluster: tied bodies as an island without
    contact, None of one that is not tied; own: its points in the island. wish: None if its damping is no
    `Settle`; its rigid motion then is physical. known: what its own solver kept; None while the island
    solves for it. rate [1/s^2]: 1/t^2, t being the time in which an elastic wave crosses it.
    """

    number: int
    bodies: tuple[int, ...]
    cluster: Island | None
    own: Any
    problem: BodyProblem
    loads: Any
    state: State
    land: LandingState
    wish: Settle | None
    known: Known | None
    rate: float

    @classmethod
    def of(
        cls,
        number: int,
        own: slice,
        problem: BodyProblem,
        loads: Loads,
        state: State,
        rate: float = 0.0,
        *,
        bodies: tuple[int, ...] = (0,),
    ) -> Member:
        """A body with what its state says of its landing; if that is nothing, it begins to fly."""
        control, known = state.control, known_to(state, problem.system)
        wish = problem.damping if isinstance(problem.damping, Settle) else None
        land = control if isinstance(control, LandingState) else LandingState()
        found = cls(number, bodies, None, own, problem, loads, state, land, wish, known, rate)
        if not isinstance(control, LandingState):
            found._begin(control if isinstance(control, SettleState) else None)
        return found

    @classmethod
    def of_tied(
        cls,
        number: int,
        own: np.ndarray,
        cluster: Island,
        loads: Sequence[Loads],
        states: Sequence[State],
        rate: float,
    ) -> Member:
        """The same of bodies that are tied, which are one."""
        problem, whole = cluster.problem, cluster.merged(states)
        wish, lands = wish_of([body.damping for body in cluster.bodies]), []
        for state in states:
            if isinstance(state.control, LandingState):
                lands.append(state.control)
        new = len(lands) < len(states)
        found = cls(
            number=number,
            bodies=cluster.numbers,
            cluster=cluster,
            own=own,
            problem=problem,
            loads=cluster.loads(loads),
            state=replace(whole, control=None),
            land=LandingState() if new else joined_landing(lands),
            wish=wish,
            known=known_to(whole, problem.system),
            rate=rate,
        )
        if new:
            found._begin(None)
        return found

    def _begin(self, flight: SettleState | None) -> None:
        """Nothing is known of its landing yet; flight: what `Settle` knows."""
        if self.wish is None:
            return
        self.land = LandingState(hops=self.wish.bounces or 0, flight=flight)
        if not self.free:  # it counts from its release
            clock = 0.0 if flight is None else flight.clock
            self.land = LandingState(clock=clock, first=np.asarray(self.x), flight=flight)
            if self.cluster is not None and self.cluster.system.confined:
                self.land = self.land.settling()

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
    def flies(self) -> bool:
        """Whether it makes steps by itself while it touches nothing."""
        return self.problem.damping.controlled

    @property
    def clock(self) -> float:
        """Seconds since its clock started; 0 before."""
        return self.land.clock or 0.0

    @property
    def shape(self) -> np.ndarray:
        """A shape without deformation [m], (n, d); of tied bodies, the one in which they touched."""
        known = self.land.touched
        return self.system.undeformed if self.cluster is None or known is None else known

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

    def rigid_energy(self, v: np.ndarray, x: np.ndarray) -> float:
        """The kinetic energy of the rigid part of velocities [J]."""
        rigid = (self.motions(x) @ self.rates(v, x)).reshape(x.shape)
        return 0.5 * self.norm(rigid) ** 2

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

    def flown(self) -> None:
        """Keep what the law of a flying body knows; what pins hold has its clock there."""
        flight = self.state.control
        settling = flight.members[0] if isinstance(flight, IslandControl) else flight
        if isinstance(settling, SettleState):
            clock = self.land.clock if self.free else settling.clock
            self.land = replace(self.land, flight=flight, clock=clock)
        elif self.system.confinement is not None:
            self.land = replace(self.land, flight=flight)

    def norm(self, u: np.ndarray) -> float:
        """The norm of masses of displacements or velocities (n, d)."""
        return float(np.sqrt(self.system.masses @ (u * u).sum(axis=1)))


def known_to(state: State, system: System) -> Known | None:
    """What the solver of a system kept, if the state has it."""
    known = state.guess.solver
    return known if isinstance(known, Known) and known.system() is system else None
