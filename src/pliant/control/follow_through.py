"""To rest without bounces, with inertia: a body that is let go in motion follows through."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pliant.problem import StepContext

from .law import Law, Release, decay_rate, descending, sampled
from .part_distances import squares
from .settle_state import SettleState

if TYPE_CHECKING:
    from .settle import Settle

#: The law is not changed any more in this last share of the way: what is left to correct is too little.
LAST = 0.05
#: How much faster or slower than at release the law may become to be in time.
RANGE = (0.4, 2.5)
#: And how much from one step to the next: what is measured of a body that turns is a little off.
PACE = 1.1
#: The ratio of neighbours among the decays that are tried.
STEP = 1.1
#: |u|^2 now and a step ago, and the product of the two.
Products = tuple[float, float, float]
#: By this factor it changes in a step at most, as a rule.
NEAR_DECAY = 1.01


def follow_through(
    wish: Settle, context: StepContext, state: SettleState
) -> tuple[list[Law], SettleState] | None:
    """The gains of this step, for every part of the body; None if strains cannot be in time any more.

    Until it turns for good, the velocity at release decides how far a part goes. From then on the
    law begins anew in every step, from where the part is and how fast it is, with the decay that brings
    the distance to `within` of its largest in the time that is left. What must be much faster than at
    release, as an arch that is about to snap, is better led by a schedule.
    """
    left = wish.rest_in - state.clock
    steers = state.dt is not None and left > LAST * wish.rest_in
    products: Sequence[Products | None] = [None] * len(state.parts)
    stays = context.rest_stays and context.x is context.x_old
    if steers and stays and len(state.parts) == 1:  # measured at the end of the last step
        context.tell_square(context.x, context.rest, state.parts[0].reached[0] ** 2)
    if steers:  # without inertia the law has no use for where the body was
        products = _products(context, state, before=wish.bounces is not None)
    laws, parts = [], []
    for part, known in zip(state.parts, products, strict=True):
        s = decay_rate(wish.rest_in, wish.bounces, wish.within, part.release)
        if known is None:
            s = s if part.decay is None else part.decay
        elif wish.bounces is None:
            s = _descent(known[0], left, wish.within * part.farthest, s)
        elif state.clock >= last_turn(part.release, s):
            assert state.dt is not None
            first, s = s, _decay(known, left, wish.within * part.farthest, state.dt, s, part.decay)
            if s >= RANGE[1] * first:
                return None
        if part.decay is not None:
            s = min(max(s, part.decay / PACE), part.decay * PACE)
        law = descending(s * context.dt) if wish.bounces is None else sampled(s * context.dt, 0.0)
        assert law is not None  # there is one for every decay
        laws.append(law)
        parts.append(replace(part, decay=s))
    return laws, replace(state, parts=tuple(parts))


def bouncing(
    wish: Settle, context: StepContext, state: SettleState, laws: Sequence[Law]
) -> tuple[list[Law], SettleState]:
    """The gains of this step of a body with bounces, for every part: `laws`, with the decay in time.

    A large start may gain or lose in its first half bounce. From then on the decay is the one that
    brings the envelope to `within` of the largest distance in the time that is left. A single bounce has
    too little left: its period would be bent.
    """
    assert wish.bounces
    if context.moving and state.dt is not None:  # its time counts from the last change
        parts = [replace(part, decay=None, farthest=part.reached[0]) for part in state.parts]
        state = replace(state, clock=0.0, parts=tuple(parts))
    left, half = wish.rest_in - state.clock, 0.5 * wish.rest_in / wish.bounces
    steers = state.dt is not None and state.clock >= half and left > LAST * wish.rest_in
    steers = steers and wish.bounces > 1 and not context.moving and not touches(context)
    products = _products(context, state) if steers else [None] * len(state.parts)
    out, parts = [], []
    for law, part, known in zip(laws, state.parts, products, strict=True):
        last = law.decay if part.decay is None else part.decay * context.dt
        decay = last
        if known is not None and part.farthest > 0.0:
            now = Release.through(*known, sampled(last, law.theta) or law)
            over = now.envelope(last, law.theta) / (wish.within * part.farthest)
            decay = math.log(max(over, 1.0)) * context.dt / left
            decay = min(max(decay, RANGE[0] * law.decay), RANGE[1] * law.decay)
            decay = min(max(decay, last / PACE), last * PACE)
        out.append(wish.drawn(state.clock, context.dt, decay, law))
        parts.append(replace(part, decay=decay / context.dt))
    return out, replace(state, parts=tuple(parts))


def fading(
    wish: Settle, context: StepContext, state: SettleState, whole: float
) -> tuple[list[Law], SettleState]:
    """The gains of this step after the last beat: from its turn each part rests without a bounce.

    whole [s]: what was left then.
    """
    left = wish.rest_in - state.clock
    steers = left > LAST * whole and left > context.dt
    products: Sequence[Products | None] = [None] * len(state.parts)
    if steers:
        products = _products(context, state, before=state.dt is not None)
    out, parts = [], []
    for part, known in zip(state.parts, products, strict=True):
        s, goal = (
            part.decay or decay_rate(wish.rest_in, 0, wish.within),
            wish.within * part.farthest,
        )
        if known is not None and known[0] > 0.0:
            if state.dt is None:
                s = decay_rate(left, 0, min(goal / math.sqrt(known[0]), 0.9))
            else:
                s = _decay(known, left, goal, state.dt, s, s)
        law = sampled(s * context.dt, 0.0)
        assert law is not None  # there is one for every decay
        out.append(law)
        parts.append(replace(part, decay=s))
    return out, replace(state, parts=tuple(parts))


def touches(context: StepContext) -> bool:
    """Whether an obstacle pushes the body, or will at rest: strains do not lead there."""
    return context.mechanics.touches_obstacle(context.x, context.rest)


def _descent(square: float, left: float, goal: float, asked: float) -> float:
    """s [1/s] with which a distance that falls exponentially comes to the goal in time."""
    if not (square > 0.0 and goal > 0.0):
        return asked
    least, most = (share * asked for share in RANGE)
    return min(max(0.5 * math.log(square / goal**2) / left, least), most)


def last_turn(release: Release, s: float) -> float:
    """When the distance has its last maximum [s]; 0 if it falls all the time.

    d^2 = e^(-2 s t) (uu + 2 uw t + ww t^2) has a slope of zero where
    s ww t^2 + (2 s uw - ww) t + s uu - uw = 0.
    """
    uw, ww = release.push(s)
    half = s * uw - 0.5 * ww
    under = half**2 - s * ww * (s * release.uu - uw)
    return max(0.0, (-half + math.sqrt(under)) / (s * ww)) if under > 0.0 and ww > 0.0 else 0.0


def _products(
    context: StepContext, state: SettleState, *, before: bool = True
) -> list[Products | None]:
    """Those of every part; all of them |u|^2 now if what was before does not matter."""
    # u is the departure from a rest shape, which may have been another a step ago.
    if state.strains is not None and state.strains.turns(context):
        last = (part.reached for part in state.parts)
        return [(now**2, then**2, now * then) for now, then in last]
    if not before:
        return [(now, now, now) for now in squares(context, context.x, context.rest)]
    assert state.dt is not None
    was = context.vectors.moved(context.x, -state.dt, context.drift)
    pairs = ((context.x, context.rest), (was, context.rest), (context.x, was))
    each = zip(*(squares(context, x, y) for x, y in pairs), strict=True)
    return [(now, then, 0.5 * (now + then - way)) for now, then, way in each]


def _decay(
    products: tuple[float, float, float],
    left: float,
    goal: float,
    dt: float,
    asked: float,
    last: float | None,
) -> float:
    """s [1/s] of the law that brings the distance to the goal in the time that is left.

    asked: that of the law at release; last: that of the last step, which is most likely near.
    """

    from scipy.optimize import brentq

    now, then, both = products

    def miss(s: float) -> float:
        # The law through the last two shapes has v = (u_before - keep u)/share.
        keep, share = math.exp(s * dt) * (1.0 - s * dt), -dt * math.exp(s * dt)
        uv = (both - keep * now) / share
        vv = max(then - 2.0 * keep * both + keep**2 * now, 0.0) / share**2
        uw, ww = Release(now, uv, vv).push(s)
        square = max(now + 2.0 * uw * left + ww * left**2, 1e-300)
        return 0.5 * math.log(square) - s * left - math.log(goal)

    if not (now > 0.0 and goal > 0.0):
        return asked
    if last is not None and miss(NEAR_DECAY * last) < 0.0 < miss(last / NEAR_DECAY):
        return float(brentq(miss, last / NEAR_DECAY, NEAR_DECAY * last, rtol=1e-10))
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
