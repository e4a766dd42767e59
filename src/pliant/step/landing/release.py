"""The take-off of a hop: rigid motion that is driven, and then ballistic until nothing touches."""

from __future__ import annotations

import numpy as np

from pliant.contact import ContactPoints
from pliant.control import TakeOff
from pliant.problem import State

from .frame import Frame
from .member import Member
from .open_motions import rigid_motions


def drives(off: TakeOff) -> bool:
    """Whether the body is still driven."""
    return off.elapsed < off.lasts * (1.0 - 1e-9)


def velocity_after(off: TakeOff, h: float, acceleration: np.ndarray) -> np.ndarray:
    """The rigid velocity after another h [s]; acceleration [m/s^2]: of free fall, (d,).

    Elastic forces that have not done their work yet add nothing: a hop is as high as it was planned.
    """
    time = off.elapsed + h
    out = np.asarray(off.turn + min(time / off.lasts, 1.0) * (off.end - off.turn))
    out[: len(acceleration)] += max(time - off.lasts, 0.0) * acceleration
    return out


def mean_velocity(off: TakeOff, h: float, acceleration: np.ndarray) -> np.ndarray:
    """The rigid velocity over the next h [s], which do not go beyond the end of the drive."""
    ends = (velocity_after(off, t, acceleration) for t in (0.0, h))
    return np.asarray(0.5 * sum(ends))


def hop_work(frame: Frame, m: Member, before: State, points: ContactPoints) -> float:
    """The work [J] of what drives a body in a part of a step: all that loads and contact do not do.

    before: the body at the beginning of the part; points: where bodies touch now. The way that it has
    gone counts: something may have been in its way.
    """
    way = m.rates(m.x - before.x, before.x)
    load = m.loads.at(frame.time).where(m.x).within(m.system.spaces.host)
    R = rigid_motions(frame, [m], frame.x)
    pushed = points.push(R) + np.einsum("nd,ndr->r", load, R[m.own])
    return m.rigid_energy(m.v, m.x) - m.rigid_energy(before.v, before.x) - float(pushed @ way)
