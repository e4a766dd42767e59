"""Where a body will land, and with whom it will touch, before a run."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pliant.bodies import Deformable
from pliant.control import HopLimits, Settle
from pliant.scenefile import Setup


@dataclass(frozen=True)
class FirstTouch:
    """A body that falls: how deep [m], when it touches [s], and the hops that it can make."""

    fall: float
    time: float
    hops: HopLimits


def first_touch(body: Deformable, setup: Setup) -> FirstTouch | None:
    """How a body lands that starts free in a scene with contact; None if it does not."""
    scene, settle = setup.scene, body.damping
    g = float(np.linalg.norm(scene.gravity))
    if body.pinned.any() or not g or not isinstance(settle, Settle):
        return None
    meeting = scene.problem("cpu", setup.stepper).meeting
    if meeting is None or not meeting.lands:
        return None
    system = meeting.island.system
    contact, array = system.contact, system.assembly.array
    assert contact is not None
    down, number = scene.gravity / g, scene.bodies.index(body)
    v = float(body.masses @ body.velocity @ down / body.masses.sum())
    reach = v * setup.seconds + 0.5 * g * setup.seconds**2
    x = np.concatenate([other.positions for other in scene.bodies])
    way = np.concatenate([np.full_like(b.positions, float(b is body)) for b in scene.bodies])
    contact.aim_at(scene.time)
    share = contact.step_limit(array(x), array(max(reach, 0.0) * way * down))
    gap = float(contact.surface.gap[contact.surface.body == number].max())
    fall = share * reach - gap
    if not (math.isfinite(share) and fall > 2.0 * gap):
        return None
    speed = math.sqrt(max(v * v + 2.0 * g * fall, 0.0))
    hops = HopLimits.of(
        settle.bounces or 0, speed=speed, gravity=g, rest_in=settle.rest_in, dt=setup.dt, gap=gap
    )
    return FirstTouch(fall, (speed - v) / g, hops)


def remarks_on_company(body: Deformable, setup: Setup) -> list[str]:
    """That nothing is promised to what touches a body without a wish."""
    others = [b.name for b in setup.scene.bodies if not isinstance(b.damping, Settle)]
    if setup.scene.problem("cpu", setup.stepper).meeting is None or not others:
        return []
    return [f"if it touches {', '.join(others)}, without settle, its time to rest is not promised"]
