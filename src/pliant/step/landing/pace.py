"""How far each body of a group still has to go, and how all come to rest together."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from .frame import Frame

if TYPE_CHECKING:
    from .schedule import GroupPlan

#: A body beside others that has moved by less than this share of its size counts as moved by so much.
UNSEEN = 1e-2
#: A body that is ahead goes at least this share of the pace of the one that is farthest behind, and is
#: held by this power of what that asks for by itself: those that it lies on pull it along.
SLOWEST, FIRMLY = 0.1, 2.0


def goal_of(frame: Frame, plan: GroupPlan) -> float:
    """The distance at which every body of a group is as near to its place as its wish says.

    That is a share of its own largest distance. The body that has the longest way left, by that
    measure, decides.
    """
    return min(goal / now for now, goal in _ways(frame, plan)) * plan.distance


def keep_pace(frame: Frame, plan: GroupPlan, share: float) -> None:
    """Hold bodies that are ahead more firmly; share: of its way that the last of them is to have left.

    With one weight for all, the lower boxes of a stack would rest a tenth of the time before the upper
    ones. Bodies with motions that are open keep one weight: those motions are of all of them.
    """
    ways = _ways(frame, plan)
    last = min(goal / now for now, goal in ways)
    if len(ways) == 1 or len(plan.open) or last >= 1.0 or share >= 1.0:
        return
    paces = [math.log(min(goal / now, 1.0)) / math.log(last) for now, goal in ways]
    shares = [share ** max(pace, SLOWEST) for pace in paces]
    plan.paces = [((1.0 / share - 1.0) / (1.0 / own - 1.0)) ** FIRMLY for own in shares]
    left = [own * now for own, (now, _) in zip(shares, ways, strict=True)]
    plan.target = plan.distance * math.hypot(*left) / math.hypot(*(now for now, _ in ways))


def _ways(frame: Frame, plan: GroupPlan) -> list[tuple[float, float]]:
    """How far each body of a group is from its place, and how near it is to come."""
    ways = [plan.departure(frame.here), *(_marked(frame, plan, i) for i in range(3))]
    found = []
    for m, wish in ((m, m.wish) for m in plan.group if m.wish is not None):
        now, *before = (m.norm(u[m.own]) for u in ways)
        far = max(now, m.land.farthest, *before)
        if len(plan.group) > 1:
            far = max(far, UNSEEN * m.system.size * math.sqrt(float(m.system.masses.sum())))
        found.append((max(now, 1e-300), wish.within * far))
    return found


def _marked(frame: Frame, plan: GroupPlan, i: int) -> np.ndarray:
    """How far the i-th of the positions that were marked is from the rest shape; 0 if there is none.

    Where something rubs, sliding counts: it comes to rest as well.
    """
    x = plan.rest.copy()
    for m in plan.group:
        if m.land.marks:
            x[m.own] = m.land.marks[min(i, len(m.land.marks) - 1)]
    return plan.departure(x) if frame.friction is None else np.where(plan.mask, x - plan.rest, 0.0)
