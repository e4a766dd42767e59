"""How a body that has landed takes off again."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pliant.control import Hop, Landing, TakeOff, hop_until, next_hop, resting_sides
from pliant.mesh import in_space

from .frame import Frame
from .member import Member

log = logging.getLogger("pliant")

#: Hops that end earlier than asked for by more than this share of the time to rest are announced.
EARLY = 0.05


def take_off(frame: Frame, m: Member) -> tuple[TakeOff | None, int]:
    """The next hop of a body at the turn of an impact, None if there is none, and how many are left."""
    if not m.land.hops:
        return None, 0
    landing = _landing(frame, m)
    if landing is None:
        parts = len(m.system.parts)
        log.warning(
            "t = %g s: %s makes no more hops, of which %d were left: %s",
            *(frame.time, m.problem.name, m.land.hops),
            f"it is in {parts} parts"
            if parts > 1
            else "its weight does not lie on what it has hit",
        )
        return None, 0
    assert m.wish is not None
    if m.wish.beats is not None:
        return _on_the_beat(frame, m, landing, m.wish.beats)
    hop, count = next_hop(
        landing,
        hops=m.land.hops,
        left=m.wish.rest_in - m.clock,
        rest_in=m.wish.rest_in,
        within=m.wish.within,
        dt=frame.dt,
        top=_top(m, landing),
    )
    if count < m.land.hops:
        log.warning(
            "t = %g s: %s can make %d of %d hops in the %.3g s that are left",
            *(frame.time, m.problem.name, count, m.land.hops, m.wish.rest_in - m.clock),
        )
    if hop is None:
        return None, 0
    if hop.early > EARLY * m.wish.rest_in and not m.land.told:
        m.land = replace(m.land, told=True)
        log.warning(
            "t = %g s: the hops of %s (%d) end %.3g s before it is to rest: they last no longer. "
            "Ask for rest_in=%.3g, or for more of them",
            *(frame.time, m.problem.name, count, hop.early, m.wish.rest_in - hop.early + hop.kept),
        )
    return _driven(m, landing, hop), count - 1


def _on_the_beat(
    frame: Frame, m: Member, landing: Landing, beats: Sequence[float]
) -> tuple[TakeOff | None, int]:
    """The hop that touches again at the next beat for which there is time, and how many are left."""
    assert m.wish is not None
    for left in range(m.land.hops, 0, -1):
        beat = beats[len(beats) - left]
        hop, early = hop_until(landing, beat - m.clock, rest_in=m.wish.rest_in)
        if hop is None:
            log.warning(
                "t = %g s: %s cannot touch again at its beat of %.3g s: there is no time to take off",
                *(frame.time, m.problem.name, beat),
            )
            continue
        if early > frame.dt:
            log.warning(
                "t = %g s: %s touches %.3g s before its beat of %.3g s: it hops no higher than it fell",
                *(frame.time, m.problem.name, early, beat),
            )
        return _driven(m, landing, hop), left - 1
    return None, 0


def _driven(m: Member, landing: Landing, hop: Hop) -> TakeOff:
    """How a hop begins."""
    dim = m.system.dim
    up, turn = landing.up[:dim], m.rates(m.v, m.x)
    assert m.land.hit is not None
    turn[:dim] += up * float(up @ (m.land.hit.ground - turn[:dim]))
    end = turn.copy()
    end[:dim] += hop.speed * up
    end[dim:] = hop.spin[2:] if dim == 2 else hop.spin
    return TakeOff(hop.lasts, up, turn, end)


def _landing(frame: Frame, m: Member) -> Landing | None:
    """A body at the turn; None if it did not come down on anything."""
    hit, touched, dim = m.land.hit, m.land.touched, m.system.dim
    assert hit is not None and touched is not None
    impulse = hit.impulse[:dim]
    length = float(np.linalg.norm(impulse))
    if length == 0.0 or len(m.system.parts) != 1:
        return None
    up = impulse / length
    gravity, speed = -float(m.acceleration(frame.time) @ up), -float(hit.velocity @ up)
    if gravity <= 0.0 or speed <= 0.0:
        return None
    surface = frame.contact.surface
    mine = np.isin(surface.body, m.bodies)
    gap, radius = float(surface.gap[mine].max()), float(surface.radius[mine].max())
    ground = float((touched @ up).min()) - radius - 0.5 * gap
    shape, masses = m.shape, m.system.masses
    pose = _pose(m)
    stiff = in_space(shape - m.centre(shape)) @ pose.T
    return Landing(
        up=np.pad(up, (0, 3 - dim)),
        gravity=gravity,
        speed=speed,
        centre=float(m.centre(m.x) @ up) - ground,
        standing=float(m.centre(touched) @ up) - ground,
        pose=pose,
        spin=m.spin(m.rates(m.v, m.x)),
        sides=resting_sides(shape, masses),
        compressing=m.clock - hit.began,
        squash=m.norm(in_space(m.x - m.centre(m.x)) - stiff) / math.sqrt(float(masses.sum())),
        gap=gap,
    )


def _pose(m: Member) -> np.ndarray:
    """The rotation of a body from its undeformed shape, (3, 3)."""
    shape = m.shape
    now, then = in_space(m.x - m.centre(m.x)), in_space(shape - m.centre(shape))
    u, _, vt = np.linalg.svd((m.system.masses[:, None] * now).T @ then)
    return np.asarray(u @ np.diag([1.0, 1.0, float(np.sign(np.linalg.det(u @ vt)))]) @ vt)


def _top(m: Member, landing: Landing) -> float:
    """How high the centre was above where it touched, since the clock started [m]."""
    if m.land.highest is None or m.land.touched is None:
        return 0.0
    rise = m.centre(m.land.highest) - m.centre(m.land.touched)
    return float(rise @ landing.up[: m.system.dim])
