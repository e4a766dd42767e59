"""What bodies do next: the transitions between flight, impact, release and settling."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pliant.contact import ContactPoints, clearance, touching_themselves
from pliant.control import Hit, LandingStage, LandingState, TakeOff

from .cut_parts import as_landing, falling_parts
from .frame import STAGES, Frame
from .member import Member
from .open_motions import rigid_motions
from .release import drives
from .supports import blows
from .taking_off import take_off

log = logging.getLogger("pliant")

#: An impact lasts at most so many times as long as a wave takes to cross the body.
LONGEST_IMPACT = 12.0
#: It is over when what is stored has fallen below the first share of the most; before no hop only if
#: bodies come in with less than the second share of the speed with which they touched: barriers tremble.
TURNED, COMES_IN = 0.999, 0.25
#: Share of the time to rest that must be left for a deadline to stand after another blow.
ENOUGH = 0.3
#: What settles flies again when it is so many gaps away from everything.
AWAY = 4.0


def advance(frame: Frame, points: ContactPoints, h: float) -> None:
    """Put every body with a wish into the stage that it is in after a part of h [s].

    points: where bodies touch now.
    """
    label = frame.together(points)
    touching = np.isin(np.arange(len(frame.members)), [points.first, points.second])
    hit = blows(frame, points, h)
    struck = [int(label[number]) for number in hit]
    x = frame.system.assembly.array(frame.x)
    folded = touching_themselves(frame.contact, x, frame.owner)
    falling = falling_parts(frame, points)
    for m in frame.members:
        touches = bool(touching[m.number])
        if m.wish is None:
            m.land = LandingState(stage=STAGES[touches])
            continue
        if m.land.stage is LandingStage.FLIGHT:
            m.flown()
            if m.number in falling:
                m.land = _hit(frame, m, points, h)
            elif touches and _touched(frame, m, points, h):
                struck.append(int(label[m.number]))
            elif not touches and m.number in folded:
                m.land = m.land.touches(m.x).settling()
        elif m.land.stage is LandingStage.IMPACT:
            if touches:
                as_landing(m, m.number in falling)
            _pushed(frame, m, points, h)
        elif m.land.stage is LandingStage.RELEASE:
            _released(frame, m, touches, h)
        elif m.free and not touches and is_away(frame, m):
            m.land = m.land.flying()
    for m in frame.members:
        if int(label[m.number]) in struck and m.wish is not None and m.free:
            _struck(frame, m, points, h)
    for one in set(label.tolist()):
        every = [m for m in frame.members if label[m.number] == one]
        _tell_company(frame, every)
        group = [m for m in every if m.land.clock is not None or m.land.hit is None]
        _in_space(frame, [m for m in every if m not in group], points, touching, h)
        if _is_supported(frame, group, points):
            _end_impact(frame, group)
        else:
            _in_space(frame, group, points, touching, h)


def _tell_company(frame: Frame, group: Sequence[Member]) -> None:
    """Say that bodies which touch one that is not to rest on cue are promised no time."""
    others = [m.problem.name for m in group if m.wish is None]
    for m in group:
        if others and m.wish is not None and m.land.promised:
            m.land = replace(m.land, promised=False)
            log.warning(
                "t = %.3g s: %s touches %s, which has no Settle: its time to rest is not promised",
                *(frame.time, m.problem.name, " and ".join(others)),
            )


def _is_supported(frame: Frame, group: Sequence[Member], points: ContactPoints) -> bool:
    """Whether bodies touch an obstacle, or did so in this impact, or pins hold one of them."""
    numbers, count = [m.number for m in group], len(frame.members)
    mine = np.isin(points.first, numbers) | np.isin(points.second, numbers)
    fixed = (points.first >= count) | (points.second >= count)
    if (mine & fixed).any() or any(not m.free for m in group):
        for m in group:
            if m.land.hit is not None:
                m.land = replace(m.land, hit=replace(m.land.hit, supported=True))
        return True
    return any(m.land.hit is not None and m.land.hit.supported for m in group)


def _in_space(
    frame: Frame, group: Sequence[Member], points: ContactPoints, touching: np.ndarray, h: float
) -> None:
    """Bodies that only touch each other collide physically, so that momentum is kept."""
    for m in (m for m in group if m.wish is not None):
        if m.land.stage is LandingStage.IMPACT and not touching[m.number]:
            m.land = m.land.flying()
        elif m.land.stage is LandingStage.SETTLE and touching[m.number]:
            m.land = _hit(frame, m, points, h)


def _touched(frame: Frame, m: Member, points: ContactPoints, h: float) -> bool:
    """A flying body touches something; returns whether it is hit. What pins hold settles at once."""
    m.land = m.land.touches(m.x)
    if not m.free:
        m.land = m.land.settling()
        return False
    m.land = _hit(frame, m, points, h)
    return True


def _hit(frame: Frame, m: Member, points: ContactPoints, h: float) -> LandingState:
    """Its state when an impact begins."""
    rates, stored = m.rates(m.v, m.x), m.system.stored(m.x)
    mine = (points.first == m.number) | (points.second == m.number)
    forces = points.forces[mine]
    ways = frame.obstacle_ways(points, frame.time - h, frame.time)[mine]
    ground = forces @ ways / (h * max(float(forces.sum()), 1e-300))
    hit = Hit(m.clock, m.centre(m.v) - ground, np.zeros(len(rates)), stored, ground)
    return replace(m.land, stage=LandingStage.IMPACT, hit=hit, take_off=None)


def _struck(frame: Frame, m: Member, points: ContactPoints, h: float) -> None:
    """Something has hit a body that was at rest, or nearly.

    Its deadline stands if enough time is left, else its clock starts anew.
    """
    if m.land.stage is not LandingStage.SETTLE or m.wish is None:
        return
    if m.wish.rest_in - m.clock < ENOUGH * m.wish.rest_in:
        m.land = m.land.restarted(m.x)
    m.land = _hit(frame, m, points, h)


def _pushed(frame: Frame, m: Member, points: ContactPoints, h: float) -> None:
    """Add up what contact does to a body in an impact."""
    hit = m.land.hit
    assert hit is not None
    impulse = hit.impulse + h * points.push(rigid_motions(frame, [m], frame.x))
    mine = (points.first == m.number) | (points.second == m.number)
    ways = frame.obstacle_ways(points, frame.time - h, frame.time)
    pushed = np.where(mine, points.forces, 0.0) @ np.einsum("kd,kd->k", points.normals, ways)
    hit = replace(hit, impulse=impulse, pushed=hit.pushed + float(pushed))
    m.land = replace(m.land, hit=hit)


def _end_impact(frame: Frame, group: Sequence[Member]) -> None:
    """The impact of bodies that touch is over when they come in no further."""
    hits = [(m, m.land.hit) for m in group if m.land.stage is LandingStage.IMPACT and m.land.hit]
    if not hits:
        return
    stored = _barriers(frame, group)
    stored += sum(m.system.stored(m.x) for m, _ in hits)
    most = max(stored, *(hit.stored for _, hit in hits))
    work = sum(float(hit.impulse @ m.rates(m.v, m.x)) - hit.pushed for m, hit in hits)
    came = sum(float(hit.impulse[: len(hit.velocity)] @ hit.velocity) for _, hit in hits)
    # A hop that begins too soon is driven to its speed all the same.
    slow = any(m.land.hops for m, _ in hits) or work >= COMES_IN * min(came, 0.0)
    turned = stored < TURNED * most and slow
    late = all(m.clock - hit.began > LONGEST_IMPACT / math.sqrt(m.rate) for m, hit in hits)
    begins = all(m.clock == hit.began for m, hit in hits)
    for m, hit in hits:
        m.land = replace(m.land, hit=replace(hit, stored=most))
    if begins or not (turned or work >= 0.0 or late):
        return
    for m, _ in hits:
        if m.land.squashed is None:
            m.land = replace(m.land, squashed=m.x)
        off, hops = take_off(frame, m)
        m.land = _hopping(m, off, hops) if off is not None else replace(m.land, hops=0).settling()


def _barriers(frame: Frame, group: Sequence[Member]) -> float:
    """The energy [J] of the barriers of a group: others may be in another stage."""
    x, numbers = frame.system.assembly.array(frame.x), [m.number for m in group]
    if frame.friction is None:
        return float(frame.contact.value(x))
    found = frame.friction.touching(x)
    first, second = frame.owner[found.first], frame.owner[found.second]
    mine = np.isin(first, numbers) | np.isin(second, numbers)
    return float(found.energies[mine].sum())


def _hopping(m: Member, off: TakeOff, hops: int) -> LandingState:
    """Its state when a hop begins, after which so many are left."""
    made = m.land.made + 1
    return replace(m.land, stage=LandingStage.RELEASE, take_off=off, hops=hops, made=made)


def _released(frame: Frame, m: Member, touches: bool, h: float) -> None:
    """A body that takes off flies when it touches nothing, and settles if it falls back."""
    off = m.land.take_off
    assert off is not None
    m.land = replace(m.land, take_off=replace(off, elapsed=off.elapsed + h))
    assert m.land.take_off is not None
    if drives(m.land.take_off):
        return
    speed = float(off.normal @ (m.centre(m.v) - off.turn[: m.system.dim]))  # off the ground
    if not touches:
        if m.land.highest is None:
            fall = -float(off.normal @ m.acceleration(frame.time))
            m.land = replace(m.land, highest=m.x + 0.5 * speed**2 / fall * off.normal)
        m.land = m.land.flying()
    elif speed < 0.0:
        m.land = replace(m.land, hops=0).settling()


def is_away(frame: Frame, m: Member) -> bool:
    """Whether a body is far enough from everything to fly."""
    mine = np.zeros_like(frame.met)
    mine[m.number] = mine[:, m.number] = True
    x = frame.system.assembly.array(frame.x)
    return clearance(frame.contact, x, mine, frame.owner) > AWAY - 1.0
