"""Parts of a body that was cut: they touch what they were cut from, and fall past it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pliant.contact import ContactPoints

from .frame import Frame
from .member import Member

#: A part whose weight is carried to this share by what it was cut from does not fall past that.
CARRIED = 0.25


def falling_parts(frame: Frame, points: ContactPoints) -> set[int]:
    """The numbers of parts whose clock has not started: they touch only what they were cut from.

    As long as that does not carry them it is no landing: they move physically.
    """
    bodies, count = frame.contact.surface.bodies, len(frame.members)
    family = np.full(int(frame.owner.max()) + 1, -1)
    for m in frame.members:
        family[m.number] = bodies[m.bodies[0]].family
    found = set()
    for m in frame.members:
        if m.wish is None or not m.free or m.land.clock is not None or family[m.number] < 0:
            continue
        first, second = points.first == m.number, points.second == m.number
        others = np.where(first, points.second, points.first)[first | second]
        akin = (others < count) & (family[others] == family[m.number])
        if len(others) and akin.all() and not _is_carried(frame, m, points, first, second):
            found.add(m.number)
    return found


def _is_carried(
    frame: Frame, m: Member, points: ContactPoints, first: np.ndarray, second: np.ndarray
) -> bool:
    """Whether pushes bear a share of the weight, or there is none."""
    weight = m.acceleration(frame.time) * m.system.masses.sum()
    sign = first.astype(float) - second
    push = (sign * points.forces) @ points.normals
    return bool(-push @ weight >= CARRIED * (weight @ weight))


def as_landing(m: Member, falling: bool) -> None:
    """Start the clock of a part that fell past another one, and now touches something else."""
    if m.land.clock is None and not falling and m.land.hit is not None:
        m.land = replace(m.land.touches(m.x), hit=replace(m.land.hit, began=0.0))
