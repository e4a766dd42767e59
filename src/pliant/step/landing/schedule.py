"""How far bodies that touch go towards where they will rest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pliant.control import descent

from .frame import Frame
from .member import Member
from .open_motions import inside

#: Distances below this share of the size of a body are rounding.
STILL = 1e-9


@dataclass(eq=False)
class GroupPlan:
    """One part of a step of a group of bodies that touch: all follow one schedule.

    The distance is in the norm of masses, without motions that are open, (r, n, d): their inertia is
    physical, and their momentum leads to the anchor, (n, d). weight [1/s^2]: with which all else is
    held; it is corrected until the distance is the target.
    """

    group: Sequence[Member]
    mask: np.ndarray
    open: np.ndarray
    anchor: np.ndarray
    rest: np.ndarray
    masses: np.ndarray
    distance: float = 0.0
    target: float = 0.0
    weight: float = 0.0
    low: float = 0.0
    high: float = math.inf

    def departure(self, x: np.ndarray) -> np.ndarray:
        """From the rest shape, without what is open, (n, d)."""
        u = np.where(self.mask, x - self.rest, 0.0)
        amounts = np.einsum("rnd,nd->r", self.open, self.masses * u)
        return np.asarray(u - np.einsum("r,rnd->nd", amounts, self.open))

    def measured(self, x: np.ndarray) -> float:
        """The distance of x from the rest shape."""
        return math.sqrt(float((self.masses * self.departure(x) ** 2).sum()))

    def missed(self, x: np.ndarray) -> float:
        """By how much the distance of x differs from the target, as a logarithm."""
        if not self.target:
            return 0.0
        return abs(math.log(max(self.measured(x), 1e-300) / self.target))

    def correct(self, x: np.ndarray) -> None:
        """Choose a better weight after a step to x: the distance grows with it."""
        reached = self.measured(x)
        self.low, self.high = (
            (self.weight, self.high) if reached < self.target else (self.low, self.weight)
        )
        guess = 0.25 * self.weight
        if 0.0 < reached < self.distance:
            left, wanted = self.distance / reached - 1.0, self.distance / self.target - 1.0
            guess = self.weight * left / wanted
        if not self.low < guess < self.high:
            guess = 4.0 * self.low if self.low > 0.0 else 0.25 * self.high
            if self.low > 0.0 and math.isfinite(self.high):
                guess = math.sqrt(self.low * self.high)
        self.weight = guess

    def finish(self, x: np.ndarray) -> None:
        """Keep the largest distance since the clock started."""
        reached = self.measured(x)
        for m in self.group:
            m.land = replace(m.land, farthest=max(m.land.farthest, reached))


def plan_group(
    frame: Frame,
    group: Sequence[Member],
    rest: np.ndarray,
    motions: np.ndarray,
    force: np.ndarray,
    h: float,
) -> GroupPlan:
    """How far a group is to go in a part of h [s]; force: the gradient of the potential [N]."""
    x, mask = frame.x, inside(frame, group)
    amounts = np.einsum("rnd,nd->r", motions, frame.masses * frame.v)
    along = _braked(group, h) * np.einsum("r,rnd->nd", amounts, motions)
    plan = GroupPlan(group, mask, motions, x + h * along, rest, frame.masses)
    u = plan.departure(x)
    plan.distance = d = plan.measured(x)
    share = _share(frame, plan, h)
    rate = max(m.rate for m in group)
    work = float((u * np.where(mask, force, 0.0)).sum())
    stiffness = work / d**2 if work > 0.0 else rate
    plan.weight = stiffness / (1.0 / share - 1.0)
    if d > STILL * max(m.system.span for m in group):
        plan.target = share * d
    return plan


def _braked(group: Sequence[Member], h: float) -> float:
    """What is left of the speed of sliding after a part of h [s]."""
    wishes = [m.wish for m in group if m.wish is not None and not m.wish.slide]
    return min((w.within ** (h / w.rest_in) for w in wishes), default=1.0)


def _share(frame: Frame, plan: GroupPlan, h: float) -> float:
    """The share of the distance that a part of h [s] leaves; the schedule begins if there is none."""
    wishes = [(m, m.wish) for m in plan.group if m.wish is not None]
    left = max(wish.rest_in - m.clock for m, wish in wishes)
    within, rest_in = min(w.within for _, w in wishes), max(w.rest_in for _, w in wishes)
    if any(m.land.begun is None for m in plan.group):
        far = max(plan.distance, *(_marked(frame, plan, i) for i in range(3)))
        for m in plan.group:
            begun = (plan.distance, max(left, frame.dt))
            m.land = replace(m.land, begun=begun, farthest=max(far, m.land.farthest))
    goal = within * max(m.land.farthest for m in plan.group)
    soft = all(wish.bounces == 0 for _, wish in wishes)
    begun_at = plan.group[0].land.begun if soft else None
    return descent(plan.distance, goal, left, h, rest_in=rest_in, within=within, begun=begun_at)


def _marked(frame: Frame, plan: GroupPlan, i: int) -> float:
    """The distance of the i-th of the positions that were marked as far away; 0 if there is none."""
    x = plan.rest.copy()
    for m in plan.group:
        if m.land.marks:
            x[m.own] = m.land.marks[min(i, len(m.land.marks) - 1)]
    return plan.measured(x)
