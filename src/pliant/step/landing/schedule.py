"""How far bodies that touch go towards where they will rest."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pliant.control import descent

from .frame import Frame
from .member import Member
from .open_motions import inside
from .pace import goal_of, keep_pace
from .taking_off import EARLY

log = logging.getLogger("pliant")

#: Distances below this share of the size of a body are rounding.
STILL = 1e-9
#: Bodies stand still if the target is below the first share of the distance that they reach, and that
#: is above the second share of the distance before.
HELD_BACK, PROGRESS = 0.9, 0.95
#: A weight that leaves the distance as it is by this share is not told from one that leaves all of it.
UNFELT = 1e-6
#: What is pulled is held with so many times the rate at which loads would move it by its size.
FIRMNESS = 10.0


@dataclass(eq=False)
class GroupPlan:
    """One part of a step of a group of bodies that touch: all follow one schedule.

    The distance is in the norm of masses, without motions that are open, (r, n, d): their inertia is
    physical, and their momentum leads to `coasts`, (n, d). weight [1/s^2]: with which all else is held;
    it is corrected until the distance is the target. Where the least weight is too much, as for a box on
    its edge that would take too long to fall over, it is pulled towards its rest shape, by so many times
    the way there. low, high: weights, or pulls, between which the target is; misses: by how much these
    two weights miss it, as logarithms of d/reached - 1; last: the same of the one that was tried last.
    paces: factors of the weight for each body, so that all are at rest together.
    """

    group: Sequence[Member]
    mask: np.ndarray
    open: np.ndarray
    coasts: np.ndarray
    towards: np.ndarray
    rest: np.ndarray
    masses: np.ndarray
    distance: float = 0.0
    target: float = 0.0
    weight: float = 0.0
    least: float = 0.0
    pull: float = 0.0
    low: float = 0.0
    high: float = math.inf
    misses: tuple[float, float] = (-1.0, 1.0)
    last: float = 0.0
    paces: Sequence[float] = ()

    def weight_of(self, k: int) -> float:
        """The weight [1/s^2] with which the k-th body of the group is held."""
        return self.weight * self.paces[k] if self.paces else self.weight

    @property
    def anchor(self) -> np.ndarray:
        """Where inertia leads, (n, d)."""
        return self.coasts + self.pull * self.towards

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
        """Choose a better weight after a step to x: the distance grows with it. Or a better pull."""
        reached = self.measured(x)
        if self.weight <= self.least and (self.pull or reached > self.target):
            self._correct_pull(reached)
            return
        wanted = self.distance / self.target - 1.0
        left = self.distance / max(reached, 1e-300) - 1.0
        self._bracket(math.log(wanted / min(max(left, UNFELT), 1.0 / UNFELT)))
        guess = self.weight * left / wanted if reached < self.distance else 0.25 * self.weight
        if self.low > 0.0 and math.isfinite(self.high):
            short, far = self.misses
            guess = self.low * (self.high / self.low) ** (short / (short - far))
        elif not self.low < guess < self.high:
            guess = 4.0 * self.low if self.low > 0.0 else 0.25 * self.high
        self.weight = max(guess, self.least)

    def _bracket(self, miss: float) -> None:
        """Keep the weights on both sides of the target, and by how much they miss it.

        What is kept again and again counts half each time, as in the Illinois method, so that both
        sides come nearer.
        """
        short, far = self.misses
        if miss < 0.0:
            far *= 0.5 if self.last < 0.0 else 1.0
            self.low, self.misses = self.weight, (miss, far)
        else:
            short *= 0.5 if self.last > 0.0 else 1.0
            self.high, self.misses = self.weight, (short, miss)
        self.last = miss

    def _correct_pull(self, reached: float) -> None:
        """The distance falls with the pull."""
        if not self.pull:
            self.low, self.high = 0.0, math.inf
        far = reached > self.target
        self.low, self.high = (self.pull, self.high) if far else (self.low, self.pull)
        self.pull += (reached - self.target) / self.distance
        if not self.low < self.pull < self.high:
            self.pull = 0.5 * (self.low + self.high) if math.isfinite(self.high) else 2.0 * self.low

    def finish(self, x: np.ndarray) -> None:
        """Keep the largest distance of each body since its clock started.

        Where no pull brings them nearer, friction holds them: they will rest somewhere else.
        """
        u, reached = self.departure(x), self.measured(x)
        missed = self.pull > 0.0 and math.isinf(self.high) and self.target < HELD_BACK * reached
        stands = missed and reached > PROGRESS * self.distance
        for m in self.group:
            m.land = replace(m.land, farthest=max(m.land.farthest, m.norm(u[m.own])))
            m.land = replace(m.land, rest=None) if stands else m.land


def plan_group(
    frame: Frame,
    group: Sequence[Member],
    rest: np.ndarray,
    motions: np.ndarray,
    force: np.ndarray,
    h: float,
) -> GroupPlan:
    """How far a group is to go in a part of h [s]; force: the gradient of the potential [N]."""
    x, mask = frame.here, inside(frame, group)
    relative = frame.v - (x - frame.x) / h  # to what it follows
    amounts = np.einsum("rnd,nd->r", motions, frame.masses * relative)
    along = _kept(frame, group, amounts, h) * np.einsum("r,rnd->nd", amounts, motions)
    plan = GroupPlan(group, mask, motions, x + h * along, np.zeros_like(x), rest, frame.masses)
    u = plan.departure(x)
    plan.towards = -u
    plan.distance = d = plan.measured(x)
    share = _share(frame, plan, h)
    rate = max(m.rate for m in group)
    work = float((u * np.where(mask, force, 0.0)).sum())
    stiffness = work / d**2 if work > 0.0 else rate
    rest_in = max(m.wish.rest_in for m in group if m.wish is not None)
    plan.least = max(1.0 / rest_in**2 / (1.0 / share - 1.0), *(_firm(frame, m, h) for m in group))
    plan.weight = max(stiffness / (1.0 / share - 1.0), plan.least)
    if d > STILL * max(m.system.span for m in group):
        plan.target = share * d
        keep_pace(frame, plan, share)
    return plan


def _firm(frame: Frame, m: Member, h: float) -> float:
    """The weight [1/s^2] that keeps a body from going where loads lead it."""
    return FIRMNESS * float(np.linalg.norm(m.acceleration(frame.time + h))) / m.system.size


def _kept(frame: Frame, group: Sequence[Member], amounts: np.ndarray, h: float) -> float:
    """The share of the speed of sliding (r,) that inertia keeps in a part of h [s].

    Friction ends a slide, and if not in time, a brake helps it: the speed then falls evenly until the
    deadline. A turn about a point that sticks has no friction, and is braked as well. Without friction a
    body slides on, unless it is to rest: then `within` of its speed when it settled is left at the
    deadline.
    """
    wishes, left = [(m, m.wish) for m in group if m.wish is not None], _left(group)
    whole = [m.land.begun[1] if m.land.begun else max(left, frame.dt) for m, _ in wishes]
    pairs = zip(wishes, whole, strict=True)
    kept = min((w.within ** (h / time) for (_, w), time in pairs if not w.slide), default=1.0)
    mask = inside(frame, group)
    mass = float(frame.masses[mask].sum())
    speed = float(np.linalg.norm(amounts)) / math.sqrt(mass)
    follows = any(m.number in frame.following for m in group)
    if frame.friction is None or follows or not frame.rubs(frame.x, frame.x):
        return kept
    slows = frame.friction.slip_force(np.where(mask, h * frame.v, 0.0)) / mass
    if speed > slows * max(left, 0.0):
        kept = min(kept, 1.0 - h / max(left, h) + slows * h / speed)
    return kept


def _left(group: Sequence[Member]) -> float:
    """The time that bodies have left to rest, below zero if they are late [s]."""
    return max((m.wish.rest_in - m.clock for m in group if m.wish is not None), default=0.0)


def _share(frame: Frame, plan: GroupPlan, h: float) -> float:
    """The share of the distance that a part of h [s] leaves; the schedule begins if there is none."""
    wishes = [(m, m.wish) for m in plan.group if m.wish is not None]
    left = _left(plan.group)
    within, rest_in = min(w.within for _, w in wishes), max(w.rest_in for _, w in wishes)
    begins = any(m.land.begun is None for m in plan.group)
    if begins:
        for m in plan.group:
            m.land = replace(m.land, begun=(plan.distance, max(left, frame.dt)))
    goal = goal_of(frame, plan)
    if begins and plan.distance <= goal:
        _tell_early(frame, plan.group, left)
    soft = all(wish.bounces == 0 and m.number not in frame.following for m, wish in wishes)
    begun_at = plan.group[0].land.begun if soft else None
    return descent(plan.distance, goal, left, h, rest_in=rest_in, within=within, begun=begun_at)


def _tell_early(frame: Frame, group: Sequence[Member], left: float) -> None:
    """Say that nothing is seen of the last landing of bodies that have hopped: they rest early."""
    for m in group:
        if m.wish is None or not m.land.made or m.land.told:
            continue
        if left > max(EARLY * m.wish.rest_in, frame.dt):
            m.land = replace(m.land, told=True)
            log.warning(
                "t = %g s: %s lies still %.3g s before it is to rest: nothing is seen of its last "
                "landing",
                *(frame.time, m.problem.name, left),
            )
