"""Hops on cue: with what velocity a body takes off so that it rests in time."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.spatial import ConvexHull, QhullError
from scipy.spatial.transform import Rotation

#: No hop leaves the ground with more than this share of the speed of the landing before it.
MOST_RESTITUTION = 0.95
#: How much longer contact lasts in a later landing, which is softer.
SLOWER = 1.2
#: The share of the speed of the hop before, for hops that are nearly alike.
ALIKE = 0.9
#: A hop lasts so many steps at least, and rises by so many gaps.
LEAST_STEPS, LEAST_GAPS = 1.5, 2.0
#: Of the time to rest: what is kept for the last squash at most, and for landings that turn.
FOR_SQUASH, FOR_TURNING = 0.15, 0.05
#: A squash of this share of what counts as rest may be seen: estimates are that rough.
BARELY_SEEN = 0.5
#: What turns by less than this [rad] lands as it took off.
TURNS = 0.1


@dataclass(frozen=True, eq=False)
class Side:
    """A side of the hull of a body on which it can rest: its normal (3,) and the centre's height [m]."""

    normal: np.ndarray
    height: float


def resting_sides(points: np.ndarray, masses: np.ndarray) -> list[Side]:
    """The sides of the hull of undeformed points (n, d) on which the body would not tip over."""
    dim = points.shape[1]
    centred = points - masses @ points / masses.sum()
    try:
        hull = ConvexHull(centred).equations
    except (QhullError, ValueError):  # a sheet or a straight rod
        return []
    planes = np.unique(np.round(hull / np.linalg.norm(hull[:, :-1], axis=1)[:, None], 9), axis=0)
    size = float(np.ptp(points, axis=0).max())
    sides = []
    for plane in planes:
        normal, height = plane[:-1], -plane[-1]
        foot = height * normal  # of the centre on the side
        if (planes[:, :-1] @ foot + planes[:, -1] < 1e-7 * size).all():
            sides.append(Side(np.pad(normal, (0, 3 - dim)), float(height)))
    return sides


@dataclass(frozen=True, eq=False)
class Landing:
    """A body at the turn of an impact, before a hop.

    up, (3,): the normal of the ground. gravity [m/s^2]: along -up. speed [m/s]: with which it came in.
    centre [m]: the height of its centre of mass above the ground. standing [m]: that when it touched.
    pose, (3, 3): its rotation. spin [rad/s], (3,). sides: on which it can land. compressing [s]: how
    long it took to the turn. squash [m]: how far it is deformed, rms. gap [m]: of contact.
    """

    up: np.ndarray
    gravity: float
    speed: float
    centre: float
    standing: float
    pose: np.ndarray
    spin: np.ndarray
    sides: list[Side]
    compressing: float
    squash: float
    gap: float

    def side_after(self, time: float) -> tuple[np.ndarray, float]:
        """The spin with which it lands flat after a time [s], and the height of its centre then."""
        if not self.sides:
            return self.spin, self.standing
        turned = Rotation.from_rotvec(self.spin * time)
        after = turned.as_matrix() @ self.pose
        side = max(self.sides, key=lambda s: float(-self.up @ (after @ s.normal)))
        now = after @ side.normal
        axis, cosine = np.cross(now, -self.up), float(-self.up @ now)
        sine = float(np.linalg.norm(axis))
        more = axis / sine * math.atan2(sine, cosine) if sine > 1e-12 else np.zeros(3)
        whole = (Rotation.from_rotvec(more) * turned).as_rotvec()
        return np.asarray(whole / time), side.height

    def hop(self, e: float, lasts: float) -> tuple[float, float]:
        """Time to the next touch [s], and the speed at the end of the drive [m/s].

        e: the share of the speed of this landing with which it touches next. A drive of so many seconds
        to a speed v ends at a height z below that of the next touch (the body is still squashed), from
        where it flies: the touch has the speed u = e V with u^2 = v^2 + 2 g z.
        """
        V, g = self.speed, self.gravity
        u, v, T = e * V, e * V, 2.0 * e * V / g
        half = 0.5 * g * lasts
        for _ in range(3):  # the side depends on the time, and the time on the height of that side
            z = self.centre - self.side_after(max(T, 1e-6))[1]
            v = math.sqrt(max(half**2 + u**2 - 2.0 * g * z, half**2)) - half
            T = (v + u) / g
        return lasts + T, v

    def driving(self, rest_in: float) -> float:
        """How long a body that is to rest in so many seconds is driven up [s]."""
        return min(max(self.compressing, 1e-9), 0.15 * rest_in)


@dataclass(frozen=True, eq=False)
class Hop:
    """The next hop: speed up from the ground [m/s], spin [rad/s] (3,), and the time to speed up [s].

    early [s]: how long before the deadline the last hop ends, where hops cannot last longer. kept [s]:
    for what is seen after it.
    """

    speed: float
    spin: np.ndarray
    lasts: float
    early: float
    kept: float


def next_hop(
    landing: Landing,
    *,
    hops: int,
    left: float,
    rest_in: float,
    within: float,
    dt: float,
    top: float,
) -> tuple[Hop | None, int]:
    """The next of so many hops, and how many there can be; None if there can be none.

    left [s]: to the deadline. top [m]: the largest height above rest so far.

        T_1(e) + sum over later hops (2 e^i V/g + contact time) = left - reserve
    """
    lasts = landing.driving(rest_in)
    for count in range(hops, 0, -1):
        hop = _solved(landing, count, lasts, left, rest_in, within, dt, top)
        if hop is not None:
            return hop, count
    return None, 0


def hop_until(landing: Landing, time: float, *, rest_in: float) -> tuple[Hop | None, float]:
    """The hop that lasts so long, and how much earlier it ends [s]; None if it is too short."""
    from scipy.optimize import brentq  # takes 29 MB, and a tenth of a second

    lasts = min(landing.driving(rest_in), 0.5 * time)

    def miss(e: float) -> float:
        return landing.hop(e, lasts)[0] - time

    if time <= 0.0 or miss(1e-3) >= 0.0:
        return None, 0.0
    e = MOST_RESTITUTION
    if miss(e) > 0.0:
        e = float(brentq(miss, 1e-3, MOST_RESTITUTION, xtol=1e-9))
    T, speed = landing.hop(e, lasts)
    spin = landing.side_after(max(T - lasts, 1e-6))[0]
    return Hop(speed, spin, lasts, 0.0, 0.0), max(time - T, 0.0)


def _solved(
    landing: Landing,
    count: int,
    lasts: float,
    left: float,
    rest_in: float,
    within: float,
    dt: float,
    top: float,
) -> Hop | None:
    from scipy.optimize import brentq

    V, g, contact = landing.speed, landing.gravity, SLOWER * (landing.compressing + lasts)

    def first(e: float) -> tuple[float, float]:
        return landing.hop(e, lasts)

    def spent(e: float, fall: float | None) -> float:
        later = sum(2.0 * e * (fall or e) ** i * V / g + contact for i in range(1, count))
        return first(e)[0] + later

    def solve(reserve: float, fall: float | None) -> float:
        def miss(e: float) -> float:
            return spent(e, fall) - (left - reserve)

        least = 1e-3
        if miss(MOST_RESTITUTION) < 0.0:
            return MOST_RESTITUTION
        return (
            least if miss(least) > 0.0 else float(brentq(miss, least, MOST_RESTITUTION, xtol=1e-6))
        )

    e = solve(0.0, None)
    reserve = _reserve(landing, e, count, first(e)[0], rest_in, within, top)
    short = min(reserve, landing.compressing)
    some = 0.5 * (reserve + short)
    # Where the last hop would be too low, less time is kept, and hops are nearly alike.
    choices = ((reserve, None), (some, None), (reserve, ALIKE), (some, ALIKE), (short, ALIKE))
    for kept, fall in (*choices, (short, MOST_RESTITUTION)):
        e = solve(kept, fall)
        time, speed = first(e)
        last = e * (fall or e) ** (count - 1) * V  # the speed of the last hop
        if last**2 / (2.0 * g) > LEAST_GAPS * landing.gap and 2.0 * last / g > LEAST_STEPS * dt:
            spin = landing.side_after(max(time - lasts, 1e-6))[0]
            early = left - spent(e, fall) if e == MOST_RESTITUTION else 0.0
            return Hop(speed, spin, lasts, max(early, 0.0), kept)
    return None


def _reserve(
    landing: Landing,
    e: float,
    count: int,
    time: float,
    rest_in: float,
    within: float,
    top: float,
) -> float:
    """The time [s] to keep for what is seen after the last hop: its squash, or a landing askew."""
    height = (e * landing.speed) ** 2 / (2.0 * landing.gravity)
    highest = max(top, height, landing.squash)
    seen = landing.squash * e**count / (within * highest)
    reserve = 0.0
    if seen > BARELY_SEEN:
        reserve = landing.compressing + FOR_SQUASH * rest_in * min(1.0, max(0.0, math.log10(seen)))
    turn = float(np.linalg.norm(landing.side_after(max(time, 1e-6))[0])) * time
    return max(reserve, FOR_TURNING * rest_in) if turn > TURNS else reserve
