"""A step of an island while it is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pliant.contact import Bristles, ContactPoints, contact_points
from pliant.control import LandingState, Settle
from pliant.errors import SolverError
from pliant.mesh import connected
from pliant.problem import Inertia, Island, Known, Loads, State, Stepper
from pliant.solvers import Newton, Report

from .member import Member


class Frame:
    """All bodies of an island between the beginning and the end of a step of dt.

    It changes while the step is made, and is no part of the result. Given states do not change.
    """

    def __init__(
        self,
        island: Island,
        stepper: Stepper,
        states: Sequence[State],
        loads: Sequence[Loads],
        time: float,
        dt: float,
    ):
        self.island, self.system, self.stepper = island, island.system, stepper
        contact = island.system.contact
        assert contact is not None
        self.contact, self.friction = contact, island.system.friction
        self.time, self.dt, self.report = time, dt, Report(0, 0, 0.0, "converged")
        self.bristles = island.bristles(states) or Bristles.none(self.system.dim)
        self.known = next((k for s in states if (k := _known(s, self.system)) is not None), None)
        self.members = [
            self._member(k, s, own) for k, (s, own) in enumerate(zip(states, loads, strict=True))
        ]

    def _member(self, number: int, state: State, loads: Loads) -> Member:
        body, (own, system) = self.island.bodies[number], self.system.members[number]
        wish = body.damping if isinstance(body.damping, Settle) else None
        rate, control = self.system.elastic_rates[number], state.control
        new = not isinstance(control, LandingState)
        land = control if isinstance(control, LandingState) else LandingState()
        found = Member(
            number, own, body, loads, state.to_host(system), land, wish, _known(state, system), rate
        )
        if new and wish is not None:
            found.land = LandingState(hops=wish.bounces or 0)
            if not found.free:  # it counts from its release
                found.land = LandingState(clock=0.0, first=found.x)
        return found

    @property
    def x(self) -> np.ndarray:
        """Positions of all bodies [m], (n, d)."""
        return np.concatenate([m.x for m in self.members])

    @property
    def v(self) -> np.ndarray:
        """Velocities of all bodies [m/s], (n, d)."""
        return np.concatenate([m.v for m in self.members])

    @property
    def masses(self) -> np.ndarray:
        """[kg], (n, 1)."""
        return self.system.masses[:, None]

    def touches(self, x: np.ndarray | None = None) -> ContactPoints:
        """Where bodies touch each other and obstacles, at x or where they are."""
        return contact_points(self.contact, self.system.assembly.array(self.x if x is None else x))

    def together(self, points: ContactPoints) -> np.ndarray:
        """The number of the group that each body is in: bodies that touch are in one."""
        count = len(self.members)
        both = (points.first < count) & (points.second < count)
        return connected(points.first[both], points.second[both], count)

    def rubs(self, x: np.ndarray, at: np.ndarray) -> tuple[Any, ...]:
        """Friction of a way that begins at x, with the pushes at another place; none if nothing rubs."""
        if self.friction is None:
            return ()
        array = self.system.assembly.array
        self.friction.grip(array(x), self.bristles, array(at))
        return (self.friction,) if len(self.friction) else ()

    def loads(self, h: float) -> Any:
        """What acts on all bodies at the end of a part of h [s]."""
        end = [m.loads.at(self.time + h) for m in self.members]
        return self.island.loads(end).where(self.x)

    def minimise(
        self, newton: Newton, inertia: Inertia, load: Any, complement: Any, start: np.ndarray
    ) -> np.ndarray:
        """The positions that minimise inertia and energies; an error if they are not found."""
        found, report = self.search(newton, inertia, load, complement, start, self.x)
        if not report.converged:
            raise SolverError(
                f"the step to t = {self.time:.6g} s failed in contact: {report.reason} after "
                f"{report.iterations} iterations, largest residual force {report.residual:.3g} N. "
                "Try a smaller dt"
            )
        return found

    def search(
        self,
        newton: Newton,
        inertia: Inertia,
        load: Any,
        complement: Any,
        start: np.ndarray,
        origin: np.ndarray,
    ) -> tuple[np.ndarray, Report]:
        """Newton's search from `start`, whether it ends or not."""
        objective = self.system.objective(inertia, load, complement)
        found, report = self.system.minimise(newton, objective, start, origin=origin)
        self.report.add(report)
        return found, report


def _known(state: State, system: Any) -> Known | None:
    """What the solver of a system kept, if the state has it."""
    known = state.guess.solver
    return known if isinstance(known, Known) and known.system() is system else None
