"""Motion without inertia: the distance to the rest shape follows a schedule."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.problem import Inertia, StepContext

from .law import Law
from .settle_state import Plan, SettleState

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
    """The inertia weight that brings the distance to where the schedule wants it."""
    d, work = context.rest_products.distance, context.rest_products.work
    state, target = _planned(wish, law, context, state, d)
    plan = Plan(d, target)
    if state.pulled:
        anchor = context.towards_rest(target / d if d > 0.0 else 0.0)
        return Inertia(context.stiffness_scale(), anchor), replace(state, plan=plan)
    if d > STILL * context.span:
        # Where the energy is not convex the size of the force still sets a rate.
        stiffness = work / d**2 if work > 0.0 else context.force_norm() / d
    else:
        stiffness = context.stiffness_scale() if state.stiffness is None else state.stiffness
    weight = stiffness / (d / target - 1.0) if d > 0.0 else stiffness
    extrapolation = (d - target) / state.progress if state.progress > 0.0 else 0.0
    state = replace(state, plan=plan, stiffness=stiffness, progress=0.0)
    return Inertia(
        weight, context.x, extrapolation=extrapolation if extrapolation < 2.0 else 0.0
    ), state


def _planned(
    wish: Settle, law: Law, context: StepContext, state: SettleState, d: float
) -> tuple[SettleState, float]:
    """The distance that a step from d should reach, and the state with its schedule begun or shifted."""
    still = STILL * context.span
    k = state.clock / context.dt  # not a count: a run may go on with another dt
    begins = state.start is None and not (state.parts and state.clock)
    restart = begins or context.shift > CHANGE * d
    if restart:
        state, k = replace(state, start=d, clock=0.0), 0.0
        if not begins:  # the parts are measured anew, too
            state = replace(state, parts=())
    elif context.moving or state.start is None:  # go on from here as if on schedule
        state = replace(state, start=d / float(law.amplitude(np.array(k))))
    assert state.start is not None
    target = float(law.amplitude(np.array(k + 1.0))) * state.start
    pursues = context.moving and restart
    if pursues or d <= still or target <= still:
        target = wish.within ** (context.dt / wish.rest_in) * d
    # A schedule can be behind (the step shrinks little) but never asks the body to turn back.
    return state, min(max(target, 1e-3 * d), (1.0 - 1e-4) * d)


def better_weight(
    context: StepContext, state: SettleState, inertia: Inertia, x_new: Any
) -> Inertia | None:
    """The inertia that meets the schedule, if the step missed it: d falls as 1/(1 + lambda/weight)."""
    plan = state.plan
    if plan is None or inertia.energies or plan.distance <= STILL * context.span:
        return None
    reached = context.distance(x_new)
    if inertia.anchor is not context.x:  # pulled: hold on tighter if the body runs ahead
        ahead = reached < 0.97 * plan.target
        return Inertia(8.0 * inertia.weight, inertia.anchor) if ahead else None
    if abs(reached / plan.target - 1.0) <= MISS or reached <= 0.0:
        return None
    if reached >= plan.distance:  # not on its way to the rest shape: the quotient means nothing
        return None
    effective = inertia.weight * (plan.distance / reached - 1.0)
    return Inertia(effective / (plan.distance / plan.target - 1.0), context.x)
