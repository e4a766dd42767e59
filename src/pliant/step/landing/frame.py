"""A step of an island while it is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.contact import Bristles, ContactPoints, contact_points, obstacle_ways
from pliant.control import LandingStage, LandingState
from pliant.errors import SolverError
from pliant.mesh import connected
from pliant.problem import (
    Inertia,
    Island,
    IslandInertia,
    Loads,
    State,
    Stepper,
    joined_inertia,
)
from pliant.solvers import Newton, Report

from .clusters import per_body
from .member import Member, known_to

#: The stage of a body without `Settle`, by whether it touches something.
STAGES = {False: LandingStage.FLIGHT, True: LandingStage.SETTLE}


class Frame:
    """All bodies of an island between the beginning and the end of a step of dt.

    It changes while the step is made, and is no part of the result. Given states do not change.
    Of the part that is being made, if obstacles move: its length h [s]; here, (n, d): where bodies that
    follow them would be at its end; following, rates, left: see `follow`; met: what did not touch yet
    (see `newly_met`). work [J]: of obstacles on each body.
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
        self.h, self.following, self.left = dt, set[int](), set[int]()
        self.rates: dict[int, np.ndarray] = {}
        self.met, self.work = np.zeros((0, 0), dtype=bool), np.zeros(len(states))
        contact.aim_at(time)
        self.bristles = island.bristles(states) or Bristles.none(self.system.dim)
        self.known = next((k for s in states if (k := known_to(s, self.system)) is not None), None)
        self.body_loads, clusters = loads, _clusters(island)
        self.members = [self._member(number, own, states) for number, own in enumerate(clusters)]
        #: The member that each body is in; obstacles behind them, numbered on.
        self.owner = np.arange(len(contact.surface.bodies) + len(contact.surface.planes[0]))
        self.owner += len(clusters) - len(states)
        for m in self.members:
            self.owner[list(m.bodies)] = m.number
        self.here = self.x
        if any(m.flies and m.wish is None for m in self.members):
            points = self.touches()
            for m in (m for m in self.members if m.wish is None):
                touches = m.number in points.first or m.number in points.second
                m.land = LandingState(stage=STAGES[touches])

    def _member(self, number: int, bodies: Sequence[int], states: Sequence[State]) -> Member:
        """The member that some tied bodies are, or a body that is not tied."""
        spans = [self.system.members[k][0] for k in bodies]
        rate = max(self.island.bodies[k].system.elastic_rate for k in bodies)
        loads, known = [self.body_loads[k] for k in bodies], [states[k] for k in bodies]
        if len(bodies) == 1:
            (k,), (own,), (state,) = bodies, spans, known
            problem = self.island.bodies[k]
            state = problem.system.spread(state.to_host(problem.system))
            return Member.of(number, own, problem, loads[0], state, rate, bodies=tuple(bodies))
        cluster = next(t for t in self.island.tied if t.numbers == tuple(bodies))
        points = np.concatenate([np.arange(span.start, span.stop) for span in spans])
        return Member.of_tied(number, points, cluster, loads, known, rate)

    def spread(self, each: Sequence[np.ndarray]) -> np.ndarray:
        """Arrays of all members as one of all points, (n, d)."""
        out = np.empty((len(self.system.masses), self.system.dim))
        for m, values in zip(self.members, each, strict=True):
            out[m.own] = values
        return out

    def inertia(
        self, each: Sequence[Inertia], air: Sequence[Any], rubs: Sequence[Any]
    ) -> IslandInertia:
        """The inertia of all points from that of each member; air: what resists; rubs: friction."""
        found = [Inertia(0.0, np.zeros(0))] * len(self.island.bodies)
        for m, inertia in zip(self.members, each, strict=True):
            for k, own in zip(m.bodies, per_body(inertia, m.cluster), strict=True):
                found[k] = own
        return joined_inertia(self.system, found, air, rubs)

    @property
    def x(self) -> np.ndarray:
        """Positions of all bodies [m], (n, d)."""
        return self.spread([m.x for m in self.members])

    @property
    def v(self) -> np.ndarray:
        """Velocities of all bodies [m/s], (n, d)."""
        return self.spread([m.v for m in self.members])

    @property
    def masses(self) -> np.ndarray:
        """[kg], (n, 1)."""
        return self.system.masses[:, None]

    def touches(self, x: np.ndarray | None = None) -> ContactPoints:
        """Where bodies touch each other and obstacles, at x or where they are."""
        x = self.x if x is None else x
        found = contact_points(self.contact, self.system.assembly.array(x))
        return replace(found, first=self.owner[found.first], second=self.owner[found.second])

    def together(self, points: ContactPoints) -> np.ndarray:
        """The number of the group that each body is in: bodies that touch are in one."""
        count = len(self.members)
        both = (points.first < count) & (points.second < count)
        return connected(points.first[both], points.second[both], count)

    def rubs(self, x: np.ndarray, at: np.ndarray, *, straight: bool = False) -> tuple[Any, ...]:
        """Friction of a way that begins at x, with the pushes at another place; none if nothing rubs.

        straight: without what bristles are bent now.
        """
        if self.friction is None:
            return ()
        bristles = Bristles.none(self.system.dim) if straight else self.bristles
        array, paths = self.system.assembly.array, self.contact.paths
        if paths is None or not np.array_equal(x, self.x):
            self.friction.grip(array(x), bristles, array(at))
        else:
            before, now = paths.at(self.time), paths.at(self.time + self.h)
            # At x bodies are pushed by obstacles where these were.
            self.contact.aim(*(before if np.array_equal(at, x) else now).ends)
            how = (before.points, *now.plane_motions(before))
            self.friction.grip(array(x), bristles, array(at), *how)
            self.contact.aim(*now.ends)
        return (self.friction,) if len(self.friction) else ()

    def obstacle_ways(
        self, points: ContactPoints, begin: float, end: float, x: np.ndarray | None = None
    ) -> np.ndarray:
        """How far obstacles go between two times [s] where something touches them at x, (k, d) [m]."""
        paths = self.contact.paths
        if paths is None:
            return np.zeros_like(points.normals)
        places = paths.at(max(begin, 0.0)), paths.at(max(end, 0.0))
        at = self.system.assembly.array(self.x if x is None else x)
        return obstacle_ways(self.contact, at, points.stencils, points.weights, *places)

    def loads(self, h: float) -> Any:
        """What acts on all bodies at the end of a part of h [s]."""
        end = [own.at(self.time + h) for own in self.body_loads]
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


def _clusters(island: Island) -> list[tuple[int, ...]]:
    """The numbers of bodies that are one member each, in the order of their first."""
    tied = [cluster.numbers for cluster in island.tied]
    alone = set(range(len(island.bodies))).difference(*tied)
    return sorted([*tied, *((k,) for k in alone)])
