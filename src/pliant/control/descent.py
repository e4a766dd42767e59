"""The schedule of bodies that touch: how far they still are from where they will rest."""

from __future__ import annotations

import math
from functools import lru_cache

#: What is late has this share of the time to rest for what is left; and what is at rest goes on so much
#: faster after the deadline, where nobody sees it.
HASTE, AFTER = 0.02, 0.1
#: What is behind a critical descent would be at its goal in this share of the time left.
CATCH_UP = 0.1
#: A critical descent begins with at least this share to go, and leaves shares within these limits.
LEAST_FALL, SHARES = 0.9, (1e-3, 1.0 - 1e-4)


def descent(
    distance: float,
    goal: float,
    left: float,
    h: float,
    *,
    rest_in: float,
    within: float,
    begun: tuple[float, float] | None = None,
) -> float:
    """The share of the distance that is to be left after h [s].

    It is at the goal when the time left [s] is over. It falls by a constant factor in each second, or,
    if `begun` gives the distance and the time left at the beginning, along the critical curve
    (1 + s t) e^(-s t), which begins and ends softly. The share is taken anew in every step, so the goal
    and the distance may move.
    """
    after = math.pow(within, h / (AFTER * rest_in))
    if left < 1e-6 * h:
        share = min(goal / distance, 1.0) if distance > 0.0 else 1.0
        late = math.pow(share, h / max(h, HASTE * rest_in))
        return min(after, late)
    if distance <= goal:
        return math.pow(within, h / rest_in)
    if left < h:  # the deadline is passed at the goal
        return goal / distance * math.pow(after, 1.0 - left / h)
    if begun is None:
        return math.pow(goal / distance, h / left)
    start, span = begun
    s = _critical_rate(min(goal / start, LEAST_FALL) if start > 0.0 else LEAST_FALL)
    t = (span - left + h) / span
    wanted = start * (1.0 + s * t) * math.exp(-s * t)
    most = math.pow(goal / distance, h / (CATCH_UP * left))  # short parts must not leap
    return min(max(wanted / distance, most, SHARES[0]), SHARES[1])


@lru_cache(maxsize=64)
def _critical_rate(share: float) -> float:
    """s with (1 + s) e^-s = share."""

    from scipy.optimize import brentq

    return float(brentq(lambda s: math.log1p(s) - s - math.log(share), 1e-9, 700.0))
