"""One part of a step of all bodies that touch something, as one minimisation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pliant.control import LandingStage
from pliant.errors import SolverError
from pliant.problem import (
    Difference,
    Inertia,
    MotionInertia,
    State,
    StepContext,
)
from pliant.solvers import Complement, Newton

from ..implicit import Implicit
from ..pushing import apart
from .frame import Frame
from .member import Member
from .open_motions import orthonormal, rigid_motions
from .release import mean_velocity
from .resting import FIRM, rest_shapes
from .schedule import GroupPlan, plan_group
from .supports import follow

#: A distance that misses its target by more than this share is corrected, so many times.
MISS, REVIEWS = 0.005, 12
#: By how much more firmly bodies are held in a part that could not be solved.
FIRMER = 10.0
#: How often a part with physical inertia is solved: friction knows the pushes of the last time.
LAPS = 3


@dataclass(eq=False)
class PartTerms:
    """What each body brings into the minimisation of a part.

    each: the inertia of every body. motions: more inertia of some motions. driven: M-orthonormal motions
    (r, n, d) that are not searched. physical: whether a body has all of its inertia.
    """

    each: list[Inertia] = field(default_factory=list)
    motions: list[MotionInertia] = field(default_factory=list)
    driven: list[np.ndarray] = field(default_factory=list)
    physical: bool = False


def solve(frame: Frame, flown: dict[int, State], h: float) -> np.ndarray:
    """Positions of all bodies after a part of h [s]; flown: the states of those that touch nothing."""
    system, x = frame.system, frame.x
    system.recall(frame.known)
    for m in frame.members:
        m.system.take_history(m.state.history)
    frame.h = h
    loads = frame.loads(h)
    load = loads.within(system.spaces.host)
    terms = _terms(frame, flown, h)
    frame.contact.aim_at(frame.time)
    label, frame.here = frame.together(frame.touches()), follow(frame, h)
    if system.meets_moving:
        for m in frame.members:
            frame.here[m.own] = flown[m.number].x if m.number in flown else frame.here[m.own]
        frame.here = apart(system, x, frame.here, load, frame.time + h, h)
    plans = _plans(frame, label, load, h)
    for plan in plans:
        for m in plan.group:
            terms.each[m.number] = Inertia(plan.weight, plan.anchor[m.own])
    difference = Difference.backward_euler(x, frame.v, h, system.spaces.host)
    air = tuple(loads.dissipation(difference, system.spaces.host.mixed, system.device))
    start = frame.spread([inertia.anchor for inertia in terms.each])
    start[system.pinned] = loads.pinned[system.pinned]
    y = apart(system, x, start, load, frame.time + h, h)
    y = _reviewed(frame, terms, plans, air, load, y, h)
    if frame.friction is not None:
        frame.bristles = frame.friction.bent(system.assembly.array(y))
    for plan in plans:
        plan.finish(y)
    frame.known = system.known(motion=frame.report.motion)
    return y


def _plans(frame: Frame, label: np.ndarray, load: np.ndarray, h: float) -> list[GroupPlan]:
    """How far every group of bodies that touch and settle is to go; label: of the group of each."""
    settling = [
        m for m in frame.members if m.wish is not None and m.land.stage is LandingStage.SETTLE
    ]
    if not settling:
        return []
    found = sorted({int(label[m.number]) for m in settling})
    groups = [[m for m in settling if label[m.number] == one] for one in found]
    rest, opens = rest_shapes(frame, groups, load, h)
    x = frame.x
    force = frame.system.assembly.gradient(frame.here, frame.rubs(x, x)) - load
    pairs = zip(groups, opens, strict=True)
    return [plan_group(frame, group, rest, Q, force, h) for group, Q in pairs]


def _terms(frame: Frame, flown: dict[int, State], h: float) -> PartTerms:
    """The inertia of all bodies, as if those that settle stood still."""
    terms, firm = PartTerms(), FIRM * (max(m.rate for m in frame.members) + 1.0 / h**2)
    for m in frame.members:
        if m.number in flown:
            terms.each.append(Inertia(firm, flown[m.number].x))
        elif m.wish is None:
            _without_wish(frame, m, h, terms)
            terms.physical = True
        elif m.land.stage is LandingStage.IMPACT:
            terms.each.append(Inertia(1.0 / h**2, m.x + h * m.v))
            terms.physical = True
        elif m.land.stage is LandingStage.RELEASE:
            _release(frame, m, h, terms)
        else:
            terms.each.append(Inertia(0.0, m.x))
    return terms


def _without_wish(frame: Frame, m: Member, h: float, terms: PartTerms) -> None:
    """A body whose damping is no `Settle`. The inertia of its rigid motion is physical."""
    loads = m.loads.at(frame.time + h).where(m.x)
    controls, ahead, drift = m.problem.damping.controlled, m.x + h * m.v, m.v
    if controls:
        rates = m.rates(m.v, m.x)
        ahead, drift = m.carried(m.x, rates, h), m.v - (m.motions(m.x) @ rates).reshape(m.v.shape)
    context = StepContext(
        mechanics=m.system,
        time=loads.time,
        dt=h,
        x_old=m.x,
        velocity=m.v,
        x=ahead,
        drift=drift,
        load=loads.within(m.system.spaces.host),
        complement=m.system.unrestricted,
        rest=m.x,
        moving=False,
    )
    inertia = m.problem.damping.inertia(context)
    terms.each.append(inertia)
    if controls:
        whole = frame.x
        whole[m.own] = ahead
        rigid = orthonormal(frame, rigid_motions(frame, [m], whole))
        more = 1.0 / h**2 - inertia.weight
        if len(rigid):  # pins leave none
            terms.motions.append(MotionInertia(frame.masses * rigid, whole, more))


def _release(frame: Frame, m: Member, h: float, terms: PartTerms) -> None:
    """A body that takes off: its rigid motion is known, and only its deformation is searched."""
    off = m.land.take_off
    assert off is not None and m.wish is not None
    there = m.carried(m.x, mean_velocity(off, h, m.acceleration(frame.time + h)), h)
    share = m.wish.within ** min(0.5, h / off.lasts)
    terms.each.append(Inertia(m.rate / (1.0 / share - 1.0), there))
    whole = frame.x
    whole[m.own] = there
    terms.driven.append(orthonormal(frame, rigid_motions(frame, [m], whole)))


def _reviewed(
    frame: Frame,
    terms: PartTerms,
    plans: Sequence[GroupPlan],
    air: Sequence[Any],
    load: np.ndarray,
    y: np.ndarray,
    h: float,
) -> np.ndarray:
    """Solve until all distances are as planned, and friction knows its pushes."""
    x, start, best, least, lap = frame.x, y, y, np.inf, 1
    rubs, complement = frame.rubs(x, x), _complement(frame, terms.driven)
    newton = _newton(frame, terms, plans)
    for _ in range(REVIEWS):
        motions = list(terms.motions)
        for plan in plans:
            for k, m in enumerate(plan.group):
                terms.each[m.number] = Inertia(plan.weight_of(k), plan.anchor[m.own])
            if len(plan.open):
                moves = frame.masses * plan.open
                motions.append(MotionInertia(moves, plan.anchor, 1.0 / h**2 - plan.weight))
        inertia = frame.inertia(terms.each, air, rubs)
        try:
            y = frame.minimise(
                newton, replace(inertia, motions=tuple(motions)), load, complement, y
            )
        except SolverError:
            if np.isfinite(least):
                break
            if not plans:
                raise
            y = start
            for plan in plans:  # what is held more firmly is easier to solve
                plan.weight *= FIRMER
            continue
        missed = max((plan.missed(y) for plan in plans), default=0.0)
        if missed < least:
            best, least = y, missed
        if terms.physical and rubs and lap < LAPS:
            lap, least = lap + 1, np.inf
            rubs = frame.rubs(x, y)
            continue
        if missed <= MISS:
            break
        for plan in plans:
            if plan.missed(y) > MISS:
                plan.correct(y)
    if not np.isfinite(least):
        raise SolverError(f"the step to t = {frame.time:.6g} s failed in contact. Try a smaller dt")
    return best


def _newton(frame: Frame, terms: PartTerms, plans: Sequence[GroupPlan]) -> Newton:
    """Momentum between bodies that collide in space is only as exact as the step."""
    exact = not plans and not terms.driven and not frame.system.touches_obstacle(frame.x)
    tolerance = frame.stepper.tolerance if isinstance(frame.stepper, Implicit) else 0.0
    return Newton(relative=0.0 if exact else tolerance, brief=True)


def _complement(frame: Frame, driven: Sequence[np.ndarray]) -> Complement:
    """All directions but those of motions that are driven."""
    if not driven:
        return frame.system.unrestricted
    basis = np.concatenate(driven)
    return Complement(frame.system.spaces.host, basis, frame.masses * basis)
