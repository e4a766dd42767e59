"""Motion without inertia: the distance of every part to the rest shape follows a schedule."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.problem import Inertia, StepContext

from .follow_through import LAST, RANGE
from .held import held_each
from .law import Law
from .part_distances import distances, parts_of, parts_of_points
from .settle_state import Descent, Plan, SettleState

if TYPE_CHECKING:
    from .settle import Settle

#: Distances below this share of the body's size are rounding, not motion.
STILL = 1e-9
#: A rest shape that moves by less than this share of the distance to it leaves the clock alone.
CHANGE = 0.1
#: A step that misses its distance by more than this share is solved again with a better weight.
MISS = 0.005


def schedule(
    wish: Settle, law: Law, context: StepContext, state: SettleState
) -> tuple[Inertia, SettleState]:
    """The inertia weights that bring the distances to where the schedule wants them."""
    ways = _ways(context)
    state, targets = _planned(wish, law, context, state, [way[0] for way in ways])
    shares = [target / d if d > 0.0 else 0.0 for (d, *_), target in zip(ways, targets, strict=True)]
    plan = Plan(tuple(way[0] for way in ways), tuple(targets))
    if state.pulled:
        scale = context.stiffness_scale()
        plan = replace(plan, weights=(scale,) * len(ways))
        return Inertia(scale, _towards_rest(context, shares)), replace(state, plan=plan)
    known = state.stiffnesses or [None] * len(ways)
    pairs = zip(ways, known, strict=True)
    stiffnesses = tuple(_stiffness(context, *way, last) for way, last in pairs)
    weights = tuple(
        k / (1.0 / share - 1.0) if share > 0.0 else k
        for k, share in zip(stiffnesses, shares, strict=True)
    )
    plan = replace(plan, weights=weights)
    on = (plan.distance - plan.target) / state.progress if state.progress > 0.0 else 0.0
    state = replace(state, plan=plan, stiffnesses=stiffnesses, progress=0.0)
    return _held(context, weights, extrapolation=on if on < 2.0 else 0.0), state


def _stiffness(
    context: StepContext, d: float, work: float, force: float, last: float | None
) -> float:
    """How stiff a part is on its way to rest [1/s^2]."""
    if d > STILL * context.span:
        # Where the energy is not convex the size of the force still sets a rate.
        return work / d**2 if work > 0.0 else force / d
    return context.stiffness_scale() if last is None else last


def _ways(context: StepContext) -> list[tuple[float, float, float]]:
    """Of every part: the distance to its rest shape, the work on the way there, sqrt(sum f^2/m)."""
    products, body = context.rest_products, context.mechanics
    if not parts_of(body):
        force = context.force_norm() if products.work <= 0.0 else 0.0  # is not asked for
        return [(products.distance, products.work, force)]
    host = body.to_host
    u, f = host(context.x) - host(context.rest), host(products.gradient)
    mass, free = body.masses, body.free
    each = (mass * (u * u).sum(1), (u * f).sum(1), np.where(free, (f * f).sum(1) / mass, 0.0))
    number, count = parts_of_points(body).numbers, len(parts_of(body))
    uu, work, ff = (np.bincount(number, values, minlength=count) for values in each)
    return list(zip(np.sqrt(uu).tolist(), work.tolist(), np.sqrt(ff).tolist(), strict=True))


def _held(context: StepContext, weights: Sequence[float], extrapolation: float = 0.0) -> Inertia:
    """Every part held where it is, with its own weight."""
    least, x = min(weights), context.x
    if least == max(weights):
        return Inertia(least, x, extrapolation=extrapolation)
    more = (np.array(weights) - least)[parts_of_points(context.mechanics).numbers]
    more_held = held_each(context.mechanics, more, x)
    return Inertia(least, x, quadratics=(more_held,), extrapolation=extrapolation)


def _towards_rest(context: StepContext, shares: Sequence[float]) -> Any:
    """The shape in which every part has this share of its departure left."""
    if len(shares) == 1:
        return context.towards_rest(shares[0])
    gains = np.stack([shares, np.zeros(len(shares))], axis=1)
    parts, x, rest = parts_of_points(context.mechanics), context.x, context.rest
    return context.vectors.led_each(rest, gains, parts, x, rest)


def _planned(
    wish: Settle, law: Law, context: StepContext, state: SettleState, found: Sequence[float]
) -> tuple[SettleState, list[float]]:
    """The distances that a step should reach, and the state with its schedule begun or shifted."""
    still = STILL * context.span
    k = state.clock / context.dt  # not a count: a run may go on with another dt
    begins = not state.descents and not (state.parts and state.clock)
    changed = context.shift > CHANGE * math.hypot(*found) and not context.turning
    restart = begins or changed
    if restart:
        state, k = replace(state, descents=tuple(Descent(d) for d in found), clock=0.0), 0.0
        if not begins:  # the parts are measured anew, too
            state = replace(state, parts=())
    elif context.moving:  # go on from here as if on schedule
        state = replace(state, descents=tuple(Descent(d / _left(law, k)) for d in found))
    elif not state.descents:  # and be in time
        each = zip(found, state.parts, strict=True)
        descents = (_joined(wish, law, context, k, d, part.farthest) for d, part in each)
        state = replace(state, descents=tuple(descents))
    pursues = context.moving and restart
    targets = []
    for d, descent in zip(found, state.descents, strict=True):
        target = descent.start * _left(law, k + 1.0) ** descent.power
        if pursues or d <= still or target <= still:
            target = wish.within ** (context.dt / wish.rest_in) * d
        # A schedule can be behind (the step shrinks little) but never asks the body to turn back.
        targets.append(min(max(target, 1e-3 * d), (1.0 - 1e-4) * d))
    return state, targets


def _joined(
    wish: Settle, law: Law, context: StepContext, k: float, d: float, farthest: float
) -> Descent:
    """The schedule from distance d after k steps to `within` of the farthest in time."""
    now, last = _left(law, k), _left(law, wish.rest_in / context.dt)
    power = 1.0
    if d > 0.0 and farthest > 0.0 and k * context.dt < (1.0 - LAST) * wish.rest_in:
        power = math.log(wish.within * farthest / d) / math.log(last / now)
        power = min(max(power, RANGE[0]), RANGE[1])
    return Descent(d / now**power, power)


def _left(law: Law, k: float) -> float:
    """The share of the first distance that is left after k steps."""
    return float(law.amplitude(np.array(k)))


def better_weight(
    context: StepContext, state: SettleState, inertia: Inertia, x_new: Any
) -> tuple[Inertia | None, SettleState]:
    """The inertia that meets the schedule, if the step missed it: d falls as 1/(1 + lambda/weight)."""
    plan = state.plan
    if plan is None or inertia.energies or plan.distance <= STILL * context.span:
        return None, state
    reached = distances(context, x_new)
    if inertia.anchor is not context.x:  # pulled: hold on tighter if the body runs ahead
        ahead = math.hypot(*reached) < 0.97 * plan.target
        return Inertia(8.0 * inertia.weight, inertia.anchor) if ahead else None, state
    each = zip(plan.weights, plan.distances, plan.targets, reached, strict=True)
    weights = tuple(_better(context, *one) for one in each)
    if weights == plan.weights:
        return None, state
    return _held(context, weights), replace(state, plan=replace(plan, weights=weights))


def _better(context: StepContext, weight: float, d: float, target: float, reached: float) -> float:
    """The weight of a part that was to go from d to target; the same if it was right, or unknown."""
    if d <= STILL * context.span or reached <= 0.0 or abs(reached / target - 1.0) <= MISS:
        return weight
    if reached >= d:  # not on its way to the rest shape: the quotient means nothing
        return weight
    return weight * (d / reached - 1.0) / (d / target - 1.0)
