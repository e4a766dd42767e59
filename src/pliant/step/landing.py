"""Bodies that fly, land, hop and come to rest on cue: one step of an island with contact."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pliant.contact import Bristles, ContactPoints, clearance, contact_points
from pliant.control import Hit, LandingState, Settle, SettleState, Stage, TakeOff
from pliant.control.hops import Landing, next_hop, resting_sides
from pliant.errors import SolverError
from pliant.mesh import connected, in_space
from pliant.problem import (
    BodyProblem,
    Difference,
    Guess,
    Inertia,
    Island,
    Known,
    Loads,
    MotionInertia,
    State,
    StepContext,
    Stepper,
    System,
    joined_inertia,
    rotation_matrix,
)
from pliant.solvers import Complement, Newton, Report

from .pushing import apart

log = logging.getLogger("pliant")

#: Short steps of an impact, of the time in which a wave crosses the body.
IMPACT_STEPS = 8
#: An impact lasts at most so many times as long as a wave takes to cross the body.
LONGEST_IMPACT = 12.0
#: How often a part that could not be solved is tried again, each time with a quarter of its length.
RETRIES = 3
#: Steps within one frame at most.
MOST_PARTS = 400
#: What holds bodies that others must not move, over the stiffest of rates.
FIRM = 1e6
#: A body has touched when it is nearer than the gap by this share.
TOUCHED = 0.01
#: Singular values of the velocities of contacts below this are zero.
OPEN = 2e-2
#: The rest of the way after the deadline is this much faster.
AFTER = 0.1
#: What is late has this share of rest_in to come to rest.
HASTE = 0.02
MISS, REVIEWS = 0.005, 12
#: Share of rest_in that must be left for a deadline to stand after another blow.
ENOUGH = 0.3


@dataclass
class Member:
    """One body of the island during a step."""

    own: slice
    problem: BodyProblem
    loads: Loads
    state: State
    land: LandingState
    wish: Settle | None
    known: Known | None
    rate: float  # [1/s^2], of elastic waves across the body
    quick: Settle | None = None

    @property
    def system(self) -> System:
        return self.problem.system

    @property
    def x(self) -> np.ndarray:
        return self.state.x

    @property
    def v(self) -> np.ndarray:
        return self.state.v

    @property
    def free(self) -> bool:
        """Whether no pin holds it."""
        return all(part.translates for part in self.system.parts) and bool(self.system.parts)

    def centre(self, x: np.ndarray) -> np.ndarray:
        m = self.system.masses
        return np.asarray(m @ x / m.sum())

    def motions(self, x: np.ndarray) -> np.ndarray:
        """Rigid motions as columns, (n d, rank)."""
        found = [part.motions(x) for part in self.system.parts]
        return np.concatenate([np.zeros((x.size, 0)), *found], axis=1)

    def rates(self, v: np.ndarray, x: np.ndarray) -> np.ndarray:
        """The rigid velocity of a motion, in the coordinates of `motions`."""
        R, m = self.motions(x), np.repeat(self.system.masses, x.shape[1])
        return np.linalg.solve(R.T @ (m[:, None] * R), R.T @ (m * v.ravel()))


class LandingStep:
    """One step of dt of an island with contact, of which some bodies have `Settle`."""

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
        self.time, self.dt = time, dt
        self.report = Report(0, 0, 0.0, "converged")
        self.bristles = island.bristles(states) or Bristles.none(self.system.dim)
        self.island_known = next(
            (
                s.guess.solver
                for s in states
                if isinstance(s.guess.solver, Known) and s.guess.solver.system() is self.system
            ),
            None,
        )
        self.members = []
        members = zip(island.bodies, self.system.members, states, loads, strict=True)
        for k, (body, (own, system), state, acting) in enumerate(members):
            wish = body.damping if isinstance(body.damping, Settle) else None
            known = state.guess.solver
            mine = isinstance(known, Known) and known.system() is system
            self.members.append(
                Member(
                    own,
                    body,
                    acting,
                    state.to_host(system),
                    state.control if isinstance(state.control, LandingState) else LandingState(),
                    wish,
                    known if mine else None,
                    self.system.elastic_rates[k],
                )
            )
            if not isinstance(state.control, LandingState):
                self._begin(self.members[-1])
        self.gap = float(contact.surface.gap.min())

    # ------------------------------------------------------------------ frame
    def run(self) -> tuple[list[State], Report]:
        left, parts = self.dt, 0
        while left > 1e-9 * self.dt:
            parts += 1
            if parts > MOST_PARTS:
                raise SolverError(f"a step at t = {self.time:.6g} s needs more than {MOST_PARTS} parts")
            left -= self._part(left)
        return [self._ended(m) for m in self.members], self.report

    def _begin(self, m: Member) -> None:
        """The state of a body whose clock starts: what pins hold counts from its release."""
        hops = (m.wish.bounces or 0) if m.wish and m.free else 0
        clock = None if m.free else 0.0
        m.land = LandingState(clock=clock, hops=hops, flight=None)

    def _ended(self, m: Member) -> State:
        bristles = self.friction.divided(self.bristles)[self.members.index(m)] if self.friction else None
        solver = m.known if m.known is not None else self.island_known
        control = m.land if m.wish else None
        guess = replace(m.state.guess, solver=solver)
        return replace(m.state, control=control, bristles=bristles, guess=guess)

    def _part(self, left: float) -> float:
        h = left
        for m in self.members:
            if m.wish and m.land.stage is Stage.IMPACT:
                h = min(h, max(1.0 / math.sqrt(m.rate) / IMPACT_STEPS, self.dt / 64))
            off = m.land.take_off
            if off is not None and off.elapsed < off.lasts - 1e-12:
                h = min(h, off.lasts - off.elapsed)
        flying = [k for k, m in enumerate(self.members) if self._flies(k)]
        x = self.x
        flown = self._fly(flying, h)
        share = self._until_touch(flown, h)
        if share < 1.0:
            h = max(share, 1e-4) * h
            flown = self._fly(flying, h)
        others = [k for k in range(len(self.members)) if k not in flown]
        new = x
        for retry in range(RETRIES + 1):
            try:
                new = self._solve(others, flown, h) if others else x
                break
            except SolverError:
                if retry == RETRIES:
                    raise
                h *= 0.25
                flown = self._fly(flying, h)
        for k, m in enumerate(self.members):
            m.land = m.land.later(h)
            if k in flown:
                m.state = flown[k]
            else:
                self._moved(m, new[m.own], h)
        self.time += h
        self._stages(x, h)
        return h

    @property
    def x(self) -> np.ndarray:
        return np.concatenate([m.x for m in self.members])

    # ------------------------------------------------------------------ flight
    def _flies(self, k: int) -> bool:
        m = self.members[k]
        return m.wish is not None and m.land.stage is Stage.FLIGHT

    def _fly(self, flying: Sequence[int], h: float) -> dict[int, State]:
        """Steps of bodies that touch nothing, each by itself."""
        found = {}
        for k in flying:
            m = self.members[k]
            state = replace(m.state, control=m.land.flight)
            loads = m.loads.at(self.time + h).where(state.x)
            kick = self._acceleration(m, loads) * (0.5 * h)
            free = m.free
            if free:
                state = replace(state, v=state.v - kick)
            m.system.recall(m.known)
            problem = m.problem
            if m.land.clock is not None and free and m.wish:
                quick = Settle(m.wish.rest_in / (2 * (1 + (m.wish.bounces or 0))), None, m.wish.within)
                problem = replace(problem, damping=quick)
            new, report = self.stepper.step(problem, state, loads, h)
            if free:
                new = replace(new, v=new.v + kick)
            found[k] = new
            self.report.add(report)
            self._flight_report = report
        return found

    @staticmethod
    def _acceleration(m: Member, loads: Loads) -> np.ndarray:
        load = loads.within(m.system.spaces.host)
        return np.asarray(load.sum(axis=0) / m.system.masses.sum())

    def _until_touch(self, flown: dict[int, State], h: float) -> float:
        """The share of the ways of flying bodies before they come within the gap."""
        if not flown:
            return 1.0
        array = self.system.assembly.array
        x = self.x
        ends = [
            flown[k].x
            if k in flown
            else m.x + (h * m.v if m.land.stage is not Stage.SETTLE else 0.0 * m.v)
            for k, m in enumerate(self.members)
        ]
        way = np.concatenate(ends) - x
        mask = np.zeros(len(self.members), dtype=bool)
        mask[list(flown)] = True

        def clear(s: float) -> bool:
            return clearance(self.contact, array(x + s * way), mask) > -TOUCHED

        limit = self.contact.step_limit(array(x), array(way))
        if limit > 1.0 and clear(1.0):
            return 1.0
        low, high = 0.0, min(limit, 1.0)
        if clear(high):
            return high
        for _ in range(30):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if clear(middle) else (low, middle)
            if high - low < 1e-7:
                break
        return high

    # ------------------------------------------------------------------ solve
    def _solve(self, others: Sequence[int], flown: dict[int, State], h: float) -> np.ndarray:
        system, x = self.system, self.x
        array = system.assembly.array
        system.recall(self.island_known)
        loads = self.island.loads([m.loads.at(self.time + h) for m in self.members]).where(x)
        load = loads.within(system.spaces.host)
        v = np.concatenate([m.v for m in self.members])
        weights = np.zeros(len(self.members))
        anchors = [m.x for m in self.members]
        motions: list[MotionInertia] = []
        rows: list[np.ndarray] = []
        physical: dict[int, Inertia] = {}
        top = max(m.rate for m in self.members) + 1.0 / h**2
        groups = self._groups(others)
        difference = Difference.backward_euler(x, v, h, system.spaces.host)
        outside = tuple(loads.dissipation(difference, system.spaces.host.mixed, system.device))
        for k, m in enumerate(self.members):
            if k in flown:
                weights[k], anchors[k] = FIRM * top, flown[k].x
            elif m.wish is None or m.land.stage is Stage.IMPACT:
                weights[k], anchors[k] = 1.0 / h**2, m.x + h * m.v
                if m.wish is None:
                    physical[k] = self._plain(m, loads, h)
            elif m.land.stage is Stage.RELEASE or m.land.stage is Stage.FLIGHT:
                driven = m.land.take_off is not None and m.land.take_off.elapsed < m.land.take_off.lasts - 1e-12
                a = self._carried(m, h)
                anchors[k] = a
                t_r = m.land.take_off.lasts if m.land.take_off else h
                rho = m.wish.within ** min(0.5, h / max(t_r, 1e-12))
                weights[k] = m.rate / (1.0 / rho - 1.0)
                Q = self._basis(m, a)
                if driven:
                    rows.append(self._padded(m, Q))
                else:
                    motions.append(
                        MotionInertia(self._weighted(m, Q), self._whole(k, a), 1.0 / h**2 - weights[k])
                    )
        settles = [g for g in groups if g]
        plans = self._plan(settles, load, h) if settles else []
        rubs = self._rubs(x, x)
        laps = 3 if any(self.members[k].land.stage is Stage.IMPACT or self.members[k].wish is None for k in others) else 1
        complement = self._complement(rows)
        goal = loads.pinned
        start = np.concatenate([
            flown[k].x if k in flown else anchors[k] for k in range(len(self.members))
        ])
        for plan in plans:
            for k in plan.bodies:
                start[self.members[k].own] = self.members[k].x + (plan.anchor - x)[self.members[k].own]
        start[system.pinned] = goal[system.pinned]
        y = apart(system, x, start, load, h)
        lap, best = 1, None
        for _ in range(REVIEWS):
            whole = list(motions)
            for plan in plans:
                for k in plan.bodies:
                    weights[k], anchors[k] = plan.weight, plan.anchor[self.members[k].own]
                if len(plan.open):
                    whole.append(MotionInertia(plan.open, plan.anchor, 1.0 / h**2 - plan.weight))
            each = [
                physical[k] if k in physical else Inertia(weights[k], anchors[k])
                for k in range(len(self.members))
            ]
            inertia = joined_inertia(system, each, outside, rubs)
            inertia = replace(inertia, motions=tuple(whole))
            exact = not plans and not rows and laps == 3 and not system.touches_obstacle(x)
            y = self._minimise(inertia, load, complement, y, x, exact=exact)
            missed = sum(plan.missed(self, y) for plan in plans)
            if best is None or missed < best[0] or lap <= laps > 1:
                best = missed, y, rubs
            again = [plan for plan in plans if plan.missed(self, y) > MISS]
            if lap < laps and self.friction is not None:
                rubs = self._rubs(x, y)
                lap += 1
                if rubs:
                    continue
            if not again:
                break
            for plan in again:
                plan.correct(self, y)
        assert best is not None
        y = best[1]
        if self.friction is not None:
            self.bristles = self.friction.bent(array(y))
        for plan in plans:
            plan.done(self, y, h)
        self.island_known = system.known(motion=self.report.motion)
        for k in others:
            self.members[k].known = None
        return y

    def _minimise(
        self, inertia: Inertia, load: Any, complement: Any, y: np.ndarray, x: np.ndarray, *,
        exact: bool = False, tolerance: float | None = None, must: bool = True,
    ) -> np.ndarray:
        objective = self.system.objective(inertia, load, complement)
        relative = 0.0 if exact or tolerance else getattr(self.stepper, "tolerance", 1e-3)
        newton = Newton(relative=relative)
        if tolerance is not None:
            newton = Newton(tolerance=tolerance, iterations=100)
        found, report = self.system.minimise(newton, objective, y, origin=x)
        self.report.add(report)
        if must and not report.converged:
            raise SolverError(
                f"the step to t = {self.time:.6g} s failed in contact: {report.reason} after "
                f"{report.iterations} iterations, largest residual force {report.residual:.3g} N. Try a smaller dt"
            )
        return found

    def _rubs(self, x: np.ndarray, at: np.ndarray) -> tuple[Any, ...]:
        """Friction of a way that begins at x, with the pushes at another place; none if nothing rubs."""
        if self.friction is None:
            return ()
        array = self.system.assembly.array
        self.friction.grip(array(x), self.bristles, array(at))
        return (self.friction,) if len(self.friction) else ()

    def _plain(self, m: Member, loads: Any, h: float) -> Inertia:
        """The inertia of a body without `Settle`."""
        own = m.loads.at(self.time + h).where(m.x)
        context = StepContext(
            mechanics=m.system, time=own.time, dt=h, x_old=m.x, velocity=m.v, x=m.x + h * m.v, drift=m.v,
            load=own.within(m.system.spaces.host), complement=m.system.unrestricted, rest=m.x, moving=False,
        )
        return m.problem.damping.inertia(context)

    # ------------------------------------------------------------------ rigid
    def _basis(self, m: Member, x: np.ndarray) -> np.ndarray:
        """M-orthonormal rigid motions at x, (n d, rank)."""
        R, root = m.motions(x), np.sqrt(np.repeat(m.system.masses, x.shape[1]))[:, None]
        return np.asarray(np.linalg.qr(root * R)[0] / root) if R.shape[1] else R

    def _padded(self, m: Member, Q: np.ndarray) -> np.ndarray:
        out = np.zeros((Q.shape[1], len(self.system.masses), self.system.dim))
        out[:, m.own] = Q.T.reshape(Q.shape[1], -1, self.system.dim)
        return out

    def _weighted(self, m: Member, Q: np.ndarray) -> np.ndarray:
        return self._padded(m, Q) * self.system.masses[:, None]

    def _whole(self, k: int, a: np.ndarray) -> np.ndarray:
        out = self.x.copy()
        out[self.members[k].own] = a
        return out

    def _complement(self, rows: Sequence[np.ndarray]) -> Complement:
        if not rows:
            return self.system.unrestricted
        basis = np.concatenate(rows)
        return Complement(self.system.spaces.host, basis, basis * self.system.masses[:, None])

    def _carried(self, m: Member, h: float) -> np.ndarray:
        """The body moved rigidly on, by the drive of its take-off or by its momentum."""
        q = m.rates(m.v, m.x)
        off = m.land.take_off
        if off is not None and off.elapsed < off.lasts - 1e-12:
            def way(t: float) -> float:
                return 0.5 * min(t, off.lasts) ** 2 / off.lasts + max(t - off.lasts, 0.0)
            t0, t1 = off.elapsed, off.elapsed + h
            mean = off.turn + (way(t1) - way(t0)) / h * (off.end - off.turn)
            falls = [max(t - off.lasts, 0.0) for t in (t0, t1)]
            g = self._acceleration(m, m.loads.at(self.time + h).where(m.x))
            mean[: m.system.dim] += g * (falls[1] ** 2 - falls[0] ** 2) / (2 * h)
            q = mean
        return moved_rigidly(m, q, h)

    def _moved(self, m: Member, x: np.ndarray, h: float) -> None:
        """A body after a part of the step."""
        v = (x - m.x) / h
        off = m.land.take_off
        if m.wish and m.land.stage is Stage.RELEASE and off is not None:
            t1 = off.elapsed + h
            if off.elapsed < off.lasts - 1e-12:
                up = min(t1, off.lasts) / off.lasts
                end = off.turn + up * (off.end - off.turn)
                g = self._acceleration(m, m.loads.at(self.time + h).where(m.x))
                end[: m.system.dim] += g * max(t1 - off.lasts, 0.0)
                v = (m.motions(x) @ end).reshape(x.shape)
            m.land = replace(m.land, take_off=replace(off, elapsed=t1))
        guess = Guess(dt=None, solver=None)
        m.state = replace(m.state, x=x, v=v, drift=None, rest=None, guess=guess)

    # ------------------------------------------------------------------ settle
    def _groups(self, others: Sequence[int]) -> list[list[int]]:
        """Bodies that settle, by who touches whom."""
        settle = [k for k in others if self.members[k].wish and self.members[k].land.stage is Stage.SETTLE]
        if not settle:
            return []
        label = self._labels(self._touches())
        return [[k for k in settle if label[k] == one] for one in sorted({label[k] for k in settle})]

    def _touches(self, x: np.ndarray | None = None) -> ContactPoints:
        return contact_points(self.contact, self.system.assembly.array(self.x if x is None else x))

    def _labels(self, points: ContactPoints) -> np.ndarray:
        count = len(self.members)
        both = (points.first < count) & (points.second < count)
        return connected(points.first[both], points.second[both], count)

    def _plan(self, groups: list[list[int]], load: np.ndarray, h: float) -> list[GroupPlan]:
        """Where groups will rest, what is open there, and how far they are to go in this part."""
        x = self.x
        settle = [k for group in groups for k in group]
        star, opens = self._rest_shapes(groups, settle, load, h)
        rubs = self._rubs(x, x)
        plans = []
        v = np.concatenate([m.v for m in self.members])
        g = self.system.assembly.gradient(x, rubs) - load
        for group, Q in zip(groups, opens, strict=True):
            plans.append(self._group_plan(group, Q, star, x, v, g, h))
        return plans

    def _rest_shapes(self, groups: Any, settle: Any, load: Any, h: float) -> Any:
        """Where groups will rest, and the motions of each that are open, (r, n, d)."""
        x, members = self.x, self.members
        star, new = x.copy(), False
        for k in settle:
            rest = members[k].land.rest
            new = new or rest is None
            star[members[k].own] = members[k].x if rest is None else rest
        pinned = self.system.pinned
        star[pinned] = x[pinned]
        rate = max(m.rate for m in members)
        if new:
            star = self._descend(x, settle, load, rate)
        v = np.concatenate([m.v for m in members])
        for _ in range(3):
            nulls = [self._null(group, star, x, h * v) for group in groups]
            opens = [self._across(g, Z, x) for g, Z in zip(groups, nulls, strict=True)]
            begin = self.system.reach(star, self._followed(groups, opens, star, x))
            held = [self._across(g, Z, begin) for g, Z in zip(groups, nulls, strict=True)]
            star = self._held_minimum(begin, settle, held, load, self._rubs(x, begin), rate)
            again = [self._null(group, star, x, h * v) for group in groups]
            if all(a.shape == b.shape for a, b in zip(nulls, again, strict=True)):
                break
        for k in settle:
            members[k].land = replace(members[k].land, rest=star[members[k].own])
        return star, opens

    def _followed(self, groups: Any, opens: Any, star: np.ndarray, x: np.ndarray) -> np.ndarray:
        """The rest shape moved along what is open, to where the bodies are."""
        star = star.copy()
        for group, Q in zip(groups, opens, strict=True):
            if not len(Q):
                continue
            amounts = np.einsum("rnd,nd->r", Q, (x - star) * self.system.masses[:, None])
            along = np.einsum("rnd,r->nd", Q, amounts)
            for k in group:
                m = self.members[k]
                star[m.own] = moved_rigidly(m, m.rates(along[m.own], x[m.own]), 1.0, star[m.own])
        return star

    def _held_minimum(
        self, start: Any, settle: Any, held: Any, load: Any, rubs: Any, rate: float
    ) -> Any:
        """The equilibrium next to `start`, with what is open held there."""
        each = [
            Inertia(1e-9 * rate if k in settle else FIRM * rate, start[m.own])
            for k, m in enumerate(self.members)
        ]
        motions = tuple(
            MotionInertia(Q * self.system.masses[:, None], start, 1e2 * rate) for Q in held if len(Q)
        )
        inertia = replace(joined_inertia(self.system, each, (), rubs), motions=motions)
        return self._minimise(
            inertia, load, self.system.unrestricted, start, start, tolerance=1e-8, must=False
        )

    def _descend(self, x: Any, settle: Any, load: Any, rate: float) -> Any:
        """Where bodies go without inertia, turning over if they must; translations that are open stay."""
        y = x
        c = 0.1 * rate
        for step in range(60):
            rubs = self._rubs(x, y)
            opens = [self._open_translations(k, y) for k in settle] if not rubs else []
            each = [
                Inertia(c if k in settle else FIRM * rate, y[m.own])
                for k, m in enumerate(self.members)
            ]
            motions = tuple(
                MotionInertia(Q * self.system.masses[:, None], y, 1e2 * rate) for Q in opens if len(Q)
            )
            inertia = replace(joined_inertia(self.system, each, (), rubs), motions=motions)
            new = self._minimise(
                inertia, load, self.system.unrestricted, y, y, tolerance=1e-6, must=False
            )
            way = float(np.abs(new - y).max())
            y = new
            size = min(self.members[k].system.size for k in settle)
            if way < 0.02 * size:
                if c <= 1e-4 * rate:
                    if way < 1e-4 * size:
                        break
                else:
                    c *= 0.25
            elif way > 0.2 * size:
                c *= 2.0
        return y

    def _raw(self, group: Sequence[int], x: np.ndarray) -> np.ndarray:
        """Rigid motions of a group, (n, d, r), each of unit mass norm."""
        n, d = x.shape
        columns = []
        for k in group:
            m = self.members[k]
            R = m.motions(x[m.own])
            out = np.zeros((n, d, R.shape[1]))
            out[m.own] = R.reshape(-1, d, R.shape[1])
            columns.append(out)
        R = np.concatenate([np.zeros((n, d, 0)), *columns], axis=2)
        return R

    def _null(self, group: Any, star: Any, x: Any, way: Any) -> np.ndarray:
        """Combinations of the rigid motions of a group that nothing resists where it will rest, (r, open).

        Normals count. Once it lies as it will rest, contacts that stick count too.
        """
        R = self._raw(group, star)
        if not R.shape[2]:
            return np.zeros((0, 0))
        there = self._resisted(group, star, R)
        Z = self._combinations(there, R)
        here = self._raw(group, x)
        if self.friction is None or Z.shape[1] != self._combinations(self._resisted(group, x, here), here).shape[1]:
            return Z
        self._rubs(x, x)
        mask = np.zeros(len(x), dtype=bool)
        for k in group:
            mask[self.members[k].own] = True
        stuck = self.friction.sticking_rows(np.where(mask[:, None], way, 0.0), here)
        return self._combinations(np.concatenate([there, stuck]), R) if len(stuck) else Z

    def _resisted(self, group: Any, at: Any, R: np.ndarray) -> np.ndarray:
        """How fast the contacts of a group part in motions R (n, d, r), (k, r)."""
        points = self._touches(at)
        mine = np.isin(points.first, group) | np.isin(points.second, group)
        return points.rows(R)[mine]

    def _combinations(self, rows: np.ndarray, R: np.ndarray) -> np.ndarray:
        """Combinations of motions R (n, d, r) in which all rows (k, r) are about zero, (r, open)."""
        norm = np.sqrt(np.einsum("ndr,n,ndr->r", R, self.system.masses, R))
        if not len(rows):
            return np.diag(1.0 / norm)
        moving = np.abs(R).sum(axis=(1, 2)) > 0.0
        mass = float(self.system.masses[moving].sum()) / max(1, len(norm) // (3 * self.system.dim - 3))
        C = rows / norm * math.sqrt(mass / len(rows))
        _, s, vt = np.linalg.svd(C, full_matrices=True)
        s = np.concatenate([s, np.zeros(len(norm) - len(s))])
        return np.asarray(vt[s < OPEN].T / norm[:, None])

    def _across(self, group: Any, Z: np.ndarray, x: np.ndarray) -> np.ndarray:
        """M-orthonormal motions of a group at x that are these combinations, (r, n, d)."""
        return self._orthonormal(self._raw(group, x) @ Z)

    def _open_translations(self, k: int, y: np.ndarray) -> np.ndarray:
        m = self.members[k]
        if not m.free:
            return np.zeros((0, *y.shape))
        d = y.shape[1]
        R = np.zeros((*y.shape, d))
        R[m.own] = np.eye(d)
        rows = self._resisted([k], y, R)
        if not len(rows):
            return np.zeros((0, *y.shape))  # it falls
        return self._orthonormal(R @ self._combinations(rows, R))

    def _orthonormal(self, R: np.ndarray) -> np.ndarray:
        if not R.shape[2]:
            return np.zeros((0, *R.shape[:2]))
        root = np.sqrt(self.system.masses)[:, None, None]
        Q = np.linalg.qr((root * R).reshape(-1, R.shape[2]))[0].reshape(R.shape) / root
        return np.asarray(Q.transpose(2, 0, 1))

    def _group_plan(self, group: Any, Q: Any, star: Any, x: Any, v: Any, g: Any, h: float) -> GroupPlan:
        members = [self.members[k] for k in group]
        mask = np.zeros(len(x), dtype=bool)
        for m in members:
            mask[m.own] = True
        MQ = Q * self.system.masses[:, None]
        u = np.where(mask[:, None], x - star, 0.0)
        u = u - np.einsum("r,rnd->nd", np.einsum("rnd,nd->r", MQ, u), Q)
        f = np.where(mask[:, None], g, 0.0)
        f = f - np.einsum("r,rnd->nd", np.einsum("rnd,nd->r", Q, f), MQ)
        along = np.einsum("r,rnd->nd", np.einsum("rnd,nd->r", MQ, v), Q)
        if any(m.wish and not m.wish.slide for m in members):
            along = along * min(m.wish.within ** (2 * h / m.wish.rest_in) for m in members if m.wish and not m.wish.slide)
        anchor = x + h * along
        d = math.sqrt(float(self.system.masses @ (u * u).sum(1)))
        first = any(m.land.begun is None for m in members)
        wishes = [m.wish for m in members if m.wish]
        left = max(w.rest_in - (m.land.clock or 0.0) for m, w in zip(members, wishes, strict=True))
        within = min(w.within for w in wishes)
        rest_in = max(w.rest_in for w in wishes)
        if first:
            far = max([d, *(self._far(group, star, Q, i) for i in range(3))])
            for m in members:
                m.land = replace(m.land, begun=(d, max(left, self.dt)), farthest=max(far, d))
        farthest = max(m.land.farthest for m in members)
        goal = within * farthest
        soft = all(w.bounces == 0 for w in wishes)
        begun = members[0].land.begun
        rho = descent(d, goal, left, h, rest_in, within, begun if soft else None)
        rate = max(m.rate for m in members)
        work = float((u * f).sum())
        lam = work / d**2 if d > 0.0 and work > 0.0 else rate
        size = max(m.system.span for m in members)
        return GroupPlan(
            tuple(group), mask, MQ, Q, anchor, star, d, rho * d, lam / (1.0 / rho - 1.0), still=d < 1e-9 * size
        )

    def _far(self, group: Any, star: Any, Q: Any, i: int) -> float:
        """The distance of the i-th of the marked positions."""
        u = np.zeros_like(star)
        for k in group:
            m = self.members[k]
            if m.land.marks:
                u[m.own] = m.land.marks[min(i, len(m.land.marks) - 1)] - star[m.own]
        MQ = Q * self.system.masses[:, None]
        u = u - np.einsum("r,rnd->nd", np.einsum("rnd,nd->r", MQ, u), Q)
        return math.sqrt(float(self.system.masses @ (u * u).sum(1)))

    # ------------------------------------------------------------------ stages
    def _stages(self, x_old: np.ndarray, h: float) -> None:
        points = self._touches()
        label = self._labels(points)
        touching = np.zeros(len(self.members), dtype=bool)
        for side in (points.first, points.second):
            touching[side[side < len(self.members)]] = True
        push = points.gradient(len(self.system.masses))
        for k, m in enumerate(self.members):
            if m.wish is None:
                continue
            if m.land.stage is Stage.FLIGHT:
                flight = m.state.control
                if isinstance(flight, SettleState):
                    m.land = replace(m.land, flight=flight)
                    if not m.free:
                        m.land = replace(m.land, clock=flight.clock)
                if touching[k]:
                    self._touch(m, h)
            elif m.land.stage is Stage.IMPACT:
                self._impact(k, m, push, h)
            elif m.land.stage is Stage.RELEASE:
                self._release(k, m, push, touching[k])
            elif m.land.stage is Stage.SETTLE and m.free:
                if not touching[k]:
                    mask = np.arange(len(self.members)) == k
                    array = self.system.assembly.array(self.x)
                    if clearance(self.contact, array, mask) > 3.0:
                        m.land = m.land.flying()
        self._spread_impacts(label)
        self._end_impacts(label, push)

    def _touch(self, m: Member, h: float) -> None:
        clock = 0.0 if m.land.clock is None else m.land.clock
        assert m.wish is not None
        if not m.free:
            m.land = replace(m.land.touches(m.x).settling(), clock=clock)
            return
        m.land = m.land.touches(m.x)
        self._hit(m)

    def _hit(self, m: Member) -> None:
        assert m.land.clock is not None
        v = m.centre(m.v)
        q = m.rates(m.v, m.x)
        R = m.motions(m.x)
        speed = math.sqrt(float(self._kinetic(m, (R @ q).reshape(m.x.shape))))
        hit = Hit(m.land.clock, v, np.zeros(R.shape[1]), self._stored(m))
        hardest = max(speed, m.land.hardest)
        m.land = replace(m.land, stage=Stage.IMPACT, hit=hit, take_off=None, hardest=hardest)

    def _kinetic(self, m: Member, v: np.ndarray) -> float:
        return float(m.system.masses @ (v * v).sum(1))

    def _stored(self, m: Member) -> float:
        return float(m.system.assembly.value(m.x))

    def _impact(self, k: int, m: Member, push: np.ndarray, h: float) -> None:
        hit = m.land.hit
        assert hit is not None
        R = m.motions(m.x)
        impulse = hit.impulse + h * (R.T @ push[m.own].ravel())
        m.land = replace(m.land, hit=replace(hit, impulse=impulse))

    def _spread_impacts(self, label: np.ndarray) -> None:
        """What touches a body that is hit is hit, too."""
        struck = {label[k] for k, m in enumerate(self.members) if m.wish and m.land.stage is Stage.IMPACT}
        for k, m in enumerate(self.members):
            if m.wish and m.free and label[k] in struck and m.land.stage in (Stage.SETTLE,):
                fresh = [
                    o for j, o in enumerate(self.members)
                    if j != k and label[j] == label[k] and o.wish and o.land.stage is Stage.IMPACT
                    and o.land.hit is not None and o.land.clock is not None
                    and o.land.clock - o.land.hit.began <= 1e-12
                ]
                if not fresh:
                    continue
                left = m.wish.rest_in - (m.land.clock or 0.0)
                if left < ENOUGH * m.wish.rest_in:
                    m.land = m.land.restarted(m.x)
                self._hit(m)

    def _end_impacts(self, label: np.ndarray, push: np.ndarray) -> None:
        for one in set(label.tolist()):
            group = [
                k for k, m in enumerate(self.members)
                if label[k] == one and m.wish and m.land.stage is Stage.IMPACT
            ]
            if not group:
                continue
            members = [self.members[k] for k in group]
            stored = sum(self._stored(m) for m in members)
            stored += float(self.contact.value(self.system.assembly.array(self.x)))
            most = max(stored, *(m.land.hit.stored for m in members if m.land.hit))
            out = sum(float(m.land.hit.impulse @ m.rates(m.v, m.x)) for m in members if m.land.hit)
            late = all(
                m.land.hit and m.land.clock is not None
                and m.land.clock - m.land.hit.began > LONGEST_IMPACT / math.sqrt(m.rate)
                for m in members
            )
            young = all(m.land.hit is not None and m.land.clock == m.land.hit.began for m in members)
            for m in members:
                assert m.land.hit is not None
                m.land = replace(m.land, hit=replace(m.land.hit, stored=most))
            if young or not (stored < 0.999 * most or out >= 0.0 or late):
                continue
            for k in group:
                self._turned(k, push)

    def _turned(self, k: int, push: np.ndarray) -> None:
        m = self.members[k]
        assert m.wish is not None and m.land.hit is not None and m.land.clock is not None
        if m.land.squashed is None:
            m.land = replace(m.land, squashed=m.x)
        if m.land.hops:
            landing = self._landing(m, push)
            if landing is not None:
                hop, count = next_hop(
                    landing, hops=m.land.hops, left=m.wish.rest_in - m.land.clock, rest_in=m.wish.rest_in,
                    within=m.wish.within, dt=self.dt, top=self._top(m, landing),
                )
                if hop is not None:
                    d = m.system.dim
                    turn = m.rates(m.v, m.x)
                    n = landing.up[:d]
                    turn[:d] -= n * float(n @ turn[:d])
                    end = turn.copy()
                    end[:d] += hop.speed * n
                    end[d:] = hop.spin[2:] if d == 2 else hop.spin
                    m.land = replace(
                        m.land, stage=Stage.RELEASE, hops=count - 1, made=m.land.made + 1,
                        take_off=TakeOff(hop.lasts, n, turn, end),
                    )
                    return
        m.land = replace(m.land, hops=0).settling()

    def _landing(self, m: Member, push: np.ndarray) -> Landing | None:
        hit = m.land.hit
        assert hit is not None and m.land.clock is not None
        J = hit.impulse[: m.system.dim]
        length = float(np.linalg.norm(J))
        if length == 0.0 or len(m.system.parts) != 1:
            return None
        n = J / length
        d = m.system.dim
        g = -float(self._acceleration(m, m.loads) @ n)
        V = -float(hit.velocity @ n)
        if V <= 0.0 or g <= 0.0:
            return None
        touched = m.land.touched
        assert touched is not None
        used = self.contact.surface.points
        used = used[(used >= m.own.start) & (used < m.own.stop)] - m.own.start
        gap = float(self.contact.surface.gap[m.own].max())
        level = float((touched[used] @ n).min()) - gap * 0.5
        q = m.rates(m.v, m.x)
        spin = np.zeros(3)
        spin[3 - (len(q) - d):] = q[d:]
        undeformed = m.system.undeformed
        pose = fitted_rotation(undeformed, m.x, m.system.masses)
        shape = (in_space(undeformed) - in_space(m.centre(undeformed)[None])) @ pose.T + in_space(m.centre(m.x)[None])
        flat = math.sqrt(float(m.system.masses @ ((in_space(m.x) - shape) ** 2).sum(1)) / float(m.system.masses.sum()))
        return Landing(
            up=np.pad(n, (0, 3 - d)), gravity=g, speed=V, centre=float(m.centre(m.x) @ n) - level,
            standing=float(m.centre(touched) @ n) - level, pose=pose, spin=spin,
            sides=resting_sides(undeformed, m.system.masses),
            compressing=m.land.clock - hit.began, squash=flat, gap=gap,
        )

    def _top(self, m: Member, landing: Landing) -> float:
        """How high its centre was above where it touched, since the clock started [m]."""
        if m.land.highest is None or m.land.touched is None:
            return 0.0
        return float((m.centre(m.land.highest) - m.centre(m.land.touched)) @ landing.up[: m.system.dim])

    def _release(self, k: int, m: Member, push: np.ndarray, touching: bool) -> None:
        off = m.land.take_off
        assert off is not None
        if off.elapsed < off.lasts - 1e-12:
            return
        if not touching:
            if m.land.highest is None:
                g = self._acceleration(m, m.loads) @ off.normal
                rise = 0.5 * float(off.normal @ m.centre(m.v)) ** 2 / -g
                m.land = replace(m.land, highest=m.x + rise * off.normal)
            m.land = m.land.flying()
            return
        if float(off.normal @ m.centre(m.v)) < 0.0:
            m.land = replace(m.land, hops=0).settling()


def moved_rigidly(
    m: Member, q: np.ndarray, h: float, x: np.ndarray | None = None
) -> np.ndarray:
    """The points of a body after a time h with rigid velocities q, from x or where it is."""
    x, d = m.x if x is None else x, m.system.dim
    if len(m.system.parts) != 1 or not m.free:
        return np.asarray(x + h * (m.motions(x) @ q).reshape(x.shape))
    spin = np.zeros(3)
    spin[3 - (len(q) - d):] = q[d:]
    c = in_space(m.centre(x)[None])
    out = (in_space(x) - c) @ rotation_matrix(spin * h).T + c
    return np.asarray(out[:, :d] + h * q[:d])


def fitted_rotation(a: np.ndarray, b: np.ndarray, masses: np.ndarray) -> np.ndarray:
    """The rotation (3, 3) that takes points a closest to b."""
    p, q = (in_space(y - masses @ y / masses.sum()) for y in (a, b))
    u, _, vt = np.linalg.svd((masses[:, None] * q).T @ p)
    return np.asarray(u @ np.diag([1.0, 1.0, float(np.sign(np.linalg.det(u @ vt)))]) @ vt)


def descent(
    d: float, goal: float, left: float, h: float, rest_in: float, within: float, begun: tuple[float, float] | None
) -> float:
    """The share of the distance d that is to be left after a time h; begun: of the critical curve."""
    after = within ** (h / (AFTER * rest_in))
    if left < 1e-6 * h:  # what is late makes haste
        return min(after, (goal / d) ** (h / max(h, HASTE * rest_in)) if d > goal else 1.0)
    if d <= goal:
        return within ** (h / rest_in)
    if left < h:  # the deadline is within this step: pass it at the goal
        return goal / d * after ** (1.0 - left / h)
    if begun is None:
        return (goal / d) ** (h / left)
    start, span = begun
    share = min(goal / start, 0.9) if start > 0.0 else 0.9
    s = _critical(share)
    t = span - left + h
    wanted = start * (1.0 + s * t / span) * math.exp(-s * t / span)
    return min(max(wanted / d, 1e-3), 1.0 - 1e-4)


def _critical(share: float) -> float:
    """s with (1 + s) e^-s = share."""
    from scipy.optimize import brentq

    return float(brentq(lambda s: math.log1p(s) - s - math.log(share), 1e-9, 700.0))


@dataclass
class GroupPlan:
    """How far a group of bodies that touch is to go in one part of a step."""

    bodies: tuple[int, ...]
    mask: np.ndarray
    open: np.ndarray
    basis: np.ndarray
    anchor: np.ndarray
    star: np.ndarray
    distance: float
    target: float
    weight: float
    still: bool
    low: float = 0.0
    high: float = math.inf

    def measured(self, step: LandingStep, y: np.ndarray) -> float:
        u = np.where(self.mask[:, None], y - self.star, 0.0)
        u = u - np.einsum("r,rnd->nd", np.einsum("rnd,nd->r", self.open, u), self.basis)
        return math.sqrt(float(step.system.masses @ (u * u).sum(1)))

    def missed(self, step: LandingStep, y: np.ndarray) -> float:
        """By how much the distance at y differs from the target, as a logarithm."""
        if self.still:
            return 0.0
        return abs(math.log(max(self.measured(step, y), 1e-300) / self.target))

    def correct(self, step: LandingStep, y: np.ndarray) -> None:
        got = self.measured(step, y)
        if got < self.target:
            self.low = self.weight
        else:
            self.high = self.weight
        guess = self.weight / 4.0
        if 0.0 < got < self.distance:
            guess = self.weight * (self.distance / got - 1.0) / (self.distance / self.target - 1.0)
        if not self.low < guess < self.high:
            if self.low > 0.0 and math.isfinite(self.high):
                guess = math.sqrt(self.low * self.high)
            else:
                guess = 4.0 * self.low if self.low > 0.0 else self.high / 4.0
        self.weight = guess

    def done(self, step: LandingStep, y: np.ndarray, h: float) -> None:
        got = self.measured(step, y)
        for k in self.bodies:
            m = step.members[k]
            m.land = replace(m.land, farthest=max(m.land.farthest, got))
