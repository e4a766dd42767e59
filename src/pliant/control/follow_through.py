"""To rest without bounces, with inertia: a body that is let go in motion follows through."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from scipy.optimize import brentq

from pliant.problem import StepContext

from .law import Law, Release, decay_rate, sampled
from .settle_state import SettleState

if TYPE_CHECKING:
    from .settle import Settle

#: The law is not changed any more in this last share of the way: what is left to correct is too little.
LAST = 0.05
#: How much faster or slower than at release the law may become to be in time.
RANGE = (0.4, 2.5)
#: The ratio of neighbours among the decays that are tried.
STEP = 1.1


def follow_through(
    wish: Settle, context: StepContext, state: SettleState
) -> tuple[Law, SettleState]:
    """The gains of this step.

    Until it turns for good, the velocity at release decides how far the body goes. From then on the
    law begins anew in every step, from where the body is and how fast it is, with the decay that brings
    the distance to `within` of its largest in the time that is left.
    """
    if wish.bounces is None:
        return _descent(wish, context, state)
    assert state.release is not None
    asked = decay_rate(wish.rest_in, 0, wish.within, state.release)
    s = asked if state.decay is None else state.decay
    left = wish.rest_in - state.clock
    turned = state.clock >= last_turn(state.release, asked)
    if turned and state.dt is not None and left > LAST * wish.rest_in:
        products = _products(context, state)
        s = _decay(products, left, wish.within * state.farthest, state.dt, asked)
    law = sampled(s * context.dt, 0.0)
    assert law is not None  # there is one for every decay
    return law, replace(state, decay=s)


def _descent(wish: Settle, context: StepContext, state: SettleState) -> tuple[Law, SettleState]:
    """Without inertia: the distance falls exponentially."""
    s, left = decay_rate(wish.rest_in, None, wish.within), wish.rest_in - state.clock
    turned = context.turning and state.dt is not None
    d = state.reached[0] if turned else math.sqrt(context.vectors.weighted(context.x, context.rest))
    goal = wish.within * state.farthest
    if left > LAST * wish.rest_in and d > 0.0 and goal > 0.0:
        least, most = (share * s for share in RANGE)
        s = min(max(math.log(d / goal) / left, least), most)
    elif state.decay is not None:
        s = state.decay
    return Law(0.0, math.expm1(s * context.dt), s * context.dt, 0.0), replace(state, decay=s)


def last_turn(release: Release, s: float) -> float:
    """When the distance has its last maximum [s]; 0 if it falls all the time.

    d^2 = e^(-2 s t) (uu + 2 uw t + ww t^2) has a slope of zero where
    s ww t^2 + (2 s uw - ww) t + s uu - uw = 0.
    """
    uw = release.uv + s * release.uu
    ww = release.vv + 2.0 * s * release.uv + s**2 * release.uu
    half = s * uw - 0.5 * ww
    under = half**2 - s * ww * (s * release.uu - uw)
    return max(0.0, (-half + math.sqrt(under)) / (s * ww)) if under > 0.0 and ww > 0.0 else 0.0


def _products(context: StepContext, state: SettleState) -> tuple[float, float, float]:
    """|u|^2 now and a step ago, and the product of the two."""
    if context.turning:  # u is the departure from a rest shape that was another a step ago
        now, then = state.reached
        return now**2, then**2, now * then
    assert state.dt is not None
    v, before = context.vectors, context.vectors.moved(context.x, -state.dt, context.drift)
    now, then = v.weighted(context.x, context.rest), v.weighted(before, context.rest)
    return now, then, 0.5 * (now + then - v.weighted(context.x, before))


def _decay(
    products: tuple[float, float, float], left: float, goal: float, dt: float, asked: float
) -> float:
    """s [1/s] of the law that brings the distance to the goal in the time that is left."""
    now, then, both = products

    def miss(s: float) -> float:
        # The law through the last two shapes has v = (u_before - keep u)/share.
        keep, share = math.exp(s * dt) * (1.0 - s * dt), -dt * math.exp(s * dt)
        uv = (both - keep * now) / share
        vv = max(then - 2.0 * keep * both + keep**2 * now, 0.0) / share**2
        uw, ww = uv + s * now, vv + 2.0 * s * uv + s**2 * now
        square = max(now + 2.0 * uw * left + ww * left**2, 1e-300)
        return 0.5 * math.log(square) - s * left - math.log(goal)

    if not (now > 0.0 and goal > 0.0):
        return asked
    slowest, fast = (share * asked for share in RANGE)
    if miss(fast) >= 0.0:
        return fast
    slow = fast / STEP
    # The largest one: with less decay the body would run through its rest shape and come back.
    while miss(slow) < 0.0:
        fast, slow = slow, slow / STEP
        if slow < slowest:
            return asked  # it is ahead, and will be in time by itself
    return float(brentq(miss, slow, fast, rtol=1e-10))
