"""Steps that went elsewhere than the law."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pliant.problem import Inertia, StepContext

from .settle_state import SettleState

if TYPE_CHECKING:
    from .settle import Settle

#: A bounce that goes more than this many times as far as the law has leapt into another shape.
LEAP = 2.0
#: And it has gone this share of the body's size beyond that.
LEAST_LEAP = 1e-4


def leapt(
    wish: Settle, context: StepContext, state: SettleState, inertia: Inertia, x_new: Any
) -> bool:
    """Whether a step has gone elsewhere than the law: buckled, or lured away by the stress of loads.

    The law goes from u by (kappa dt v - W u)/(1 + W), and ends within (u + kappa dt v)/(1 + W).
    """
    body = context.mechanics
    spurious = not (body.survives_inversion or state.pulled or context.inside_out())
    if spurious and len(body.inverted(x_new)):  # such a material does not come back by itself
        return True
    near = LEAST_LEAP * context.span + LEAP * context.shift
    if state.plan is not None and inertia.anchor is context.x:  # a schedule only goes home
        return bool(body.solids) and context.distance(x_new) > LEAP * state.plan.distance + near
    if not (inertia.energies and body.solids):
        return False
    context.measure(x_new)
    way, d = (context.moved(y) for y in (inertia.anchor, context.rest))
    gains = _gains_by_place(wish, context, state, inertia)
    farthest = max((share * way + W * d) / (1.0 + W) for share, W in gains)
    if state.strains is not None:
        farthest = max(farthest, state.strains.way)
    beyond = max((share * way + d) / (1.0 + W) for share, W in gains)
    far = context.moved(x_new) > LEAP * farthest + near
    return far or context.distance(x_new) > LEAP * beyond + near


def _gains_by_place(
    wish: Settle, context: StepContext, state: SettleState, inertia: Inertia
) -> list[tuple[float, float]]:
    """Of every group of cells: kappa over that of the anchor, and W."""
    if wish.painted is None:
        return [(1.0, 1.0 / (inertia.stiffness - 1.0))]
    laws = wish.painted.laws(wish, context, state.release)
    common = laws.slowest.kappa or 1.0
    return [(law.kappa / common, law.W) for law in laws.each]
